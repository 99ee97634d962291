import type { Reply } from '../../core/backend.ts';
import { type Call, cancelSignalOf } from '../../core/call.ts';
import type { Doubt, DoubtKind } from '../../core/doubts.ts';
import { type ErrorCode, LspanError } from '../../core/errors.ts';
import { contains } from '../../core/position.ts';
import type { HierarchyNode, OutlineSymbol, Place, Span } from '../../core/question.ts';
import { unresolvedDoubts } from '../mentions/follow-imports.ts';
import { withConditions } from '../mentions/not-compiled.ts';
import type { Findings, ToolContext } from '../run/tool.ts';
import { spanKey } from '../show/location.ts';
import { locate } from '../target/locate.ts';
import { unverifiedError } from '../target/no-answer.ts';
import type { Target } from '../target/target-fields.ts';
import { unexplainedUseDoubts } from './unexplained-uses.ts';
import type { CompareCalls } from './unreported-calls.ts';

/** The trees of one direction. */
export interface Trees<D extends string = string> {
  readonly direction: D;
  readonly roots: readonly HierarchyNode[];
}

/** A kind of hierarchy, and how servers are asked for it. */
interface Hierarchy<D extends string> {
  readonly directions: readonly D[];
  /** The direction whose answer depends on having searched everywhere. */
  readonly searches: D;
  /** The nouns for what is found and for what has it: `calls`, `function or method`. */
  readonly what: string;
  readonly bearer: string;
  ask(place: Place, direction: D): Promise<Reply<readonly HierarchyNode[]>>;
  /** Starts to look for what a server may have missed; the result compares that with the trees. */
  missed?(places: readonly Place[], name: string | undefined): Promise<CompareCalls>;
  /** True if that comparison covers all that is asked for. */
  readonly comparesAll?: boolean;
}

/** Builds trees in each direction from a target. The answer is empty only if that is certain. */
export async function buildHierarchies<D extends string>(
  context: ToolContext,
  target: Target,
  hierarchy: Hierarchy<D>,
  call: Call,
): Promise<Findings & { readonly trees: readonly Trees<D>[] }> {
  const { directions, searches, what, bearer } = hierarchy;
  const { place, name, adjusted, doubts: located, also = [] } = await locate(context, target, call);
  const askAbout = (places: readonly Place[]) =>
    Promise.all([
      askDirections(directions, (direction) => askDirection(hierarchy, direction, places)),
      directions.includes(searches) ? hierarchy.missed?.(places, name) : undefined,
    ]);
  const here = await askAbout([place, ...also]);
  const elsewhere = hasNoRoots(here[0]) ? await definedElsewhere(context, place, call) : [];
  const [replies, findMissed] = elsewhere.length > 0 ? await askAbout(elsewhere) : here;
  const found = replies.map(({ answer }) => answer);
  const given = [...located, ...replies.flatMap((one) => one.doubts)];
  if (hasNoRoots(replies))
    throw noRoot(
      name,
      { what, bearer },
      await withConditions(context, place, [
        ...given,
        ...(await outlinedDoubts(context, place, bearer, call)),
      ]),
    );
  const unexplained =
    directions.includes(searches) && name !== undefined && findMissed === undefined
      ? await unexplainedUseDoubts(context, { place, name, references: spansOf(found) }, call)
      : [];
  const searched = found.filter(({ direction }) => direction === searches).flatMap(({ roots }) => roots);
  const compared = await findMissed?.(searched);
  const trees = found.map((tree) =>
    compared && tree.direction === searches ? { ...tree, roots: compared.roots } : tree,
  );
  const missed = compared?.doubts ?? [];
  const isSettled = hierarchy.comparesAll === true && compared?.doubts.length === 0;
  const doubts = [...given.filter(({ aboutMentions }) => !(aboutMentions && isSettled)), ...unexplained];
  const isEmpty = trees.every(({ roots }) => roots.every(({ children }) => children.length === 0));
  if (isEmpty && doubts.length + missed.length > 0)
    throw unverifiedError(
      `No ${what} were found`,
      doubts,
      missed.length > 0 ? { known: missed, otherwise } : {},
    );
  return { trees, adjusted, doubts: [...doubts, ...missed] };
}

const otherwise = 'Use find_references, which also shows what encloses each use.';

function hasNoRoots(replies: readonly Reply<Trees>[]): boolean {
  return replies.every(({ answer: { roots } }) => roots.length === 0);
}

/** Returns where the symbol at a place is defined, if elsewhere: some servers have no hierarchy for an imported name. */
export async function definedElsewhere(
  context: ToolContext,
  { path, position }: Place,
  call: Call,
): Promise<readonly Place[]> {
  const { answer } = await context.backend.ask({ kind: 'definition', place: { path, position } }, call);
  return answer
    .filter((span) => span.standing !== 'outside' && !(span.path === path && contains(span.range, position)))
    .map((span) => ({ path: span.path, position: span.range.start }));
}

