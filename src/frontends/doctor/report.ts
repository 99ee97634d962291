import type { Doubt } from '../../core/doubts.ts';

/** `ok`: it works. `warning`: it works with a restriction. `error`: it does not work, and the exit code says so. */
export type FindingLevel = 'ok' | 'warning' | 'error';

/** What was examined. */
export type FindingArea =
  | 'workspace'
  | 'server'
  | 'configuration'
  | 'client'
  | 'daemon'
  | 'watches'
  | 'state'
  | 'edits'
  | 'cache';

/** One line of the report. */
export interface Finding {
  readonly area: FindingArea;
  /** Its name in the report. */
  readonly subject: string;
  readonly level: FindingLevel;
  readonly text: string;
  /** Further facts. */
  readonly details?: readonly string[];
  /** A command to paste, or an instruction if there is none; every error has one. */
  readonly next_step?: string;
}

/** One question of a probe. */
export interface ProbeStep {
  readonly question: 'outline' | 'definition' | 'references' | 'problems';
  /** `not_offered`: the server does not answer such questions. `skipped`: there was nothing to ask about. */
  readonly outcome: 'answered' | 'not_offered' | 'failed' | 'skipped';
  readonly ms: number;
  readonly found?: number;
  readonly error?: { readonly code: string; readonly message: string; readonly next_step?: string };
}

/** What a server answered about the user's own code. */
export interface Probe {
  readonly file_path: string;
  readonly symbol?: string;
  readonly steps: readonly ProbeStep[];
  readonly doubts: readonly Doubt[];
}

/** One server of the workspace. */
export interface ExaminedServer {
  readonly id: string;
  readonly root: string;
  /** Languages of the workspace that it serves, the most frequent first. */
  readonly languages: readonly string[];
  readonly files: number;
  readonly state: string;
  readonly command?: string;
  readonly origin?: string;
  readonly version?: string;
  readonly trust: 'not_needed' | 'granted' | 'not_granted';
  readonly confined: boolean;
  readonly memory_mb?: number;
  readonly probe?: Probe;
}

/** What the file of an agent says about lspan, or that it says nothing. */
export interface ExaminedClient {
  readonly id: string;
  readonly title: string;
  /** What shows that it is on this machine. */
  readonly found?: string;
  readonly set_up: boolean;
  readonly scope?: 'user' | 'project';
  readonly file?: string;
  /** Why the file cannot be used. */
  readonly fault?: string;
  /** The words that its entry runs. */
  readonly command?: readonly string[];
  /** What those start; `a_package` if npm decides, `unknown` for a script that may lead anywhere. */
  readonly starts?:
    | 'this'
    | 'same_build'
    | 'other_build'
    | 'a_package'
    | 'an_address'
    | 'unknown'
    | 'nothing';
  /** Absent if no hooks are known for it. */
  readonly hooks?: boolean;
  readonly hooks_ask?: 'server' | 'daemon';
  readonly hooks_file?: string;
}

/** A folder of lspan's own. */
export interface ExaminedFolder {
  readonly path: string;
  readonly exists: boolean;
  readonly writable: boolean;
  readonly free_mb?: number;
}

/** What `lspan doctor --json` prints. */
export interface DoctorReport {
  readonly lspan_version: string;
  readonly node_version: string;
  readonly platform: string;
  /** False if a finding is an error. */
  readonly ok: boolean;
  readonly workspace: {
    readonly roots: readonly string[];
    readonly files: number;
    readonly languages: readonly {
      readonly language: string;
      readonly files: number;
      /** The servers that are asked about it; empty if there is none. */
      readonly servers: readonly string[];
    }[];
  };
  readonly servers: readonly ExaminedServer[];
  readonly clients: readonly ExaminedClient[];
  readonly system: {
    readonly daemons: readonly {
      readonly pid?: number;
      readonly version?: string;
      readonly answers: boolean;
      readonly same_build: boolean;
    }[];
    readonly watches?: { readonly most: number; readonly used?: number };
    readonly state: ExaminedFolder;
    readonly cache: ExaminedFolder;
    readonly edits: { readonly undoable: number; readonly interrupted: readonly string[] };
  };
  readonly findings: readonly Finding[];
  /** What `--fix` did. */
  readonly fixed: readonly string[];
}
