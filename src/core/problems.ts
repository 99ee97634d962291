import type { Range } from './positions.ts';

/** How bad a problem is, the worst first. */
export const severities = ['error', 'warning', 'information', 'hint'] as const;

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
}
