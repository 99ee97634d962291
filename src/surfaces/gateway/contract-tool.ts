import type { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { isRecord } from '../../core/runtime/json.ts';
import { strictUri } from '../../tools/host/strict-uri.ts';
import { faultsOf } from '../../tools/run/read-call.ts';
import { runTool } from '../../tools/run/run-tool.ts';
import type { Outcome, RunOptions, Tool, ToolContext, ToolParts } from '../../tools/run/tool.ts';
import { plural } from '../../tools/show/render-location.ts';
import { overCap } from './check-doubts.ts';
import { failed, failure, failureIn, gatewayWords } from './failure.ts';
import { withoutForeignPaths } from './foreign-paths.ts';
import { envelope, pageEnvelope, pageSize } from './shapes.ts';

/** A tool of the contract: its input, its answer, and the list that its text counts. */
interface ContractParts<I extends z.ZodObject, O extends z.ZodObject>
  extends Pick<Tool, 'name' | 'title' | 'toolset' | 'description' | 'prose'> {
  /** Has a `cursor` if it answers in pages. */
  readonly input: I;
  readonly output: O;
  /** The noun for the items of its list, and the name of that field. */
  readonly noun: string;
  readonly list: string;
  /** The next step if the answer is too large and has no pages. */
  readonly instead?: string;
  readonly answer: ToolParts<I, z.output<O>>['answer'];
  /** Returns the answer with its text cut to so many bytes and marked; absent if a part of it is not an answer. */
  readonly shorten?: (data: Outcome['data'], bytes: number) => Outcome['data'];
}

/**
 * Offers a tool by the contract: input is read strictly, an answer is whole or a page of exactly the size that was
 * asked for, and whatever prevents that is a failure. Everything else is as with our own tools.
 */
export function contractTool<I extends z.ZodObject, O extends z.ZodObject>(parts: ContractParts<I, O>): Tool {
  const { name, title, toolset, description, prose = [], noun, list } = parts;
  const isPaged = 'cursor' in parts.input.shape;
  const input = isPaged ? parts.input.extend({ pageSize }) : parts.input;
  const output = parts.output.extend({ ...(isPaged ? pageEnvelope : {}), ...envelope });
  const described = { name, title, toolset, listed: true, description, effects: 'none', prose } as const;
  const { input: own, answer } = parts;
  const inner = { ...described, input: own, output: parts.output, answer, render: () => '' };
  const counted = isPaged ? { ...inner, count: (data: object) => listIn(data, list).length } : inner;
  return {
    ...described,
    input,
    output,
    async run(context, raw, options) {
      const given = forgiving(raw);
      const faults = faultsOf(input, given);
      if (faults !== undefined) return failed(failure('INVALID_PARAMS', faults));
      const { pageSize: size, ...asked }: Readonly<Record<string, unknown>> = input.parse(given ?? {});
      const read = typeof asked.uri === 'string' ? strictUri(asked.uri) : undefined;
      if (read && 'fault' in read) return failed(failure('URI_INVALID', read.fault));
      const page = Math.min(typeof size === 'number' ? size : limits.gateway.page, context.page);
      const outcome = await runTool(counted, { ...context, page }, { ...asked, ...read }, unbounded(options));
      if (outcome.isError) return failed(failureIn(outcome.data, isAllowedIn(context)), outcome.error);
      const cap = overCap(outcome.doubts ?? [], outcome.data.total);
      if (cap) return failed(cap);
      const result = toContractForm(outcome, context, { list, noun, page: isPaged ? page : undefined });
      const { responseBytes: most = limits.gateway.response } = context;
      return checkSize(result, most, parts.instead ?? 'Ask for a smaller pageSize.', parts.shorten);
    },
  };
}

/** Reads `null` as no cursor, and a page that is too large as the largest. */
function forgiving(given: unknown): unknown {
  if (!isRecord(given)) return given;
  const { cursor, pageSize: size, ...rest } = given;
  return {
    ...rest,
    ...(cursor === undefined || cursor === null ? {} : { cursor }),
    ...(size === undefined ? {} : { pageSize: typeof size === 'number' ? cappedSize(size) : size }),
  };
}

function cappedSize(size: number): number {
  return Math.min(size, limits.gateway.page);
}

/** Drops the token budget: pages are bounded by their items, and answers by their bytes. */
function unbounded(options: RunOptions): RunOptions {
  return { ...options, shown: 'text', maxTokens: Number.MAX_SAFE_INTEGER };
}

interface ListOptions {
  readonly list: string;
  readonly noun: string;
  /** The size of a page; `undefined` if the answer has no pages. */
  readonly page: number | undefined;
}

function toContractForm(
  { data, doubts: all = [] }: Outcome,
  context: ToolContext,
  { list, noun, page }: ListOptions,
): Outcome {
  const { complete, doubts, total, returned, next_cursor: nextCursor, adjusted, ...payload } = data;
  const count = listIn(payload, list).length;
  const more = nextCursor === undefined ? {} : { nextCursor };
  const paging = page === undefined ? {} : { total, pageSize: page, ...more };
  const hidePaths = (detail: unknown) =>
    withoutForeignPaths(gatewayWords(String(detail)), isAllowedIn(context));
  const details = Array.isArray(doubts)
    ? doubts.map((doubt) => ({ ...doubt, detail: hidePaths(doubt.detail) }))
    : [];
  const of = count === total || page === undefined ? '' : ` of ${total}`;
  const { filtered } = payload;
  const text = [
    `${plural(noun, count)}${of}.`,
    ...(typeof filtered === 'number' && filtered > 0 ? [`${filtered} outside the workspace omitted.`] : []),
    ...(all.length > 0 ? ['It may be incomplete: see doubts.'] : []),
    ...(nextCursor === undefined ? [] : ['nextCursor has more.']),
  ].join(' ');
  return { text, data: { ...payload, ...paging, complete, doubts: details }, isError: false, doubts: all };
}

/** Fails if the whole result does not fit and cannot be shortened: half of a list is not an answer. */
function checkSize(
  outcome: Outcome,
  most: number,
  nextStep: string,
  shorten: ContractParts<z.ZodObject, z.ZodObject>['shorten'],
): Outcome {
  const bytes = bytesOf(outcome);
  if (bytes <= most) return outcome;
  // In JSON some characters take several bytes, so the first attempt may not be enough.
  for (let room = most / 2; shorten && room > limits.gateway.message; room /= 2) {
    const shorter = { ...outcome, data: shorten(outcome.data, room) };
    if (bytesOf(shorter) <= most) return shorter;
  }
  const message = `The result has ${bytes} bytes (limit: ${most}).`;
  return failed(failure('CAP_EXCEEDED', message, nextStep));
}

function bytesOf({ text, data }: Outcome): number {
  const result = { content: [{ type: 'text', text }], structuredContent: data };
  return Buffer.byteLength(JSON.stringify(result));
}

function listIn(data: object, list: string): readonly unknown[] {
  const items = new Map(Object.entries(data)).get(list);
  return Array.isArray(items) ? items : [];
}

function isAllowedIn({ workspace }: ToolContext): (path: string) => boolean {
  return (path) => workspace.isNamedByUser(path);
}
