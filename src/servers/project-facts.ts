import type { InstalledFolders } from './outside-facts.ts';

/** Facts about the workspace for the hooks of a definition, which access the disk in no other way. */
export interface ProjectFacts {
  readonly root: string;
  /** Returns whether a path exists, by real path. */
  readonly exists: (path: string) => boolean;
  /** Returns the names in a folder; empty if there is no such folder. */
  readonly list: (path: string) => readonly string[];
  /** Returns the names of the folders in a folder, without symbolic links; empty if it cannot be read. */
  readonly folders: (path: string) => readonly string[];
  /** Returns the text of a small file; `undefined` if it cannot be read. */
  readonly read: (path: string) => string | undefined;
  /** Like `read`, but for a file of the user's own, absolute or below the home folder: `.config/go/env`. */
  readonly readSettings: (path: string) => string | undefined;
  /** Returns the files of the workspace, as of the latest barrier. */
  readonly listing: () => FileListing;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** True if the user trusts the content of the root; only then may a server run code of the repository. */
  readonly trusted: boolean;
  /** The server runs elsewhere, where paths are others: what files here say of paths may be right there. */
  readonly isElsewhere?: boolean;
  /** Creates a folder for this root outside the workspace, fills it with `content` by relative path, and returns its path. */
  readonly cache: (name: string, content?: Readonly<Record<string, CacheEntry>>) => string;
  /** Creates a folder with a short path, as for sockets, that exists during this run of the server. */
  readonly temporary: () => string;
  /** Returns the absolute path of a program in PATH outside the workspace; `undefined` if there is none. */
  readonly programInPath: (name: string) => string | undefined;
  /** Returns where software is installed. */
  readonly installed: () => InstalledFolders;
  /** The file in which a script of lspan's lists what it let the server not read. */
  readonly unreadList: () => string;
  /** Returns the path of a file in a package of lspan's own installation. */
  readonly ownFile: (packageName: string, file: string) => string | undefined;
}

/** The files of a workspace at a time. */
export interface FileListing {
  /** All that are not ignored. */
  readonly files: Iterable<string>;
  /** Links to files and folders, and ignored files that a server asked to watch. */
  readonly links: Iterable<string>;
  /** False if there are more than are listed. */
  readonly isWhole: boolean;
  /** While it stays the same, so do the files. */
  readonly generation: number;
}

/** An entry of a cache folder: a link to an existing path, an executable program, or a text file. */
export type CacheEntry = { readonly link: string } | { readonly program: string } | { readonly text: string };
