import { z } from 'zod';
import type { Doubt } from '../core/doubts.ts';
import { limits } from '../core/limits.ts';
import { toLineColumn } from '../core/position.ts';
import { isRecord, list, object } from '../core/runtime/json.ts';
import { maxTokensOf } from '../tools/run/read-call.ts';
import type { Outcome, RunOptions, Tool, ToolContext } from '../tools/run/tool.ts';
import { symbolIdIn } from '../tools/target/symbol-id.ts';

/**
 * Makes a tool that only reads answer for every symbol of an ambiguous name instead of refusing it: each item has the
 * number of its candidate, from 1.
 */
export function answerEachCandidate(tool: Tool): Tool {
  const { output } = tool;
  return {
    ...tool,
    output: output instanceof z.ZodObject ? output.extend({ candidates: candidates.optional() }) : output,
    async run(context, given, options) {
      const began = performance.now();
      const refused = await tool.run(context, given, options);
      if (refused.error?.code !== 'ambiguous' || namedIn(refused).length === 0) return refused;
      const left = Math.max(1, options.deadline - (performance.now() - began));
      const question = isRecord(given) ? withoutTarget(given) : {};
      return askEach(tool, refused, { context, question, options: { ...options, deadline: left } });
    },
  };
}

const candidates = z.array(z.object({ candidate: z.int() }));

/** Returns the listed candidates that have an id; others are only counted by file. */
function namedIn({ data }: Outcome): readonly NamedCandidate[] {
  const { candidates } = isRecord(data.error) ? data.error : {};
  return list(candidates).flatMap((one) => {
    const { id, ...about } = object(one);
    const read = typeof id === 'string' ? symbolIdIn(id) : undefined;
    if (!read) return [];
    const { file: file_path, position, name: symbol_name } = read;
    return [{ id: String(id), about: { file_path, symbol_name, ...toLineColumn(position), ...about } }];
  });
}

interface NamedCandidate {
  readonly id: string;
  readonly about: Readonly<Record<string, unknown>>;
}

function withoutTarget(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !targetFields.has(name)));
}

const targetFields: ReadonlySet<string> = new Set([
  'file_path',
  'symbol_name',
  'symbol_kind',
  'line',
  'character',
]);

/** A question without its target. */
interface Asked {
  readonly context: ToolContext;
  readonly question: Readonly<Record<string, unknown>>;
  readonly options: RunOptions;
}

async function askEach(
  tool: Tool,
  refused: Outcome,
  { context, question, options }: Asked,
): Promise<Outcome> {
  const named = namedIn(refused);
  const budget = maxTokensOf(question) ?? options.maxTokens;
  const maxTokens = Math.max(limits.tokens.least, Math.floor(budget / named.length));
  const ask = ({ id }: NamedCandidate) =>
    tool.run(context, { ...question, id, max_tokens: maxTokens }, { ...options, maxTokens });
  const answers = await Promise.all(named.map(ask));
  const [first] = answers;
  // If none has an answer, the reason says more than the list of symbols.
  return first && answers.every(({ isError }) => isError) ? first : join(refused, named, answers);
}

function join(
  { error: ambiguity, data: refusal }: Outcome,
  named: readonly NamedCandidate[],
  answers: readonly Outcome[],
): Outcome {
  const parts = answers.map(({ data, isError }) => (isError ? {} : data));
  const all = ambiguity?.candidates?.length ?? 0;
  const doubts = [
    ...parts.flatMap((part) => list(part.doubts)),
    ...(all > named.length ? [notAsked(named.length)] : []),
  ];
  const data = {
    complete: doubts.length === 0 && answers.every(({ isError }) => !isError),
    doubts: [...new Map(doubts.map((doubt) => [JSON.stringify(doubt), doubt])).values()],
    total: sum(parts, 'total'),
    returned: sum(parts, 'returned'),
    adjusted: `${object(refusal.error).message} Each item has the number of its \`candidate\`.`,
    candidates: named.map((one, index) => toCandidate(one, answers[index], index + 1)),
    ...joinLists(parts),
  };
  return { text: JSON.stringify(data), data, isError: false };
}

function notAsked(asked: number): Doubt {
  return { kind: 'capped', detail: `Only the first ${asked} symbols of this name were asked about.` };
}

function toCandidate({ about }: NamedCandidate, answer: Outcome | undefined, candidate: number): object {
  const { total, next_cursor, error } = answer?.data ?? {};
  if (error !== undefined) return { candidate, ...about, error: object(error).message };
  return { candidate, ...about, total, ...(next_cursor === undefined ? {} : { next_cursor }) };
}

/** Joins the lists of answers; the root of a call is counted among all roots. */
function joinLists(parts: readonly Outcome['data'][]): Readonly<Record<string, unknown>> {
  const joined: Record<string, unknown[]> = {};
  for (const [index, part] of parts.entries()) {
    const rootsBefore = joined.roots?.length ?? 0;
    for (const [name, items] of Object.entries(part)) {
      if (!Array.isArray(items) || name === 'doubts') continue;
      const marked = items.map((item) => mark(object(item), index + 1, name === 'calls' ? rootsBefore : 0));
      joined[name] = [...(joined[name] ?? []), ...marked];
    }
  }
  return joined;
}

function mark(item: Readonly<Record<string, unknown>>, candidate: number, rootsBefore: number): object {
  if (rootsBefore === 0) return { candidate, ...item };
  const root = rootsBefore + (typeof item.root === 'number' ? item.root : 0);
  return { candidate, ...item, root };
}

function sum(parts: readonly Outcome['data'][], field: string): number {
  return parts.reduce((all, { [field]: count }) => all + (typeof count === 'number' ? count : 0), 0);
}
