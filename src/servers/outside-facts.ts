/** Where software is installed. */
export interface InstalledFolders {
  readonly folders: readonly string[];
  /** The source of a regular expression for paths of packages, wherever they are. */
  readonly pattern: string;
  /** Files and folders with credentials in them. */
  readonly except: readonly string[];
}

/** A server that runs elsewhere, at the far end of a command. */
export interface FarServer {
  /** Folders here and what they are there; the roots are the same on both sides if there are none. */
  readonly paths: readonly { readonly near: string; readonly far: string }[];
  /** False if its files are copies, which change at another time than those here. */
  readonly isShared: boolean;
}

/** How a server tells, on a socket of its own, of which files its programs consist. */
export interface ProgramFiles {
  /** The request whose answer names the socket. */
  readonly socketBy: string;
  readonly socketOf: (answer: unknown) => string | undefined;
  /** Begins a conversation on the socket; returns a function that lists the files of programs that are new or changed. */
  readonly open: (
    ask: (method: string, params: unknown) => Promise<unknown>,
  ) => Promise<() => Promise<readonly string[]>>;
}
