import { z } from 'zod';
import { type Call, cancelSignalOf, timeLeft } from '../../core/call.ts';
import { uniqueDoubts } from '../../core/doubts.ts';
import { asLspanError, LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { previewOrApplyPlan } from '../change/change.ts';
import { type ChangeData, change } from '../change/change-data.ts';
import { renderChange, shortenChange } from '../change/render-change.ts';
import { estimateTokens } from '../run/budget.ts';
import { maxTokens } from '../run/paging-fields.ts';
import { fail } from '../run/render-error.ts';
import { runTool } from '../run/run-tool.ts';
import type { Outcome, Result, RunOptions, Tool, ToolContext, ToolParts } from '../run/tool.ts';
import { plural } from '../show/render-location.ts';
import { AtomicBatch } from './atomic-batch.ts';
import { fitResults } from './batch-budget.ts';
import { type BatchOperation, batchName, operations, readOperations } from './batch-operations.ts';
import { type AnsweredOperation, runOperations } from './run-operations.ts';

const input = z.strictObject({
  operations: operations.describe('`id` defaults to the number, from 1'),
  parallel: z.boolean().default(false),
  atomic: z.boolean().default(false),
  stop_on_error: z.boolean().optional().describe('Default true, with parallel false'),
  dry_run: z.boolean().default(true),
  check: z.boolean().default(true),
  max_tokens: maxTokens,
});

type Input = z.output<typeof input>;

const result = z.object({
  id: z.string(),
  tool: z.string(),
  ok: z.boolean(),
  /** Why it was not run. */
  skipped: z.string().optional(),
  /** Absent if the data is shown instead, which says the same. */
  text: z.string().optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  error: z.unknown().optional(),
});

const output = z.object({
  done: z.int(),
  failed: z.int(),
  skipped: z.int(),
  /** Present if nothing was written, since the batch is atomic and not all of it could be done. */
  unwritten: z.literal(true).optional(),
  /** For an atomic batch: the one change that all operations make. */
  plan: change.shape.plan,
  edit: change.shape.edit,
  /** The ids of operations whose answers were shortened. */
  cut: z.array(z.string()).optional(),
  results: z.array(result),
});

type Batch = z.output<typeof output>;

type BatchResult = z.output<typeof result>;

/** Makes the tool that runs several of these tools in one call. */
export function batchExecute(tools: readonly Tool[]): Tool {
  const about = {
    name: batchName,
    title: 'Run several tools',
    toolset: 'batch' as const,
    listed: false,
    description:
      'Runs up to 50 tools in one call. `atomic` joins all changes into one plan, applied completely or not at all; each operation sees the changes of earlier ones. `parallel` runs read-only tools together.',
    input,
    output,
    effects: 'as_given' as const,
    prose: ['text', ...new Set(tools.flatMap(({ prose = [] }) => prose))],
  };
  return {
    ...about,
    run: (context, given, options) =>
      runTool({ ...about, ...partsOf(tools, options) }, context, given, options),
  };
}

type Parts = ToolParts<typeof input, Batch>;

/** Returns how a batch is answered and rendered; its operations run with the options of its caller. */
function partsOf(
  tools: readonly Tool[],
  options: RunOptions,
): Pick<Parts, 'answer' | 'render' | 'count' | 'shorten'> {
  let texts: readonly string[] = [];
  let kind = { atomic: false, dry_run: true };
  return {
    async answer(context, given, call) {
      kind = given;
      const read = readOperations(given.operations, tools, { ...given, readOnly: context.readOnly });
      refuseBoth(given, read);
      const { answered, joint } = await execute(context, read, given, options, call);
      const otherTokens = estimateTokens(renderChange(joint.data));
      const budget = { maxTokens: given.max_tokens ?? options.maxTokens, shown: options.shown, otherTokens };
      const { fitted, cut } = fitResults(answered, budget);
      texts = fitted.map((one) => ('outcome' in one ? one.outcome.text : ''));
      const data = {
        ...joint.data,
        ...countOutcomes(fitted, given),
        ...(cut.length > 0 ? { cut: [...cut] } : {}),
        results: fitted.map((one) => toResult(one, options.shown)),
      };
      const own = fitted.flatMap((one) => ('outcome' in one ? (one.outcome.doubts ?? []) : []));
      return { data, doubts: uniqueDoubts([...joint.doubts, ...own]) };
    },
    render: (batch) => renderBatch(batch, texts, kind),
    count: ({ results }) => results.length,
    shorten: shortenChange,
  };
}

interface Executed {
  readonly answered: readonly AnsweredOperation[];
  /** The change that an atomic batch makes. */
  readonly joint: Result<Pick<ChangeData, 'plan' | 'edit'>>;
}

async function execute(
  context: ToolContext,
  read: readonly BatchOperation[],
  given: Input,
  options: RunOptions,
  call: Call,
): Promise<Executed> {
  const { atomic, parallel, dry_run, check, stop_on_error = !parallel } = given;
  const batch = atomic ? new AtomicBatch(context) : undefined;
  const run = async (operation: BatchOperation): Promise<Outcome> => {
    const runIn = (own: ToolContext) => runOne(own, operation, read, options, call);
    if (!batch) return runIn(context);
    return batch.within(call, runIn).catch((thrown: unknown) => fail(asLspanError(thrown)));
  };
  const answered = await runOperations(read, { parallel, dry_run, stop_on_error }, run, call);
  throwIfElsewhere(context, answered);
  const nothing = { data: {}, doubts: [] };
  if (!batch || !answered.every(isDone)) return { answered, joint: nothing };
  call.report('combining the changes');
  // Each operation accepted its doubts, or it would have failed.
  const applying = { dry_run, check, allow_incomplete: true };
  return { answered, joint: await previewOrApplyPlan(context, batch.plan(), applying, call) };
}

function runOne(
  context: ToolContext,
  { id, tool, args }: BatchOperation,
  all: readonly BatchOperation[],
  options: RunOptions,
  call: Call,
): Promise<Outcome> {
  const name = JSON.stringify(id);
  const number = all.findIndex((one) => one.id === id) + 1;
  call.report(`operation ${name}, ${number} of ${all.length}: ${tool.name}`);
  const left = timeLeft(call);
  return tool.run(context, args, {
    ...options,
    // Leaves enough time to make the answer.
    deadline: Math.max(1, left - Math.min(limits.change.margin, left * limits.batch.margin)),
    report: (message) => call.report(`operation ${name}: ${message}`),
    signal: cancelSignalOf(call),
  });
}

/** Fails as a whole if nothing was done because all that was tried is about another worktree, where it is then run. */
function throwIfElsewhere({ workspace }: ToolContext, answered: readonly AnsweredOperation[]): void {
  const errors = answered.flatMap((one) => ('outcome' in one ? [one.outcome.error] : []));
  const [first] = errors;
  if (first === undefined || errors.some((error) => error?.outside === undefined)) return;
  if (first.outside !== undefined && workspace.otherWorktree(first.outside) !== undefined) throw first;
}

function isDone(one: AnsweredOperation): boolean {
  return 'outcome' in one && !one.outcome.isError;
}

function countOutcomes(
  answered: readonly AnsweredOperation[],
  { atomic }: Input,
): Omit<Batch, 'results' | 'plan' | 'edit'> {
  const done = answered.filter(isDone).length;
  const skipped = answered.filter((one) => 'skipped' in one).length;
  const isWhole = done === answered.length;
  const counts = { done, failed: answered.length - done - skipped, skipped };
  return atomic && !isWhole ? { ...counts, unwritten: true } : counts;
}

function toResult(one: AnsweredOperation, shown: RunOptions['shown']): BatchResult {
  const named = { id: one.id, tool: one.tool.name, ok: isDone(one) };
  if ('skipped' in one) return { ...named, skipped: one.skipped };
  const { text, data, isError } = one.outcome;
  const result = shown === 'text' ? { ...named, text } : named;
  return isError ? { ...result, error: data.error } : { ...result, data: { ...data } };
}

/** Refuses both together instead of ignoring one: a caller that wants both expects the impossible. */
function refuseBoth({ atomic, parallel }: Input, read: readonly BatchOperation[]): void {
  if (!atomic || !parallel || !read.some(({ tool }) => tool.effects === 'files')) return;
  throw new LspanError(
    'invalid_input',
    'Nothing was done. Operations that change files cannot be both `atomic` and `parallel`: each builds on earlier ones.',
    { nextStep: 'Omit one of the two.' },
  );
}

interface BatchKind {
  readonly atomic: boolean;
  readonly dry_run: boolean;
}

/** Renders a batch with the texts of its operations: the outcome, the one change if it is atomic, then each operation. */
function renderBatch(batch: Batch, texts: readonly string[], kind: BatchKind): string {
  const { results, plan, edit, cut = [] } = batch;
  const joint = (plan ?? edit) ? [renderChange(batch)] : [];
  const blocks = results.map((one, index) => renderBlock(one, texts[index] ?? ''));
  const shortened = cut.length === 0 ? [] : [`Shortened to fit: ${cut.map(quote).join(', ')}. ${alone}`];
  return [renderHead(batch, kind), ...joint, ...blocks, ...shortened].join('\n');
}

function renderHead(
  { done, failed, skipped, results, plan, edit, unwritten }: Batch,
  kind: BatchKind,
): string {
  const states = `${done} done, ${failed} failed, ${skipped} skipped`;
  const counts = `${plural('operation', results.length)}: ${states}.`;
  if (unwritten) return `${counts} Nothing was written: the batch is atomic, and part of it failed.`;
  if (kind.atomic) return plan || edit ? counts : `${counts} Nothing to change.`;
  const isPreviewed = kind.dry_run && results.some(({ data }) => data && 'plan' in data);
  return isPreviewed ? `${counts} ${eachAlone}` : counts;
}

const eachAlone = 'Each change is previewed without the earlier ones: `atomic: true` joins them.';

const alone = 'Call such a tool alone, or raise max_tokens.';

function quote(id: string): string {
  return JSON.stringify(id);
}

/** Indents the text, so that no text of a file can pass for the head of another block. */
function renderBlock({ id, tool, ok, skipped }: BatchResult, text: string): string {
  const state = skipped === undefined ? (ok ? 'ok' : 'failed') : `skipped, since ${skipped}`;
  const head = `${quote(id)} ${tool}: ${state}`;
  return text === '' ? head : [head, ...text.split('\n').map((line) => `  ${line}`)].join('\n');
}
