import type { ReadySignal, Service } from '../servers/definition.ts';

/** A language server as a program describes it: one that lspan knows, with changes, or another. */
export interface GivenServer {
  /** The name of one that lspan knows, whose definition this changes; else any, that of the program when absent. */
  readonly id?: string;
  /** The program, by its name in `PATH` or its absolute path outside the workspace, and its arguments. */
  readonly command?: readonly string[];
  /** Arguments in place of those that lspan gives, or after those of `command`. */
  readonly args?: readonly string[];
  /** The files that it serves, by extension or whole name, or a table from these to LSP language ids. */
  readonly extensions?: readonly string[] | Readonly<Record<string, string>>;
  /** The LSP language id of all its files; by extension when absent. */
  readonly languageId?: string;
  /** Environment variables beside those that are passed on. */
  readonly env?: Readonly<Record<string, string>>;
  /** Options of `initialize`, merged over those that lspan gives. */
  readonly initializationOptions?: unknown;
  /** Answers to `workspace/configuration`, merged over those that lspan gives. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Capabilities that the server is told of its client, merged over those that lspan has. */
  readonly clientCapabilities?: Readonly<Record<string, unknown>>;
  /** How it tells that it has loaded the project; `unknown` when absent: that nothing is found is then always doubtful. */
  readonly ready?: 'immediate' | 'unknown' | ReadySignal;
  /** The questions that it is asked; all that it can answer when absent. */
  readonly answers?: readonly Service[];
  /** Milliseconds that it may take to initialize. */
  readonly initializeTimeout?: number;
  /** Milliseconds that it may take for a question. */
  readonly timeouts?: Partial<Record<Service, number>>;
}

/** A language server by the name under which lspan knows it (`docs/servers.md` lists all), or described. */
export type ServerChoice = string | GivenServer;
