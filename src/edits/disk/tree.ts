/** What stands at a path, links not followed. */
export interface Entry {
  readonly kind: 'file' | 'link' | 'folder' | 'other';
  /** The permission bits. */
  readonly mode: number;
  readonly owner: number;
  readonly group: number;
  readonly device: number;
  readonly inode: number;
  /** How many names it has. */
  readonly names: number;
  readonly size: number;
  /** Whether this process may write to it; of a folder, whether it may make and remove names in it. */
  readonly writable: boolean;
}

/** How the engine looks at the tree: by real paths, and never through a folder that was swapped for a link. */
export interface Tree {
  look(path: string): Entry | undefined;
  /** The bytes of a file. Throws `limit_exceeded` where there are more than `most`. */
  read(path: string, most: number): Buffer;
  readLink(path: string): string;
  /** The names in a folder, in order. */
  list(folder: string): readonly string[];
}
