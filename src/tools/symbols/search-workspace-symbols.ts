import { z } from 'zod';
import type { Reply } from '../../core/backend.ts';
import { type Call, withinShare } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import type { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { comparePositions } from '../../core/position.ts';
import type { FoundSymbol, Span } from '../../core/question.ts';
import { filterInSlices } from '../../core/runtime/slices.ts';
import { symbolKinds } from '../../core/symbol-kinds.ts';
import { defineTool } from '../run/define-tool.ts';
import { paged } from '../run/paging.ts';
import { paging } from '../run/paging-fields.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { location, spanKey, toLocations } from '../show/location.ts';
import { clampedMark } from '../show/render-location.ts';
import { repositoriesOf, scope } from '../show/repositories.ts';
import { nameIn } from '../target/candidate.ts';
import { notOneName, unverifiedError } from '../target/no-answer.ts';
import { partsOfName } from '../target/symbol-path.ts';
import { partOfName, symbolKind } from '../target/target-fields.ts';
import { outlinedSymbols } from './outlined-symbols.ts';
import { rankSymbols } from './rank-symbols.ts';
import { searchLooser } from './search-looser.ts';
import { symbolsInTexts } from './symbols-in-texts.ts';
import { unlistedDoubts } from './unlisted-declarations.ts';

const foundSymbol = location.extend({
  name: z.string(),
  kind: z.enum(symbolKinds),
  container: z.string().optional(),
});

/** Searches the symbols of the whole workspace by name. */
export const searchWorkspaceSymbols = defineTool({
  name: 'search_workspace_symbols',
  title: 'Search symbols',
  toolset: 'symbols',
  listed: true,
  description: 'Search the symbols of the workspace by name or part of it, in all languages.',
  input: z.strictObject({
    query: partOfName,
    symbol_kind: symbolKind.optional(),
    scope,
    ...paging,
  }),
  output: z.object({ symbols: z.array(foundSymbol) }),
  effects: 'none',
  async answer(context, { query, symbol_kind, scope: asked }, call) {
    const elsewhere =
      asked === 'workspace' ? { answer: [], doubts: [] } : await repositoriesOf(context).search(query, call);
    const reply = await searchSymbols(context, query, call);
    const outlined = reply.answer.length === 0 ? await searchFurther(context, query, call) : reply;
    // Which symbols of libraries a server lists depends on what it has read so far.
    const inside = await filterInSlices(outlined.answer, ({ span }) => span.standing === 'inside');
    const answer = [...inside, ...elsewhere.answer];
    const told = [...new Set([...reply.doubts, ...outlined.doubts, ...elsewhere.doubts])];
    const isNone = answer.length + told.length === 0;
    const doubts = isNone ? await unlistedDoubts(context, query, call) : told;
    const matching =
      symbol_kind === undefined ? answer : await filterInSlices(answer, ({ kind }) => kind === symbol_kind);
    const ordered = await rankSymbols(query, matching);
    const other = ordered.length === 0 ? notOneName(query) : undefined;
    if (other) throw other;
    if (ordered.length === 0 && doubts.length > 0) throw nothingFound(query, doubts);
    const pages = paged(ordered, keyOf, async (some, inner) => ({
      symbols: await toAnswer(context, some, inner),
    }));
    return { pages, total: ordered.length, doubts };
  },
  render: ({ symbols }, total) => (total === 0 ? 'No symbol matches.' : symbols.map(renderSymbol).join('\n')),
  count: ({ symbols }) => symbols.length,
  cut: ({ symbols }, keep) => ({ symbols: symbols.slice(0, keep) }),
});

/** Searches for what no server lists: in outlines, then by other spellings of what was asked for. */
async function searchFurther(
  context: ToolContext,
  query: string,
  call: Call,
): Promise<Reply<readonly FoundSymbol[]>> {
  const outlined = await outlinedSymbols(context, query, call);
  if (outlined.answer.length > 0) return outlined;
  const search = (other: string) => searchSymbols(context, other, call);
  const { answer, doubts } = await searchLooser(context, query, search, call);
  return { answer, doubts: [...outlined.doubts, ...doubts] };
}

/**
 * Asks the servers for a while. If one is late, what the texts declare is added, so that the answer comes while the
 * server loads; only if they declare nothing is it waited for with the rest of the time.
 */
async function searchSymbols(
  context: ToolContext,
  query: string,
  call: Call,
): Promise<Reply<readonly FoundSymbol[]>> {
  const ask = (part: Call) => symbolsNamed(context, query, part);
  const first = await withinShare(call, limits.shares.symbols, ask);
  if (first && !first.doubts.some(isLate)) return first;
  const declared = await symbolsInTexts(context, query, call);
  const { answer = [], doubts = [] } = first ?? {};
  const known = new Set(answer.map(lineOf));
  const added = declared.answer.filter((one) => !known.has(lineOf(one)));
  if (declared.answer.length > 0)
    return { answer: [...answer, ...added], doubts: [...doubts, ...declared.doubts] };
  return first ?? (await withinShare(call, limits.shares.servers, ask)) ?? tookTooLong;
}

/** Some servers give the place of a declaration, and not that of the name in it. */
function lineOf({ name, span: { path, range } }: FoundSymbol): string {
  return `${range.start.line} ${name} ${path}`;
}

/** True for a doubt about a server that may know more symbols later. */
function isLate({ kind }: Doubt): boolean {
  return kind === 'timed_out' || kind === 'indexing';
}

const tookTooLong: Reply<readonly FoundSymbol[]> = {
  answer: [],
  doubts: [{ kind: 'timed_out', detail: 'The search took too long: other symbols may match. Call again.' }],
};

/**
 * Asks the servers of the files that contain the name or part of a name. If no file contains it, asks all: many also
 * find names that resemble it.
 */
async function symbolsNamed(
  { backend, workspace }: ToolContext,
  query: string,
  call: Call,
): Promise<Reply<readonly FoundSymbol[]>> {
  const files = (await workspace.containing(query, call)) ?? [];
  if (files.length === 0) return backend.ask({ kind: 'symbols', query }, call);
  const { answer, doubts } = await backend.ask({ kind: 'symbols', query, among: files }, call);
  const concerned = new Set(files);
  const listed = new Set(workspace.files());
  // What a server knows of other files and of libraries depends on what it was asked before.
  const own = await filterInSlices(
    answer,
    ({ span: { path, standing } }) => concerned.has(path) || (standing === 'inside' && !listed.has(path)),
  );
  return { answer: own, doubts };
}

function keyOf({ name, kind, container, span }: FoundSymbol): string {
  return JSON.stringify([name, kind, container, spanKey(span)]);
}

async function toAnswer(
  context: ToolContext,
  some: readonly FoundSymbol[],
  call: Call,
): Promise<z.output<typeof foundSymbol>[]> {
  const spans = await Promise.all(some.map((symbol) => spanOfName(context, symbol)));
  const locations = await toLocations(context, spans, call);
  return some.flatMap(({ name, kind, container }, index) => {
    const where = locations[index];
    return where ? [{ name, kind, ...(container ? { container } : {}), ...where }] : [];
  });
}

/** Begins a span at the name: some servers give the range of the declaration, and its comment too. */
async function spanOfName(context: ToolContext, { name, span }: FoundSymbol): Promise<Span> {
  const document = span.standing === 'inside' ? await documentAt(context, span.path) : undefined;
  const start = document && nameIn(document, span, partsOfName(name).at(-1) ?? name);
  if (!start) return span;
  const end = comparePositions(span.range.end, start) < 0 ? start : span.range.end;
  return { ...span, range: { start, end } };
}

function renderSymbol(symbol: z.output<typeof foundSymbol>): string {
  const { name, kind, container, file_path, line, character, text, clamped } = symbol;
  const whole = container ? `${container}.${name}` : name;
  const shown = [`${kind} ${whole}`, `${file_path}:${line}:${character}`, text, clamped && clampedMark];
  return shown.filter(Boolean).join(' ');
}

/** Returns the error if no symbol is listed: places where a text declares one can be read. */
function nothingFound(query: string, doubts: readonly Doubt[]): LspanError {
  const known = doubts.filter(({ kind }) => kind === 'unverified');
  const others = doubts.filter(({ kind }) => kind !== 'unverified');
  const otherwise = known.length > 0 ? { otherwise: 'Read the text there, or search it for the name.' } : {};
  return unverifiedError(`No symbol that matches ${JSON.stringify(query)} was found`, others, {
    known,
    ...otherwise,
  });
}
