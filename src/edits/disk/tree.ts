/** The entry at a path, links not followed. */
export interface Entry {
  readonly kind: 'file' | 'link' | 'folder' | 'other';
  /** The permission bits. */
  readonly mode: number;
  readonly owner: number;
  readonly group: number;
  readonly device: number;
  readonly inode: number;
  /** The number of its hard links. */
  readonly names: number;
  readonly size: number;
  /** True if this process may write to the file, or make and remove names in the folder. */
  readonly writable: boolean;
}

/** The tree as the engine reads it: by real paths, and never through a folder that was swapped for a link. */
export interface Tree {
  look(path: string): Entry | undefined;
  /** Returns the bytes of a file. Throws `limit_exceeded` if there are more than `most`. */
  read(path: string, most: number): Buffer;
  readLink(path: string): string;
  /** Returns the sorted names in a folder. */
  list(folder: string): readonly string[];
}
