import type { Doubt } from '../core/doubts.ts';

/** The content that is or will be at a path. */
export type Content =
  | {
      readonly kind: 'file';
      readonly bytes: Buffer;
      /** SHA-256 of the bytes in hexadecimal digits, like `Document.hash`. */
      readonly hash: string;
      /** The permission bits. */
      readonly mode: number;
    }
  | { readonly kind: 'link'; readonly target: string };

/** One change to the tree. Paths are real paths, except that the last name may be a link. */
export type Operation =
  /** Creates a file or link, or replaces the content of a file; the folder exists. */
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
  /** Moves a file, a link or a whole folder to a free name, or to another spelling of its own name. */
  | { readonly kind: 'move'; readonly from: string; readonly to: string; readonly identity: Identity };

/** Identifies a moved entry. */
export interface Identity {
  readonly kind: 'file' | 'link' | 'folder';
  readonly device: number;
  readonly inode: number;
  /** Only for a file. */
  readonly hash?: string;
}

/** The change of a plan to one file, as shown. */
export interface PlannedFile {
  readonly path: string;
  readonly change: 'edit' | 'create' | 'delete' | 'rename';
  /** The path afterwards, if it changes. */
  readonly newPath?: string;
  /** The number of places of its text that change. */
  readonly edits: number;
  /** The text before and after, without the byte order mark; absent if there is no file, or it is not text. */
  readonly before?: string;
  readonly after?: string;
  readonly hashBefore?: string;
  readonly hashAfter?: string;
  /** The file is hard-linked, and its other names keep the old content. */
  readonly linkBroken?: true;
}

/** A checked change: exactly what would be done, and to which state of the disk. */
export interface Plan {
  readonly id: string;
  /** Its purpose as a phrase: `rename total to sum`. */
  readonly title: string;
  /** The roots that it changes, in order. */
  readonly roots: readonly string[];
  /** Sorted by path. A folder that moves is one entry, besides entries for those of its files whose text changes. */
  readonly files: readonly PlannedFile[];
  readonly operations: readonly Operation[];
  /** Paths that decide which programs run; the call that made the plan named each of them. */
  readonly protectedPaths: readonly string[];
  /** Notes that must be shown in a preview before the plan is applied. */
  readonly confirm: readonly string[];
  /** Why the plan may be incomplete: it is only applied if the caller accepts that. */
  readonly doubts?: readonly Doubt[];
  /** The edit that this plan undoes. */
  readonly undoes?: string;
}

/** A plan that was applied. */
export interface Edit {
  readonly id: string;
  readonly title: string;
  readonly roots: readonly string[];
  readonly files: readonly Omit<PlannedFile, 'before' | 'after'>[];
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly undoes?: string;
  readonly undoneBy?: string;
  /** A clean-up that failed, though the edit is on the disk. */
  readonly warning?: string;
}
