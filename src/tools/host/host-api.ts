import type { Doubt } from '../../core/doubts.ts';
import type { CancelSignal } from '../../core/runtime/cancellation.ts';
import type { HostProblem } from './diagnostic-line.ts';

/** The problems of one text of a file. */
export interface CheckedFile {
  /** As answers show it. */
  readonly file: string;
  /** By position; a problem that several servers report is listed once. */
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

/** Options of one question. */
export interface HostApiOptions {
  readonly signal?: CancelSignal | undefined;
  readonly report?: ((message: string) => void) | undefined;
  /** The id of the caller, if there are several. */
  readonly scope?: string | undefined;
}

/** Questions of a program around lspan besides tools; without an answer they reject with an `LspanError`. */
export interface HostApi {
  /**
   * Returns the problems of a file: of the given text, for this question only, else of its unsaved text, else of the
   * disk. Rejects if nothing was found and that is not certain, but would be by asking again, or once what keeps all
   * its servers from checking it is put right. Any other doubt comes with the list, even if that is empty.
   */
  check(file: string, text: string | undefined, options?: HostApiOptions): Promise<CheckedFile>;
  /** Returns the problems of all files that servers know of. */
  problems(options?: HostApiOptions): Promise<KnownProblems>;
  servers(options?: HostApiOptions): Promise<readonly HostServer[]>;
  /**
   * Uses a text that is not on the disk as that of a file, for every question from now on; `null` returns to the
   * disk. Throws as the gate does. Changes of such a file are refused until then.
   */
  hold(file: string, text: string | null): void;
  /** Called when the problems of a file may have changed, with its name as answers show it, or without one for any file. */
  onProblems(listener: (file?: string) => void): () => void;
}
