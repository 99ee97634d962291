import type { Call } from '../core/call.ts';
import type { Doubt } from '../core/doubts.ts';
import type { Standing } from '../core/questions.ts';
import type { Fingerprint } from '../core/trust.ts';
import type { GivenEntry } from './gate/entry-at.ts';
import type { Document } from './texts/document.ts';

/**
 * One change since the last barrier. `changed` may be told without need, never the other way round.
 * Links, files asked for by `watchAlso` and ignored files that were read are told too, though `files` leaves them out.
 */
export interface Change {
  readonly path: string;
  readonly kind: 'created' | 'changed' | 'deleted';
  /** Not on the disk: a text came that is held instead of it, or went. What the disk does under such is told then. */
  readonly unsaved?: true;
}

/**
 * The roots of the user's work and the only gate to the disk. Paths inside lspan are absolute real paths. Where a text
 * is held for a file, all that is said of the disk here means that text, but for `fingerprint`.
 */
export interface Workspace {
  /** Real paths; the first is the one that relative paths are shown against. */
  readonly roots: readonly string[];
  /**
   * Turns what an agent gave (relative, absolute, or a `file:` URI) into the real path of an existing file.
   * Throws `invalid_input`, `outside_workspace` or `not_found`.
   */
  resolve(given: string): Promise<string>;
  /**
   * What an agent names by a path, whether it is there or not: a file, a folder, or a link itself.
   * Throws `invalid_input` or `outside_workspace`.
   */
  entry(given: string): GivenEntry;
  /**
   * Turns a URI that a server gave into a path and where it stands; nothing outside the roots is touched.
   * A scheme other than `file:` keeps the URI as its path and stands outside.
   */
  fromUri(uri: string): { readonly path: string; readonly standing: Standing };
  /**
   * Turns a URI into the path of the entry that it names, for who moves, removes or makes it: links on the way there
   * are followed, but one at its end is the entry itself. Where folders are missing, the nearest that is there decides.
   */
  entryFromUri(uri: string): { readonly path: string; readonly standing: Standing };
  /** The `file:` URI of a real path, as servers are told it. */
  uri(path: string): string;
  /** Where a path is shown: relative to the first root with `/`, else absolute. */
  show(path: string): string;
  /** The root that holds a path; the longest when roots are nested. */
  rootOf(path: string): string | undefined;
  /** Whether a real path lies in a root or in an additional one, which the user named; a library is neither. */
  isNamedByUser(path: string): boolean;
  /**
   * Reads a file inside a root or a library root as UTF-8 text. Cached, and always the text of the latest barrier.
   * Throws `outside_workspace`, `not_found`, `invalid_input` (directory, binary, device) or `limit_exceeded`.
   */
  read(path: string): Promise<Document>;
  /** The text of a file inside a root as it is on the disk right now; nothing where it cannot be read. */
  readNow(path: string): string | undefined;
  /** What `read` would give, if it is in memory: for those who need many texts at once. */
  cached(path: string): Document | undefined;
  /**
   * Takes a text for that of a file, there or not yet, from now on; without one, the disk has its say again. Its name is
   * what an agent would give. Listeners are told at once. Throws as `entry` does, or `invalid_input` or `limit_exceeded`.
   */
  hold(given: string, text: string | undefined): void;
  /** The files whose text is held, by their real paths. */
  unsaved(): ReadonlyMap<string, Document>;
  /** Whether the disk has a file, whatever is held of it. */
  isSaved(path: string): boolean;
  /** Whether the disk has had the very text that is held of a file ever since: whoever reads it there reads the same. */
  isUnsavedAsOnDisk(path: string): boolean;
  /** Allows reading below these folders: the libraries that the languages use. */
  addLibraryRoots(paths: readonly string[]): void;
  /** Watches files though they are ignored, by glob relative to the roots. */
  watchAlso(globs: readonly string[]): void;
  /** The content of the files of a root that globs name, ignored or not; a change to one is told from then on. */
  fingerprint(root: string, globs: readonly string[]): Fingerprint;
  /** The freshness barrier: when it resolves, every change made on the disk before the call has reached the listeners. */
  refresh(call: Call): Promise<readonly Doubt[]>;
  /** How many batches of changes there were so far: while it stays the same, so does the disk as of the latest barrier. */
  generation(): number;
  /** Called with one batch a barrier (or earlier, as when a text is held), never with an empty one. */
  onChanges(listener: (changes: readonly Change[]) => void): () => void;
  /**
   * Called, soon, at most twice a second and maybe without need, after the kernel told that something in the roots may
   * have changed; what it was is told to `onChanges` at the next barrier. Where the kernel tells nothing, neither does this.
   */
  onMaybeChanged(listener: () => void): () => void;
  /** All files that are not ignored, as of the latest barrier. */
  files(): Iterable<string>;
  /**
   * Those of them that hold every word of a name, in the order of their paths, as of the latest barrier: none is
   * missing, and seldom one is too many. `undefined` where the name holds no word, so that nothing is known.
   * Binary files, and very large ones, count as holding nothing.
   */
  mentioning(name: string, call: Call): Promise<readonly string[] | undefined>;
  close(): Promise<void>;
}
