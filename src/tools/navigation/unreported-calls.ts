import { type Call, cancelSignalOf, until, withinShare } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { asLspanError, LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { contains, type Range } from '../../core/position.ts';
import type { HierarchyNode, OutlineSymbol, Place, Span } from '../../core/question.ts';
import { groupBy } from '../../core/runtime/group-by.ts';
import { filterInSlices, groupInSlices } from '../../core/runtime/slices.ts';
import { isC } from '../../source-text/c-files.ts';
import { isPython } from '../../source-text/imports.ts';
import { wordAt } from '../../source-text/words.ts';
import type { Document } from '../../workspace/texts/document.ts';
import { type FoundUse, namePlaces, unexplainedMentionDoubts } from '../mentions/mentions.ts';
import { SpanSet } from '../mentions/span-set.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { orderManySpans, uniqueSpans } from '../show/location.ts';
import { type FoundUses, findUses, usesTookTooLong } from './find-uses.ts';
import { isLikeCall } from './like-call.ts';
import { withMissedCalls, withoutMisplacedCalls } from './place-calls.ts';
import { usesOfHolders } from './values/uses-of-holders.ts';

/** The callers of functions as their uses confirm them, and what remains doubtful. */
export interface ComparedCalls {
  readonly roots: readonly HierarchyNode[];
  readonly doubts: readonly Doubt[];
}

/** The functions whose callers are searched, and to which depth. */
interface Searched {
  readonly places: readonly Place[];
  readonly name: string | undefined;
  readonly depth: number;
  /** The search for their uses, if it has begun already. */
  readonly uses?: Promise<FoundUses> | undefined;
}

/** Compares callers with the uses of the functions. Returns `undefined` if it cannot. */
export type CompareCalls = (roots: readonly HierarchyNode[]) => Promise<ComparedCalls | undefined>;

/**
 * Asks for all uses of a function besides its callers. A server that misses calls, such as those by another name, is
 * detected by uses that look like calls and are not among its callers.
 */
export async function unreportedCalls(
  context: ToolContext,
  { places, name, depth, uses: begun }: Searched,
  call: Call,
): Promise<CompareCalls> {
  const [place, ...also] = places;
  if (place === undefined) return async () => undefined;
  // A server that cannot list uses is not compared.
  const search = (part: Call) =>
    begun ? until(begun, cancelSignalOf(part)) : findUses(context, { place, also, name, doubts: [] }, part);
  const reply = await withinShare(call, limits.shares.servers, (part) =>
    search(part).catch((thrown: unknown) => {
      cancelSignalOf(part).throwIfAborted();
      return asLspanError(thrown);
    }),
  );
  if (reply === undefined) return async (roots) => ({ roots, doubts: [usesTookTooLong] });
  if (reply instanceof LspanError) return async () => undefined;
  const uses = await orderManySpans(reply.answer);
  const known = await SpanSet.from(uses);
  return async (found) => {
    const placed = await withoutMisplacedCalls(context, found, ({ path, range }) =>
      known.has(path, range.start),
    );
    const reported = groupBy(reportedIn(placed), ({ path }) => path);
    const isReported = ({ path, range: { start } }: Span) =>
      reported.get(path)?.some(({ range }) => contains(range, start)) === true;
    const held = await usesOfHolders(context, uses, call);
    const others = await filterInSlices(
      uniqueSpans([...uses, ...held.answer]),
      (use) => use.standing === 'inside' && !isReported(use),
    );
    const { missed, passed, unchecked } = await callsAmong(context, others, placed, call);
    const { roots, left } = await withMissedCalls(
      context,
      placed,
      { missed: [...missed, ...passed], depth },
      call,
    );
    // Without any caller, a use in a macro that is not compiled here may hide one.
    const isUncalled = roots.every(({ children }) => children.length === 0);
    const isDoubtful = (site: Span) => isUncalled || !passed.includes(site);
    const unexplained = unexplainedMentionDoubts(context, reply.mentioned);
    const entries = isUncalled ? await entryDoubts(context, reply.mentioned.uses) : [];
    const implicit = reply.doubts.filter(({ kind }) => kind === 'unverified' || kind === 'timed_out');
    return {
      roots,
      doubts: [
        ...missedDoubts(context, [...left.filter(isDoubtful), ...unchecked]),
        ...held.doubts,
        ...unexplained,
        ...entries,
        ...implicit,
      ],
    };
  };
}

/** Returns the roots, and the calls directly below them. */
function reportedIn(roots: readonly HierarchyNode[]): readonly Span[] {
  return roots.flatMap(({ span, children }) => [span, ...children.flatMap(({ sites }) => sites)]);
}

function missedDoubts({ workspace }: ToolContext, missed: readonly Span[]): Doubt[] {
  if (missed.length === 0) return [];
  const found =
    missed.length === 1
      ? 'A use looks like a call but is not listed'
      : `${missed.length} uses look like calls but are not listed`;
  const detail = `${found}; see find_references: ${namePlaces(workspace, missed)}`;
  return [{ kind: 'unverified', detail }];
}

/** Returns a doubt if entry points name a function that nothing calls. */
async function entryDoubts(context: ToolContext, uses: readonly FoundUse[]): Promise<Doubt[]> {
  const entries: Span[] = [];
  for (const use of uses.filter(({ isInText }) => isInText)) {
    const { line, character } = use.range.start;
    const before = (await documentAt(context, use.path))?.line(line)[character - 1];
    // A string of Python without a colon replaces a function, as that of `mock.patch` does.
    if (!isPython(use.path) || before === ':') entries.push(use);
  }
  if (entries.length === 0) return [];
  const [point, runs] = entries.length === 1 ? ['entry point', 'runs'] : ['entry points', 'run'];
  const detail = `${entries.length} ${point} by name ${runs} it: ${namePlaces(context.workspace, entries)}`;
  return [{ kind: 'unverified', detail }];
}

/** Uses that are not the names of declarations. */
interface LikelyCalls {
  /** Those that look like calls. */
  readonly missed: readonly Span[];
  /** Those by which a function of C is passed on: servers of C count them as calls, but only in one of several `main`. */
  readonly passed: readonly Span[];
  /** Those that look like calls, in too many files to tell. */
  readonly unchecked: readonly Span[];
}

/** Returns the uses that are calls of the roots, as far as the text tells. */
async function callsAmong(
  context: ToolContext,
  uses: readonly Span[],
  roots: readonly HierarchyNode[],
  call: Call,
): Promise<LikelyCalls> {
  const isClass = roots.some(({ kind }) => kind === 'class');
  const isFunction = roots.every(({ kind }) => kind === 'function' || kind === 'method');
  const [missed, passed, unchecked]: [Span[], Span[], Span[]] = [[], [], []];
  let outlined = 0;
  for (const [path, own] of await groupInSlices(uses, ({ path }) => path)) {
    const document = await context.workspace.read(path).catch(() => undefined);
    const isCall = ({ range }: Span) => document !== undefined && isLikeCall(document, range, isClass);
    const calls = isC(path) && isFunction ? own : own.filter(isCall);
    if (calls.length === 0) continue;
    outlined += 1;
    if (outlined > limits.callers.outlines) {
      unchecked.push(...calls.filter(isCall));
      continue;
    }
    const outline = await context.outlines.of(context, path, call).catch(() => undefined);
    const symbols = allIn(outline?.answer ?? []);
    // Some servers list functions without a name, as their whole text.
    const named = symbols
      .map(({ selection }) => selection)
      .filter(({ start, end }) => document && !/=>|\{/.test(textBetween(document, start, end)));
    const declared = [...named, ...declaredByMacros(document, symbols, roots)];
    // The name of a method that is declared outside its class may include the name of the class.
    const used = calls.filter(
      ({ range: { start } }) => !declared.some((selection) => contains(selection, start)),
    );
    missed.push(...used.filter(isCall));
    passed.push(...used.filter((use) => !isCall(use)));
  }
  return { missed, passed, unchecked };
}

function textBetween(document: Document, start: Range['start'], end: Range['end']): string {
  return document.text.slice(document.offsetAt(start), document.offsetAt(end));
}

/** Returns the uses of macros that declare one of the roots, where no text has its name. */
function declaredByMacros(
  document: Document | undefined,
  symbols: readonly OutlineSymbol[],
  roots: readonly HierarchyNode[],
): readonly Range[] {
  if (!document || !isC(document.path)) return [];
  return symbols
    .filter(({ name }) => roots.some((root) => root.name === name))
    .filter(({ name, selection: { start } }) => {
      const written = wordAt(document.line(start.line), start.character);
      return written !== undefined && written !== name;
    })
    .map(({ range }) => range);
}

function allIn(symbols: readonly OutlineSymbol[]): readonly OutlineSymbol[] {
  return symbols.flatMap((symbol) => [symbol, ...allIn(symbol.children)]);
}