/** If one of several directions is not supported or takes too long, the others are still answered. */
async function askDirections<D extends string>(
  directions: readonly D[],
  ask: (direction: D) => Promise<Reply<Trees<D>>>,
): Promise<readonly Reply<Trees<D>>[]> {
  const failed: LspanError[] = [];
  const replies = await Promise.all(
    directions.map((direction) =>
      ask(direction).catch((error: unknown) => {
        if (!(error instanceof LspanError) || !passable.has(error.code)) throw error;
        failed.push(error);
        return undefined;
      }),
    ),
  );
  const [first, ...others] = replies.filter((one) => one !== undefined);
  if (first === undefined) throw failed[0];
  const doubts = failed.map(
    ({ code, message }): Doubt => ({
      kind: code === 'timed_out' ? 'timed_out' : 'server_unavailable',
      detail: code === 'timed_out' ? 'The other direction took too long. Call again to continue.' : message,
    }),
  );
  return [{ ...first, doubts: [...first.doubts, ...doubts] }, ...others];
}

const passable: ReadonlySet<ErrorCode> = new Set(['not_supported', 'timed_out']);

/** Asks about each of merged declarations, since a server reports the users of one only, and removes duplicate roots. */
async function askDirection<D extends string>(
  { ask }: Hierarchy<D>,
  direction: D,
  places: readonly Place[],
): Promise<Reply<Trees<D>>> {
  const replies = await Promise.all(places.map((place) => ask(place, direction)));
  const all = replies.flatMap(({ answer }) => answer.map((root) => [spanKey(root.span), root] as const));
  const roots = [...new Map(all).values()];
  return {
    answer: { direction, roots },
    doubts: [...replies.flatMap(({ doubts }) => doubts), ...cutDoubts(roots)],
  };
}

function noRoot(
  name: string | undefined,
  { what, bearer }: { readonly what: string; readonly bearer: string },
  doubts: readonly Doubt[],
): LspanError {
  // For what is at one place, it does not matter how far a server searches.
  const passing = doubts.filter(({ kind }) => kind !== 'project_not_loaded' && kind !== 'not_trusted');
  if (passing.length > 0) return unverifiedError(`No ${bearer} was found here`, passing);
  const subject = name === undefined ? 'The code here' : JSON.stringify(name);
  return new LspanError('not_found', `${subject} is not a ${bearer}, according to the server.`, {
    nextStep: `Point at the name of a ${bearer} for its ${what}. find_references lists the uses of any symbol.`,
  });
}

/** A server may outline a function that it does not compile here, and know nothing else of it. */
async function outlinedDoubts(
  context: ToolContext,
  { path, position }: Place,
  bearer: string,
  call: Call,
): Promise<readonly Doubt[]> {
  const outline = await context.outlines.of(context, path, call).catch(() => undefined);
  cancelSignalOf(call).throwIfAborted();
  const here = symbolsIn(outline?.answer ?? []).find(({ selection }) => contains(selection, position));
  if (!here) return unresolvedDoubts(context, { path, position }, call);
  if (!bearer.split(' or ').includes(here.kind)) return [];
  const detail = `The server outlines a ${here.kind} here, but does not know it otherwise: it may not be compiled.`;
  return [{ kind: 'unverified', detail }];
}

function symbolsIn(symbols: readonly OutlineSymbol[]): readonly OutlineSymbol[] {
  return symbols.flatMap((symbol) => [symbol, ...symbolsIn(symbol.children)]);
}

/** Returns every place in the trees: the names of symbols, and the calls. */
function spansOf(trees: readonly Trees[]): readonly Span[] {
  const below = ({ span, sites, children }: HierarchyNode): readonly Span[] => [
    span,
    ...sites,
    ...children.flatMap(below),
  ];
  return trees.flatMap(({ roots }) => roots.flatMap(below));
}

/** Returns doubts for nodes whose children are not all shown. */
export function cutDoubts(roots: readonly HierarchyNode[]): readonly Doubt[] {
  const counts = new Map<string, number>();
  const count = ({ cut, children }: HierarchyNode): void => {
    if (cut !== undefined) counts.set(cut, (counts.get(cut) ?? 0) + 1);
    children.forEach(count);
  };
  roots.forEach(count);
  return Object.entries(cutReasons).flatMap(([cut, { kind, why }]) => {
    const times = counts.get(cut) ?? 0;
    return times === 0
      ? []
      : [{ kind, detail: `The tree below ${times} of the symbols is incomplete: ${why}` }];
  });
}

const cutReasons: Readonly<Record<string, { readonly kind: DoubtKind; readonly why: string }>> = {
  many: { kind: 'capped', why: 'there are too many. Ask about them one by one, or with less depth.' },
  late: { kind: 'timed_out', why: 'it took too long. Ask about them one by one, or with less depth.' },
  failed: { kind: 'server_unavailable', why: 'the server failed there.' },
};
