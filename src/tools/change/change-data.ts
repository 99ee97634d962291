import { z } from 'zod';
import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import type { FileMove } from '../../core/question.ts';
import { maxTokens } from '../run/paging-fields.ts';
import { counts, diagnostic } from '../show/diagnostic.ts';
import { filePath } from '../target/target-fields.ts';

const file = z.object({
  file_path: z.string(),
  change: z.enum(['edit', 'create', 'delete', 'rename']),
  new_path: z.string().optional(),
  edits: z.int(),
  /** Other names of the file keep the old content. */
  link_broken: z.literal(true).optional(),
});

/** Fields of every tool that writes. */
export const changeFields = {
  dry_run: z.boolean().default(true),
  check: z.boolean().default(true).describe('Compare problems'),
  allow_protected: z.array(filePath).max(limits.input.files).optional(),
  max_tokens: maxTokens,
};

/** The problems before and after; absent if they were not to be compared. */
export const comparison = z.object({
  introduced: z.array(diagnostic).optional(),
  /** Counts all that was introduced, listed or not. */
  introduced_counts: counts.optional(),
  fixed: z.array(diagnostic).optional(),
  fixed_count: z.int().optional(),
  /** True if the comparison is certain for all files. */
  settled: z.boolean().optional(),
  not_settled: z.array(z.string()).optional(),
  unsettled_because: z.array(z.string()).optional(),
});

/** Output of every tool that writes: a plan or a completed edit; neither if nothing has to change. */
export const change = z.object({
  plan: z
    .object({ plan_id: z.string(), title: z.string(), files: z.array(file), diff: z.string() })
    .extend({
      confirm: z.array(z.string()).optional(),
      incomplete: z.literal(true).optional(),
      ...comparison.shape,
    })
    .optional(),
  edit: z
    .object({ edit_id: z.string(), title: z.string(), files: z.array(file) })
    .extend({ undoes: z.string().optional(), warning: z.string().optional(), ...comparison.shape })
    .optional(),
  /** Part of the one plan of a batch, which has the diff and the problems. */
  step: z.object({ title: z.string(), files: z.array(file) }).optional(),
});

export type ChangeData = z.output<typeof change>;

export type Comparison = z.output<typeof comparison>;

/** How a plan is to be applied. */
export interface ApplyOptions {
  readonly dry_run: boolean;
  readonly check: boolean;
  /** Apply the plan even if it may leave something undone. */
  readonly allow_incomplete?: boolean | undefined;
  /** Files that are compared besides those that name what is touched: known users of it. With `none`, no other file is. */
  readonly dependents?: readonly string[] | 'none';
  /** Moved files to report to the servers. Default: those of the plan. */
  readonly moves?: readonly FileMove[];
}

/** How a proposal is to be planned and applied. */
export interface ChangeRequest extends ApplyOptions {
  /** The purpose, as a phrase: `rename total to sum`. */
  readonly title: string;
  readonly allow_protected?: readonly string[] | undefined;
  /** Why the proposal may leave something undone. */
  readonly doubts?: readonly Doubt[];
}
