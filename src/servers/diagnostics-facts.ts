/** States whether a server could check a file at all. */
export interface FileVerdict {
  readonly uri: string;
  /** The reason why it could not, as the end of a sentence. */
  readonly failure?: string;
  /** True if it may be able to as soon as it is sent the file again. */
  readonly mayPass?: true;
}

/** How the server checks files, and what its published diagnostics mean. */
export interface DiagnosticsFacts {
  /** Reads a message that says whether it could check a file, if an empty list of diagnostics does not. */
  readonly verdict?: (method: string, params: unknown) => FileVerdict | undefined;
  /** Returns whether published diagnostics only withdraw the last ones, regardless of the current text. */
  readonly isRetraction?: (params: unknown) => boolean;
  /** It names the version of an open document: diagnostics without one are about the file before it was opened. */
  readonly tellsVersions?: true;
  /**
   * The title of the progresses that last until it has published all that it finds in what it was sent. It begins one
   * before it reads what it is sent. No `g` flag.
   */
  readonly checking?: RegExp;
  /** With several workspace folders, an empty list for a file may come from a folder that it does not belong to. */
  readonly mixesFolders?: {
    /** A command that only versions without this fault announce. */
    readonly unlessCommand: string;
    readonly doubt: string;
  };
  /** Diagnostics that say that an imported package is missing, by their codes; the first group of a match is its name. */
  readonly missingPackages?: Readonly<Record<string, RegExp>>;
  /** The diagnostics of a file depend on that file alone: a change elsewhere does not outdate them. */
  readonly checksFilesAlone?: boolean;
  /** Milliseconds to wait for more after it publishes diagnostics, if it does so in several steps. */
  readonly quiet?: number;
  /** Returns whether what it finds in a file before it has loaded the project is what it finds afterwards too. */
  readonly beforeReady?: (diagnostics: readonly unknown[]) => boolean;
  /** It publishes what is wrong with the configuration of a project, or that nothing is, when a file of it is opened. */
  readonly publishesProjects?: true;
  /** Confirms that a file is checked, for a server that publishes before, and may take long for the rest. */
  readonly checkCommand?: CheckCommand;
}

/** A command that the server answers only after it has checked the current text of a file. */
export interface CheckCommand {
  readonly command: string;
  readonly arguments: (path: string) => readonly unknown[];
  /** The arguments for the other kinds of problems, which together with the first and the last step are all. */
  readonly others: readonly ((path: string) => readonly unknown[])[];
  /** Returns whether an answer confirms the check; a server may also answer that it could not. */
  readonly proves: (answer: unknown) => boolean;
  /** Returns whether an answer says that nothing was found; the server may then publish no empty list. */
  readonly foundNothing: (answer: unknown) => boolean;
  /**
   * Reads an answer about a file that need not be open, if its project is loaded, as diagnostics of LSP; `undefined` if
   * the file was not checked. The answers for all kinds of problems together are all of them.
   */
  readonly diagnosticsOf?: (answer: unknown) => readonly unknown[] | undefined;
  /** Asks for what the last step of a check finds, if the server publishes that some time after the rest. */
  readonly last?: LastStep;
}

/** The last step of a check, whose diagnostics are published after the others. */
interface LastStep {
  readonly arguments: (path: string) => readonly unknown[];
  /** Returns whether published diagnostics include what an answer says was found. */
  readonly isPublished: (answer: unknown, published: readonly unknown[]) => boolean;
}
