import type { Call } from '../core/call.ts';
import type { Doubt } from '../core/doubts.ts';
import type { Standing } from '../core/question.ts';
import type { Fingerprint } from '../core/trust.ts';
import type { Packages } from '../source-text/packages/packages.ts';
import type { GivenEntry } from './gate/entry-at.ts';
import type { Document } from './texts/document.ts';

/**
 * One change since the last barrier. May report a change that did not happen, never misses one. Links, files matched by
 * `watchAlso` and ignored files that were read are reported too, though `files` leaves them out.
 */
export interface Change {
  readonly path: string;
  readonly kind: 'created' | 'changed' | 'deleted';
  /** It is looked at for the first time: whoever has read it before has read another text, if `created` or not. */
  readonly isFirst?: true;
  /** An unsaved text came or went. While it is there, changes of the file on the disk are not reported. */
  readonly unsaved?: true;
}

/**
 * The user's folders, and the only gate to the disk. Paths inside lspan are absolute real paths. If a file has an
 * unsaved text, all that is said of the disk here means that text, except in `fingerprint`.
 */
export interface Workspace {
  /** Real paths. Shown paths are relative to the first, or to the `base` that it was opened with. */
  readonly roots: readonly string[];
  /**
   * Returns the real path of the existing file that an agent names by a relative or absolute path or a `file:` URI.
   * Throws `invalid_input`, `outside_workspace` or `not_found`.
   */
  resolve(given: string): Promise<string>;
  /** Returns the entry that an agent names, a link as itself. Throws `invalid_input` or `outside_workspace`. */
  entry(given: string): GivenEntry;
  /**
   * Returns the path of a server's URI and where it lies. Touches nothing outside the roots.
   * For a scheme other than `file:`, the path is the URI itself and lies outside.
   */
  fromUri(uri: string): { readonly path: string; readonly standing: Standing };
  /**
   * Returns the path of the entry that a URI names, to move, remove or create it: follows links on the way, but not one
   * at the end. If folders are missing, the nearest existing one decides where the path lies.
   */
  entryFromUri(uri: string): { readonly path: string; readonly standing: Standing };
  /** Returns the `file:` URI of a real path, as servers get it. */
  uri(path: string): string;
  /** Returns the path to show: relative to the first root (or the `base`) with `/`, else absolute. */
  show(path: string): string;
  /** Returns the root that contains a path; the longest if roots are nested. */
  rootOf(path: string): string | undefined;
  /**
   * Returns the top folder of the worktree in a root that contains a path, if it is of the root's own repository: a copy
   * of the root, and not part of it.
   */
  worktreeIn(path: string): string | undefined;
  /**
   * Returns the top folder of the worktree that contains a path outside this workspace, if it is of the repository of a
   * root: in a root or beside it. Reads only what git keeps about the worktrees, and the one that contains the path.
   */
  otherWorktree(path: string): string | undefined;
  /** True if a real path lies in a root or an additional root, which the user named; false in a library. */
  isNamedByUser(path: string): boolean;
  /**
   * Reads a file in a root or a library root as UTF-8 text. Cached, and always the text as of the latest barrier.
   * Throws `outside_workspace`, `not_found`, `invalid_input` (directory, binary, device) or `limit_exceeded`.
   */
  read(path: string): Promise<Document>;
  /** Reads a file as it is on the disk right now; `undefined` if it cannot be read. */
  readNow(path: string): string | undefined;
  /** Like `read`, but `undefined` if the text is not in memory: for callers that need many texts at once. */
  cached(path: string): Document | undefined;
  /**
   * Uses a text instead of a file, existing or not, from now on; without a text, the file on disk is used again. The
   * path is as agents give it. Calls listeners at once. Throws like `entry`, or `invalid_input` or `limit_exceeded`.
   */
  hold(given: string, text: string | undefined): void;
  /** Returns the unsaved texts by real path. */
  unsaved(): ReadonlyMap<string, Document>;
  /** True if the file is on the disk, even if it has an unsaved text. */
  isSaved(path: string): boolean;
  /** True if the disk has had exactly the unsaved text ever since, so that a reader of the disk reads the same. */
  isUnsavedAsOnDisk(path: string): boolean;
  /** Allows reading below these folders: the libraries of the languages. */
  addLibraryRoots(paths: readonly string[]): void;
  /** Watches files that globs relative to the roots match, even if they are ignored. */
  watchAlso(globs: readonly string[]): void;
  /** Hashes the files of a root that globs match, ignored or not, and reports changes to them from now on. */
  fingerprint(root: string, globs: readonly string[]): Fingerprint;
  /** The freshness barrier: resolves when every change made on the disk before the call has reached the listeners. */
  refresh(call: Call): Promise<readonly Doubt[]>;
  /** Like `refresh`, but does not wait for those who follow it. */
  barrier(call: Call): Promise<readonly Doubt[]>;
  /** Lets a listener watch more after each barrier, before `refresh` resolves; it may pass the `barrier` again. */
  onRefreshed(listener: (call: Call) => Promise<void>): () => void;
  /** Counts the batches of changes: while it stays the same, so does the disk as of the latest barrier. */
  generation(): number;
  /** Calls the listener with one batch per barrier (or earlier, for an unsaved text), never with an empty one. */
  onChanges(listener: (changes: readonly Change[]) => void): () => void;
  /**
   * Calls the listener soon after a kernel event that something in the roots may have changed: at most twice a second,
   * maybe without need, never where the kernel has no events. `onChanges` gets the changes at the next barrier.
   */
  onMaybeChanged(listener: () => void): () => void;
  /** Returns all files that are not ignored, as of the latest barrier. */
  files(): Iterable<string>;
  /** Returns what there is beside `files`, whether that is all, and a number that stays while no file comes or goes. */
  others(): { readonly links: Iterable<string>; readonly isWhole: boolean; readonly generation: number };
  /** Returns what manifests and configurations say about the packages of `files`. */
  packages(): Promise<Packages>;
  /** Returns files that are not read whole, ignored ones excepted, with what they are: a size, a device. */
  unfitFiles(): ReadonlyMap<string, string>;
  /**
   * Returns those of `files` that contain every word of a name, sorted by path: none is missing, and seldom one is too
   * many. `undefined` if the name contains no word. Binary and very large files count as empty.
   */
  mentioning(name: string, call: Call): Promise<readonly string[] | undefined>;
  /** Like `mentioning`, but the words may be parts of longer ones, and case does not matter. */
  containing(name: string, call: Call): Promise<readonly string[] | undefined>;
  /** Returns words of the texts of `files` that resemble a name which none of them mentions, the likeliest first. */
  resembling(name: string, call: Call): Promise<readonly string[]>;
  close(): Promise<void>;
}
