// Generated: UPDATE_GOLDEN=1 npx vitest run test/library/from-schemas.test.ts
import type { AppliedEdit, ChangePlan, ChangeStep, Told } from './shapes.ts';

/**
 * Arguments of `rename_file`. Rename or move a file or folder, and update imports. Paths that no server
 * changes are listed as uncovered.
 */
export interface RenameFileArgs {
  readonly old_path: string;
  /** If a folder, or ending in `/`: moves into it. */
  readonly new_path: string;
  readonly allow_incomplete?: boolean | undefined;
  /** Default: `true`. */
  readonly dry_run?: boolean | undefined;
  /** Compare problems. Default: `true`. */
  readonly check?: boolean | undefined;
  readonly allow_protected?: readonly string[] | undefined;
  readonly max_tokens?: number | undefined;
}

/** Data that `rename_file` returns. */
export interface RenameFileData extends Told {
  readonly plan?: ChangePlan;
  readonly edit?: AppliedEdit;
  readonly step?: ChangeStep;
  readonly uncovered?: ReadonlyArray<{
    readonly file_path: string;
    readonly line: number;
    readonly character: number;
    readonly text?: string;
    readonly certainty: 'server' | 'text';
  }>;
  readonly uncovered_count?: number;
}

/**
 * Arguments of `create_file`. Create a file with its folders. An existing file is refused unless
 * `overwrite`.
 */
export interface CreateFileArgs {
  readonly file_path: string;
  readonly content: string;
  /** Default: `false`. */
  readonly overwrite?: boolean | undefined;
  /** Default: `true`. */
  readonly dry_run?: boolean | undefined;
  /** Compare problems. Default: `true`. */
  readonly check?: boolean | undefined;
  readonly allow_protected?: readonly string[] | undefined;
  readonly max_tokens?: number | undefined;
}

/** Data that `create_file` returns. */
export interface CreateFileData extends Told {
  readonly plan?: ChangePlan;
  readonly edit?: AppliedEdit;
  readonly step?: ChangeStep;
}

/**
 * Arguments of `delete_file`. Delete a file, or a folder with `recursive`. Refused while other files refer
 * to it, unless `force`.
 */
export interface DeleteFileArgs {
  readonly file_path: string;
  /** Default: `false`. */
  readonly recursive?: boolean | undefined;
  /** Default: `false`. */
  readonly force?: boolean | undefined;
  /** Default: `true`. */
  readonly dry_run?: boolean | undefined;
  /** Compare problems. Default: `true`. */
  readonly check?: boolean | undefined;
  readonly allow_protected?: readonly string[] | undefined;
  readonly max_tokens?: number | undefined;
}

/** Data that `delete_file` returns. */
export interface DeleteFileData extends Told {
  readonly plan?: ChangePlan;
  readonly edit?: AppliedEdit;
  readonly step?: ChangeStep;
}
