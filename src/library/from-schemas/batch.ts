// Generated: UPDATE_GOLDEN=1 npx vitest run test/library/from-schemas.test.ts
import type { AppliedEdit, ChangePlan, Told } from './shapes.ts';

/**
 * Arguments of `batch_execute`. Runs up to 50 tools in one call. `atomic` joins all changes into one plan,
 * applied completely or not at all; each operation sees the changes of earlier ones. `parallel` runs
 * read-only tools together.
 */
export interface BatchExecuteArgs {
  /** `id` defaults to the number, from 1. */
  readonly operations: ReadonlyArray<{
    readonly id?: string | undefined;
    readonly tool: string;
    /** Default: `{}`. */
    readonly args?: Readonly<Record<string, unknown>> | undefined;
  }>;
  /** Default: `false`. */
  readonly parallel?: boolean | undefined;
  /** Default: `false`. */
  readonly atomic?: boolean | undefined;
  /** Default true, with parallel false. */
  readonly stop_on_error?: boolean | undefined;
  /** Default: `true`. */
  readonly dry_run?: boolean | undefined;
  /** Default: `true`. */
  readonly check?: boolean | undefined;
  readonly max_tokens?: number | undefined;
}

/** Data that `batch_execute` returns. */
export interface BatchExecuteData extends Told {
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
  readonly unwritten?: true;
  readonly plan?: ChangePlan;
  readonly edit?: AppliedEdit;
  readonly cut?: readonly string[];
  readonly results: ReadonlyArray<{
    readonly id: string;
    readonly tool: string;
    readonly ok: boolean;
    readonly skipped?: string;
    readonly text?: string;
    readonly data?: Readonly<Record<string, unknown>>;
    readonly error?: unknown;
  }>;
}
