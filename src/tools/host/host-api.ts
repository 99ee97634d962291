import type { Doubt } from '../../core/doubts.ts';
import type { CancelSignal } from '../../core/runtime/cancellation.ts';
import type { HostProblem } from './diagnostic-line.ts';

/** The problems of one text of a file. */
export interface CheckedFile {
  /** As answers show it. */
  readonly file: string;
  /** By where they stand; the same problem once, whichever servers tell of it. */
  readonly problems: readonly HostProblem[];
  /** Why there may be more. */
  readonly doubts: readonly Doubt[];
}

/** The problems of all files that servers have reported on. */
export interface KnownProblems {
  /** By file, in alphabetical order; a checked file without problems has an empty list. */
  readonly files: Readonly<Record<string, readonly HostProblem[]>>;
  /** Every file with a server was checked, so that a file that is not listed has no problems. */
  readonly complete: boolean;
  readonly doubts: readonly Doubt[];
}

/** State of a server, reduced to what an embedding program needs. */
export interface HostServer {
  readonly serverId: string;
  readonly state: 'ok' | 'starting' | 'broken' | 'idle';
  /** A sentence. */
  readonly detail: string;
}

/** What who asks may set for one question. */
export interface HostApiOptions {
  readonly signal?: CancelSignal | undefined;
  readonly report?: ((message: string) => void) | undefined;
  /** Who asks, where several may. */
  readonly scope?: string | undefined;
}

/** What a program around lspan asks beside tools. Whatever cannot be told is an `LspanError`, never an empty answer. */
export interface HostApi {
  /**
   * The problems of a file: of the text that is given, for this question only, else of what is held, else of the disk.
   * Rejects where nothing was found and that cannot be relied on, but would by asking again, or once what keeps all its
   * servers from checking it is put right. Any other doubt comes with the list, though it may be empty.
   */
  check(file: string, text: string | undefined, options?: HostApiOptions): Promise<CheckedFile>;
  /** The problems of all files that servers know of. */
  problems(options?: HostApiOptions): Promise<KnownProblems>;
  servers(options?: HostApiOptions): Promise<readonly HostServer[]>;
  /**
   * Takes a text that is not on the disk for that of a file, for every question from now on; `null` gives the disk its
   * say again. Throws as the gate does. A change of such a file is refused until then.
   */
  hold(file: string, text: string | null): void;
  /** Called when the problems of a file may have changed, with its name as answers show it; without one, of any. */
  onProblems(listener: (file?: string) => void): () => void;
}
