import type { Doubt } from '../core/doubts.ts';

/** What is or will be at a path. */
export type Content =
  | {
      readonly kind: 'file';
      readonly bytes: Buffer;
      /** SHA-256 of the bytes, in hexadecimal digits, as `Document.hash`. */
      readonly hash: string;
      /** The permission bits. */
      readonly mode: number;
    }
  | { readonly kind: 'link'; readonly target: string };

/** One thing that is done to the tree. Paths are real paths but for their last name, which may be a link. */
export type Operation =
  /** Makes a file or link, or replaces a file by another content; the folder is there. */
  | {
      readonly kind: 'put';
      readonly path: string;
      readonly before: Content | undefined;
      readonly after: Content;
    }
  /** Removes a file or a link. */
  | { readonly kind: 'remove'; readonly path: string; readonly before: Content }
  | { readonly kind: 'make_folder'; readonly path: string; readonly mode: number }
  /** Removes a folder that is empty by then. */
  | { readonly kind: 'remove_folder'; readonly path: string; readonly mode: number }
  /** Moves a file, a link or a whole folder to where nothing is, but for another spelling of the same name. */
  | { readonly kind: 'move'; readonly from: string; readonly to: string; readonly identity: Identity };

/** By which a thing that is moved is known again. */
export interface Identity {
  readonly kind: 'file' | 'link' | 'folder';
  readonly device: number;
  readonly inode: number;
  /** Of a file. */
  readonly hash?: string;
}

/** What a plan does to one file, as it is shown. */
export interface PlannedFile {
  readonly path: string;
  readonly change: 'edit' | 'create' | 'delete' | 'rename';
  /** Where it is afterwards, if that is elsewhere. */
  readonly newPath?: string;
  /** How many places of its text change. */
  readonly edits: number;
  /** The text before and after, without the byte order mark; nothing where there is none, or it is no text. */
  readonly before?: string;
  readonly after?: string;
  readonly hashBefore?: string;
  readonly hashAfter?: string;
  /** Other names of the file keep the old content: it is hard-linked. */
  readonly linkBroken?: true;
}

/** A checked change: exactly what would be done, and on which state of the disk. */
export interface Plan {
  readonly id: string;
  /** What it is for, as a phrase: `rename total to sum`. */
  readonly title: string;
  /** The roots that it touches, in order. */
  readonly roots: readonly string[];
  /** In the order of their paths. A whole folder that moves is one entry, beside those of its files whose text changes. */
  readonly files: readonly PlannedFile[];
  readonly operations: readonly Operation[];
  /** Paths that decide what is run; the call that made the plan named each of them. */
  readonly protectedPaths: readonly string[];
  /** What must be seen in a preview before it is done. */
  readonly confirm: readonly string[];
  /** Why it may leave something undone that belongs to it: it is not carried out unless the caller accepts that. */
  readonly doubts?: readonly Doubt[];
  /** The edit that this takes back. */
  readonly undoes?: string;
}

/** A plan that was carried out. */
export interface Edit {
  readonly id: string;
  readonly title: string;
  readonly roots: readonly string[];
  readonly files: readonly Omit<PlannedFile, 'before' | 'after'>[];
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly undoes?: string;
  readonly undoneBy?: string;
  /** What could not be tidied up though the edit is on the disk. */
  readonly warning?: string;
}
