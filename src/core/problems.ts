import type { Range } from './position.ts';

/** Severities, the worst first. */
export const severities = ['error', 'warning', 'information', 'hint'] as const;

/** Severity of a problem. */
export type Severity = (typeof severities)[number];

/** One problem that a language server reports. */
export interface Problem {
  readonly range: Range;
  readonly severity: Severity;
  readonly message: string;
  readonly code?: string;
  readonly source?: string;
  readonly server: string;
  /** The package that is not installed, if that is the problem. */
  readonly missingPackage?: string;
}

/** How current a file's problems are: have its servers reported on its current text? */
export type Freshness = 'fresh' | 'pending' | 'stale' | 'unavailable';

/** The problems of one file, and how reliable they are. */
export interface FileProblems {
  readonly path: string;
  readonly state: Freshness;
  readonly problems: readonly Problem[];
  /** Servers that have checked the current text. */
  readonly heard?: readonly string[];
  /** Servers that are not known to have checked the current text. */
  readonly unheard: readonly string[];
  /** Those of `unheard` that reported nothing and would not if asked again. */
  readonly mute?: readonly string[];
  /** The file was not asked about: a server reported it with another file. */
  readonly related?: true;
}

/** The problems of the workspace, as far as servers check files without being asked about them. */
export interface WorkspaceProblems {
  readonly files: readonly FileProblems[];
  /** Every file with a server was checked, so that a file that is not listed has no problems. */
  readonly whole: boolean;
  /** Files that were to be checked and were not, as far as they are known. */
  readonly unchecked?: number;
  /** Files that belong to no project of their language, which its compiler leaves out too. */
  readonly outside?: number;
}
