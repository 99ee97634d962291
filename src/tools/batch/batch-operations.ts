import { z } from 'zod';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { readValue } from '../input/read-value.ts';
import { faultsOfCall } from '../run/read-call.ts';
import type { Tool } from '../run/tool.ts';

/** One call of a batch, as it is given. */
const operation = z.strictObject({
  id: z.string().min(1).max(limits.input.id).optional(),
  tool: z.string().max(limits.input.id),
  args: z.record(z.string(), z.unknown()).default({}),
});

/** The operations of a batch. */
export const operations = z.array(operation).min(1).max(limits.batch.operations);

/** One call of a batch that can be made. */
export interface BatchOperation {
  readonly id: string;
  readonly tool: Tool;
  /** Includes what the batch sets for all. */
  readonly args: Readonly<Record<string, unknown>>;
}

/** Options that a batch sets for all of its operations. */
interface BatchOptions {
  readonly dry_run: boolean;
  readonly check: boolean;
  readonly readOnly: boolean;
}

/** Reads all operations before any is run; everything that is wrong with them is reported at once. */
export function readOperations(
  given: z.output<typeof operations>,
  tools: readonly Tool[],
  options: BatchOptions,
): readonly BatchOperation[] {
  const ids = given.map(({ id }, index) => id ?? String(index + 1));
  const twice = ids.filter((id, index) => ids.indexOf(id) < index);
  const read = given.map((one, index) => readOne(ids[index] ?? '', one, tools, options));
  const faults = [
    ...[...new Set(twice)].map((id) => `Several operations have the id ${JSON.stringify(id)}.`),
    ...read.flatMap((one) => ('fault' in one ? [one.fault] : [])),
  ];
  const operable = read.flatMap((one) => ('tool' in one ? [one] : []));
  if (faults.length > 0) throw invalid(faults, given, tools);
  const writing = operable.filter(({ tool }) => tool.effects === 'files');
  if (options.readOnly && writing.length > 0) throw readOnly(writing);
  return operable;
}

function readOne(
  id: string,
  { tool: name, args }: z.output<typeof operation>,
  tools: readonly Tool[],
  options: BatchOptions,
): BatchOperation | { readonly fault: string } {
  const fault = (what: string) => ({ fault: `${JSON.stringify(id)}: ${what}` });
  if (name === batchName) return fault('A batch cannot contain a batch.');
  const tool = tools.find((one) => one.name === name);
  if (!tool) return fault(`There is no tool ${JSON.stringify(name)}.`);
  const { dry_run, check } = options;
  const isWriting = tool.effects === 'files';
  const own = readValue(z.boolean(), args.dry_run ?? dry_run);
  const whole = isWriting ? { check, ...args, dry_run: own } : args;
  const wrong = faultsOfCall(tool.input, whole);
  if (wrong !== undefined) return fault(`${name}: ${wrong}`);
  if (isWriting && own !== dry_run) return fault(`Its \`dry_run\` is ${own}, but the batch has ${dry_run}.`);
  return { id, tool, args: whole };
}

/** The name of the tool that runs batches. */
export const batchName = 'batch_execute';

function invalid(
  faults: readonly string[],
  given: z.output<typeof operations>,
  tools: readonly Tool[],
): LspanError {
  const names = tools.map(({ name }) => name);
  const isUnknown = given.some(({ tool }) => !names.includes(tool));
  return new LspanError('invalid_input', `Nothing was done. ${faults.join(' ')}`, {
    nextStep: isUnknown ? `The tools are: ${names.join(', ')}.` : 'Correct that, and call again.',
  });
}

function readOnly(writing: readonly BatchOperation[]): LspanError {
  const named = writing.map(({ id, tool }) => `${JSON.stringify(id)} (${tool.name})`).join(', ');
  const message = `Nothing was done. lspan was started read-only, and these change files: ${named}.`;
  return new LspanError('refused', message, {
    nextStep: 'Omit them, or start lspan without --read-only.',
  });
}
