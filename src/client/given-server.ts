import type { ConfineMode, ReadySignal, Service } from '../servers/definition.ts';

/** A language server that a program describes: a new one, or changes to one that lspan knows. */
export interface GivenServer {
  /** Id of a known server, whose definition this changes, or any other id. Default: the name of the program. */
  readonly id?: string;
  /** Program (a name in `PATH`, or an absolute path outside the workspace) and arguments. */
  readonly command?: readonly string[];
  /** Arguments that replace lspan's own, or follow those of `command`. */
  readonly args?: readonly string[];
  /** Files that it serves, by extension or file name, or a table from these to LSP language ids. */
  readonly extensions?: readonly string[] | Readonly<Record<string, string>>;
  /** LSP language id of all its files. Default: by extension. */
  readonly languageId?: string;
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Options of `initialize`, merged over lspan's own. */
  readonly initializationOptions?: unknown;
  /** Answers to `workspace/configuration`, merged over lspan's own. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Client capabilities, merged over lspan's own. */
  readonly clientCapabilities?: Readonly<Record<string, unknown>>;
  /** How it signals that the project is loaded. Default `unknown`: an empty answer then always has a doubt. */
  readonly ready?: 'immediate' | 'unknown' | ReadySignal;
  /** Questions to ask it. Default: all that it supports. */
  readonly answers?: readonly Service[];
  /** Maximum milliseconds to initialize. */
  readonly initializeTimeout?: number;
  /** Maximum milliseconds by question. */
  readonly timeouts?: Partial<Record<Service, number>>;
  /** When it runs in a sandbox, where there is one: always, unless the user trusts the workspace, or never. */
  readonly confine?: ConfineMode;
  /** More folders that it may write to while it is confined; absolute paths. */
  readonly writableFolders?: readonly string[];
}

/** A language server: the id of a known one (listed in `docs/servers.md`), or a description. */
export type ServerChoice = string | GivenServer;
