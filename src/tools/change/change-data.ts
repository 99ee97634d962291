import { z } from 'zod';
import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import type { FileMove } from '../../core/questions.ts';
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

/** Problems before and after; absent where nobody wanted to know. */
export const comparison = z.object({
  introduced: z.array(diagnostic).optional(),
  /** Of all that was introduced, whether listed or not. */
  introduced_counts: counts.optional(),
  fixed: z.array(diagnostic).optional(),
  fixed_count: z.int().optional(),
  /** Whether that is known for sure of all files. */
  settled: z.boolean().optional(),
  not_settled: z.array(z.string()).optional(),
  unsettled_because: z.array(z.string()).optional(),
});

/** Output of every tool that writes: what would be done, or what was; neither where nothing has to change. */
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
  /** Part of the one plan of a batch, where its diff and its problems are told. */
  step: z.object({ title: z.string(), files: z.array(file) }).optional(),
});

export type ChangeData = z.output<typeof change>;

export type Comparison = z.output<typeof comparison>;

/** What is wanted of a plan. */
export interface ApplyOptions {
  readonly dry_run: boolean;
  readonly check: boolean;
  /** Carries out what may leave something undone. */
  readonly allow_incomplete?: boolean | undefined;
  /** Files whose problems are compared though they are not touched; those that mention what is touched when absent. */
  readonly dependents?: readonly string[];
  /** Files that are moved, of which servers want to be told; those of the plan when absent. */
  readonly moves?: readonly FileMove[];
}

/** What is wanted of a proposal. */
export interface ChangeRequest extends ApplyOptions {
  /** What it is for, as a phrase: `rename total to sum`. */
  readonly title: string;
  readonly allow_protected?: readonly string[] | undefined;
  /** Why the proposal may leave something undone. */
  readonly doubts?: readonly Doubt[];
}
