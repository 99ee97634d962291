import type { Range } from './positions.ts';

/** How bad a problem is, the worst first. */
export const severities = ['error', 'warning', 'information', 'hint'] as const;

/** How bad a problem is. */
export type Severity = (typeof severities)[number];

/** One problem that a language server reports. */
export interface Problem {
  readonly range: Range;
  readonly severity: Severity;
  readonly message: string;
  readonly code?: string;
  readonly source?: string;
  readonly server: string;
}

/** Whether the servers of a file have spoken about its present text. */
export type Freshness = 'fresh' | 'pending' | 'stale' | 'unavailable';

/** The problems of one file and how far they can be believed. */
export interface FileProblems {
  readonly path: string;
  readonly state: Freshness;
  readonly problems: readonly Problem[];
  /** The servers that are known to have checked the present text. */
  readonly heard?: readonly string[];
  /** The servers that are not known to have checked the present text. */
  readonly unheard: readonly string[];
  /** Those of them that had their time and said nothing, and of which no more would be heard by asking again. */
  readonly mute?: readonly string[];
  /** Nobody asked about this file: a server told of it beside one that was asked about. */
  readonly related?: true;
}

/** The problems of the whole workspace, as far as servers look at files that nobody has named. */
export interface WorkspaceProblems {
  readonly files: readonly FileProblems[];
  /** Whether every file that has a server was checked: then one that is not listed has no problems. */
  readonly whole: boolean;
}
