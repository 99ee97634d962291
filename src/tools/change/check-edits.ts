import { z } from 'zod';
import { type Call, cancelSignalOf, withinPart } from '../../core/call.ts';
import { asLspanError, LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Sighting } from '../../core/problem-delta.ts';
import { type Severity, severities } from '../../core/problems.ts';
import type { Plan, PlannedFile } from '../../edits/plan.ts';
import { defineTool } from '../run/define-tool.ts';
import { maxTokens } from '../run/paging-fields.ts';
import type { ToolContext } from '../run/tool.ts';
import { plural } from '../show/render-location.ts';
import { comparison } from './change-data.ts';
import { scopeOf } from './change-scope.ts';
import { previewDelta } from './diagnostics-delta.ts';
import { renderDelta, shortenProblems } from './render-change.ts';
import { readReplacements, replacement } from './replacements.ts';
import { toComparison } from './to-change-data.ts';

/** The result for a candidate: the problems that it would introduce and fix, or why it cannot be made. */
const checked = z.object({
  id: z.string(),
  ...comparison.shape,
  files: z.array(z.string()).optional(),
  /** The number of characters that it removes and adds. */
  size: z.int().optional(),
  error: z.object({ code: z.string(), message: z.string(), next_step: z.string().optional() }).optional(),
});

/** Tries edits without making them. */
export const checkEdits = defineTool({
  name: 'check_edits',
  title: 'Check edits',
  toolset: 'quality',
  listed: false,
  description:
    'Try candidate edits only in the memory of the language servers, and rank them by the problems that each introduces and fixes. Writes nothing.',
  input: z.strictObject({
    candidates: z
      .array(
        z.strictObject({
          id: z.string().min(1).max(limits.input.id),
          edits: z.array(replacement).min(1).max(limits.input.edits),
        }),
      )
      .min(1)
      .max(limits.input.candidates),
    min_severity: z.enum(severities).default('hint'),
    max_tokens: maxTokens,
  }),
  output: z.object({ candidates: z.array(checked) }),
  effects: 'none',
  async answer(context, { candidates, min_severity }, call) {
    const ids = new Set(candidates.map(({ id }) => id));
    if (ids.size < candidates.length) throw sameId();
    const results: Checked[] = [];
    // Candidates are checked one after the other, since a server has one text of a file at a time.
    for (const [index, candidate] of candidates.entries()) {
      call.report(`checking candidate ${index + 1} of ${candidates.length}`);
      const share = 1 / (candidates.length - index);
      const one = (inner: typeof call) => checkCandidate(context, candidate, min_severity, inner);
      results.push(await withinPart(call, { share, margin: limits.change.margin }, one));
      cancelSignalOf(call).throwIfAborted();
    }
    return { data: { candidates: rankCandidates(results) }, doubts: [] };
  },
  render: ({ candidates }) =>
    [
      `${plural('candidate', candidates.length)} checked, the best first. Nothing was written.`,
      ...candidates.flatMap((one, index) => renderChecked(one, index + 1)),
    ].join('\n'),
  shorten: ({ candidates }, bytes) => ({
    candidates: candidates.map((one) => ({ ...one, ...shortenProblems(one, bytes / candidates.length) })),
  }),
});

function renderChecked({ id, error, files = [], size = 0, ...delta }: Checked, rank: number): string[] {
  const name = `${rank}. ${JSON.stringify(id)}`;
  if (error) return [`${name}: not checked. ${error.code}: ${error.message}`];
  const [head = '', ...rest] = renderDelta(delta);
  return [
    `${name}: ${head} Changes ${plural('file', files.length)}, ${plural('character', size)}.`,
    ...rest.map((line) => `   ${line}`),
  ];
}

function sameId(): LspanError {
  return new LspanError('invalid_input', 'Two candidates have the same `id`.', {
    nextStep: 'Give each its own.',
  });
}

/**
 * Orders candidates: fewest errors introduced, then fewest warnings, certain before uncertain, most problems fixed,
 * smallest change, then as given; candidates that cannot be made come last.
 */
function rankCandidates(candidates: readonly Checked[]): Checked[] {
  return candidates
    .map((one, index) => ({ one, key: [...keyOf(one), index] }))
    .sort((a, b) => compare(a.key, b.key))
    .map(({ one }) => one);
}

function keyOf({ error, introduced_counts = {}, settled, fixed_count = 0, size = 0 }: Checked): number[] {
  return [
    error ? 1 : 0,
    introduced_counts.error ?? 0,
    introduced_counts.warning ?? 0,
    settled ? 0 : 1,
    -fixed_count,
    size,
  ];
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((number, index) => number !== b[index]);
  return (a[at] ?? 0) - (b[at] ?? 0);
}

/** A change that is only tried. */
interface EditCandidate {
  readonly id: string;
  readonly edits: Parameters<typeof readReplacements>[1];
}

/** Tries one candidate in the servers' memory. If it cannot be made or checked, the answer says why. */
function checkCandidate(
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

type Checked = z.output<typeof checked>;
