// Generated: UPDATE_GOLDEN=1 npx vitest run test/library/from-schemas.test.ts
import type { CodeProblem, Told } from './shapes.ts';

/**
 * Arguments of `get_diagnostics`. Current errors and warnings, the worst first. Without a path: all
 * projects, changed files and their dependents first; if the time ends, the same call goes on. A path may be
 * a folder or a glob. With `since`: problems introduced and fixed since that answer.
 */
export interface GetDiagnosticsArgs {
  readonly file_path?: string | undefined;
  readonly file_paths?: readonly string[] | undefined;
  /** Default: `"hint"`. */
  readonly min_severity?: 'error' | 'warning' | 'information' | 'hint' | undefined;
  /** `since` of an earlier answer. */
  readonly since?: string | undefined;
  readonly cursor?: string | undefined;
  readonly max_tokens?: number | undefined;
}

/** Data that `get_diagnostics` returns. */
export interface GetDiagnosticsData extends Told {
  readonly scope: 'files' | 'workspace';
  readonly min_severity: 'error' | 'warning' | 'information' | 'hint';
  readonly checked: number;
  readonly affected: number;
  readonly unchecked?: number;
  readonly outside_projects?: number;
  readonly missing_packages?: readonly string[];
  readonly missing_packages_count?: number;
  readonly files: ReadonlyArray<{
    readonly file_path: string;
    readonly state: 'fresh' | 'pending' | 'stale' | 'unavailable';
    readonly problems: number;
    readonly related?: true;
    readonly unheard?: readonly string[];
  }>;
  readonly counts: Readonly<Record<string, number>>;
  readonly diagnostics?: readonly CodeProblem[];
  readonly compared?: number;
  readonly introduced?: readonly CodeProblem[];
  readonly fixed?: readonly CodeProblem[];
  readonly fixed_count?: number;
  readonly unchanged?: number;
  readonly not_compared?: readonly string[];
  readonly since?: string;
}

/**
 * Arguments of `check_edits`. Try candidate edits only in the memory of the language servers, and rank them
 * by the problems that each introduces and fixes. Writes nothing.
 */
export interface CheckEditsArgs {
  readonly candidates: ReadonlyArray<{
    readonly id: string;
    readonly edits: ReadonlyArray<{
      readonly file_path: string;
      readonly old_text: string;
      readonly new_text: string;
    }>;
  }>;
  /** Default: `"hint"`. */
  readonly min_severity?: 'error' | 'warning' | 'information' | 'hint' | undefined;
  readonly max_tokens?: number | undefined;
}

/** Data that `check_edits` returns. */
export interface CheckEditsData extends Told {
  readonly candidates: ReadonlyArray<{
    readonly id: string;
    readonly introduced?: readonly CodeProblem[];
    readonly introduced_counts?: Readonly<Record<string, number>>;
    readonly fixed?: readonly CodeProblem[];
    readonly fixed_count?: number;
    readonly settled?: boolean;
    readonly not_settled?: readonly string[];
    readonly unsettled_because?: readonly string[];
    readonly files?: readonly string[];
    readonly size?: number;
    readonly error?: {
      readonly code: string;
      readonly message: string;
      readonly next_step?: string;
    };
  }>;
}
