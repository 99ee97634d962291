import { z } from 'zod';
import type { Call } from '../../core/call.ts';
import { asLspanError } from '../../core/errors.ts';
import type { Sighting } from '../../core/problem-delta.ts';
import { type Severity, severities } from '../../core/problems.ts';
import type { Plan, PlannedFile } from '../../edits/plan.ts';
import type { ToolContext } from '../run/tool.ts';
import { comparison } from './change-data.ts';
import { scopeOf } from './change-scope.ts';
import { previewDelta } from './diagnostics-delta.ts';
import { readReplacements } from './replacements.ts';
import { toComparison } from './show-change.ts';

/** A change that is only tried. */
export interface EditCandidate {
  readonly id: string;
  readonly edits: Parameters<typeof readReplacements>[1];
}

/** Tries one candidate in the servers' memory. If it cannot be made or checked, the answer says why. */
export function checkCandidate(
  context: ToolContext,
  { id, edits }: EditCandidate,
  least: Severity,
  call: Call,
): Promise<Checked> {
  const checking = readReplacements(context, edits).then((proposal) =>
    check(context, context.edits.plan(proposal, { title: `check ${id}`, tried: true }), least, call),
  );
  return checking.then(
    (checked) => ({ id, ...checked }),
    (thrown: unknown) => {
      const { code, message, nextStep } = asLspanError(thrown);
      if (code === 'internal' || code === 'cancelled') throw thrown;
      return { id, error: { code, message, ...(nextStep === undefined ? {} : { next_step: nextStep }) } };
    },
  );
}

async function check(
  context: ToolContext,
  plan: Plan,
  least: Severity,
  call: Call,
): Promise<Omit<Checked, 'id'>> {
  const delta = await previewDelta(context, plan, await scopeOf(context, plan, undefined, call), call);
  const isWanted = ({ problem }: Sighting) =>
    severities.indexOf(problem.severity) <= severities.indexOf(least);
  const wanted = {
    ...delta,
    introduced: delta.introduced.filter(isWanted),
    fixed: delta.fixed.filter(isWanted),
  };
  return {
    ...toComparison(context, wanted),
    files: plan.files.map(({ path }) => context.workspace.show(path)),
    size: plan.files.reduce((sum, file) => sum + sizeOf(file), 0),
  };
}

/** Counts the characters between the common beginning and the common end of both texts. */
function sizeOf({ before = '', after = '' }: PlannedFile): number {
  const most = Math.min(before.length, after.length);
  let [start, end] = [0, 0];
  while (start < most && before[start] === after[start]) start += 1;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return before.length + after.length - 2 * (start + end);
}

export type Checked = z.output<typeof checked>;

/** The result for a candidate: the problems that it would introduce and fix, or why it cannot be made. */
export const checked = z.object({
  id: z.string(),
  ...comparison.shape,
  files: z.array(z.string()).optional(),
  /** The number of characters that it removes and adds. */
  size: z.int().optional(),
  error: z.object({ code: z.string(), message: z.string(), next_step: z.string().optional() }).optional(),
});
