import type { Doubt } from '../../core/doubts.ts';

/** `ok`: it works. `warning`: it works with a restriction. `error`: it does not work, and the exit code says so. */
export type FindingLevel = 'ok' | 'warning' | 'error';

/** What was examined. */
export type FindingArea =
  | 'workspace'
  | 'server'
  | 'configuration'
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
