import type { Reply } from '../../core/backend.ts';
import type { Call } from '../../core/call.ts';
import type { Doubt, DoubtKind } from '../../core/doubts.ts';
import { LspanError } from '../../core/errors.ts';
import { contains } from '../../core/positions.ts';
import type { HierarchyNode, Place, Span } from '../../core/questions.ts';
import { filterInSlices } from '../../core/runtime/slices.ts';
import type { Findings, ToolContext } from '../run/tool.ts';
import { spanKey } from '../show/location.ts';
import { searchMentions, unexplainedMentionDoubts } from '../show/mentions.ts';
import { locate } from '../target/locate.ts';
import { unverifiedError } from '../target/no-answer.ts';
import type { Target } from '../target/target-fields.ts';

/** The trees of one direction. */
export interface Grown<D extends string = string> {
  readonly direction: D;
  readonly roots: readonly HierarchyNode[];
}

/** What a kind of hierarchy is, and how it is asked for. */
export interface Hierarchy<D extends string> {
  readonly directions: readonly D[];
  /** The directions whose answer depends on having searched everywhere. */
  readonly searches: D;
  /** What is found, and what has such: `calls`, `function or method`. */
  readonly what: string;
  readonly bearer: string;
  ask(place: Place, direction: D): Promise<Reply<readonly HierarchyNode[]>>;
  /** Begins to look for what a server may have missed, and tells what of that is not in the trees. */
  missed?(places: readonly Place[]): Promise<(roots: readonly HierarchyNode[]) => Promise<readonly Doubt[]>>;
}

/** Trees in each direction from what a target means. That there is nothing is said only where that is known. */
export async function buildHierarchies<D extends string>(
  context: ToolContext,
  target: Target,
  hierarchy: Hierarchy<D>,
  call: Call,
): Promise<Findings & { readonly grown: readonly Grown<D>[] }> {
  const { directions, searches, what, bearer } = hierarchy;
  const { place, name, adjusted, doubts: located, also = [] } = await locate(context, target, call);
  const grow = (places: readonly Place[]) =>
    Promise.all([
      inDirections(directions, (direction) => growFrom(hierarchy, direction, places)),
      directions.includes(searches) ? hierarchy.missed?.(places) : undefined,
    ]);
  const here = await grow([place, ...also]);
  const elsewhere = isNothing(here[0]) ? await definedElsewhere(context, place, call) : [];
  const [asked, uses] = elsewhere.length > 0 ? await grow(elsewhere) : here;
  const grown = asked.map(({ answer }) => answer);
  const doubts = [...located, ...asked.flatMap((one) => one.doubts)];
  if (isNothing(asked)) throw noRoot(name, { what, bearer }, doubts);
  if (directions.includes(searches) && name !== undefined)
    doubts.push(...(await unseenUses(context, { place, name, references: spansOf(grown) }, call)));
  const searched = grown.filter(({ direction }) => direction === searches).flatMap(({ roots }) => roots);
  const missed = (await uses?.(searched)) ?? [];
  const isEmpty = grown.every(({ roots }) => roots.every(({ children }) => children.length === 0));
  if (isEmpty && doubts.length + missed.length > 0)
    throw unverifiedError(`No ${what} were found`, doubts, missed.length > 0 ? { known: missed, otherwise } : {});
  return { grown, adjusted, doubts: [...doubts, ...missed] };
}

const otherwise = 'Use find_references, which also tells what each use stands in.';

function isNothing(asked: readonly Reply<Grown>[]): boolean {
  return asked.every(({ answer: { roots } }) => roots.length === 0);
}

/** Where what a place means is defined, if not there: some servers know no hierarchy of a name that is imported. */
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

/** What nobody searched may hold uses of a name. */
export async function unseenUses(
  context: ToolContext,
  searched: { readonly place: Place; readonly name: string; readonly references: readonly Span[] },
  call: Call,
): Promise<readonly Doubt[]> {
  const { found } = await searchMentions(context, { ...searched, all: false }, call);
  const outside = await filterInSlices(found, ({ reason }) => reason === 'not_in_a_project');
  const count = outside.length;
  return unexplainedMentionDoubts({ mention_counts: { not_in_a_project: count } });
}

/** Of several directions one may be beyond the server, which the other is not to suffer from. */
async function inDirections<D extends string>(
  directions: readonly D[],
  grow: (direction: D) => Promise<Reply<Grown<D>>>,
): Promise<readonly Reply<Grown<D>>[]> {
  const unable: LspanError[] = [];
  const asked = await Promise.all(
    directions.map((direction) =>
      grow(direction).catch((error: unknown) => {
        if (!(error instanceof LspanError) || error.code !== 'not_supported') throw error;
        unable.push(error);
        return undefined;
      }),
    ),
  );
  const able = asked.filter((one) => one !== undefined);
  const [first, ...others] = able;
  if (first === undefined) throw unable[0];
  const doubts = unable.map(({ message }): Doubt => ({ kind: 'server_unavailable', detail: message }));
  return [{ ...first, doubts: [...first.doubts, ...doubts] }, ...others];
}

/** Of merged declarations a server tells the users of each, and of the same symbol only once. */
async function growFrom<D extends string>(
  { ask }: Hierarchy<D>,
  direction: D,
  places: readonly Place[],
): Promise<Reply<Grown<D>>> {
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
  // How far a server searches does not matter for what is at one place.
  const passing = doubts.filter(({ kind }) => kind !== 'project_not_loaded' && kind !== 'not_trusted');
  if (passing.length > 0) return unverifiedError(`No ${bearer} was found here`, passing);
  const subject = name === undefined ? 'What is here' : JSON.stringify(name);
  return new LspanError('not_found', `${subject} is no ${bearer}, as far as the server knows.`, {
    nextStep: `Point at the name of a ${bearer} for its ${what}. find_references lists the uses of any symbol.`,
  });
}

/** Every place in the trees: the names of what was found, and the calls. */
function spansOf(grown: readonly Grown[]): readonly Span[] {
  const below = ({ span, sites, children }: HierarchyNode): readonly Span[] => [
    span,
    ...sites,
    ...children.flatMap(below),
  ];
  return grown.flatMap(({ roots }) => roots.flatMap(below));
}

/** What of trees is not told, and why. */
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
      : [{ kind, detail: `What is below ${times} of the symbols is not all told: ${why}` }];
  });
}

const cutReasons: Readonly<Record<string, { readonly kind: DoubtKind; readonly why: string }>> = {
  many: { kind: 'capped', why: 'there is too much. Ask about them one by one, or with less depth.' },
  late: { kind: 'timed_out', why: 'it took too long. Ask about them one by one, or with less depth.' },
  failed: { kind: 'server_unavailable', why: 'the server failed there.' },
};
