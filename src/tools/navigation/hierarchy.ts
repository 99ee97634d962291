import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import type { HierarchyNode, Span } from '../../core/questions.ts';
import { symbolKinds } from '../../core/symbol-kinds.ts';
import { paged } from '../run/paging.ts';
import type { Pages, ToolContext } from '../run/tool.ts';
import { location, spanKey, toSearchedLocations } from '../show/location.ts';
import type { Grown } from './build-hierarchy.ts';

const named = location.extend({ name: z.string(), kind: z.enum(symbolKinds) });

/** What a hierarchy is asked of, and how much was found directly below it in each direction. */
export const hierarchyRoot = named.extend({ found: z.record(z.string(), z.int()) });

/** One line of a tree: what stands below the last line before it that is one level less deep. */
export const hierarchyLine = named.extend({
  depth: z.int(),
  direction: z.string(),
  /** The index of its root, where that is not the first. */
  root: z.int().optional(),
  /** What it stands below, where an earlier page told that; the nearest last. */
  below: z.array(z.string()).optional(),
  /** Where the calls are. */
  sites: z.array(location).optional(),
  more_sites: z.int().optional(),
  /** Why what is below it is not told; absent where it was not asked for so deep. */
  cut: z.enum(['cycle', 'repeated', 'many', 'late', 'failed']).optional(),
});

/** Levels of a tree. */
export const depth = z.int().min(1).max(limits.hierarchy.depth).default(1);

export type HierarchyRoot = z.output<typeof hierarchyRoot>;
export type HierarchyLine = z.output<typeof hierarchyLine>;

/** The roots as answers carry them. */
export async function showRoots(context: ToolContext, grown: readonly Grown[]): Promise<HierarchyRoot[]> {
  const roots = rootsOf(grown);
  const locations = await toSearchedLocations(
    context,
    roots.map(({ span }) => span),
  );
  return roots.flatMap(({ name, kind, span }, index) => {
    const where = locations[index];
    const key = spanKey(span);
    const found = Object.fromEntries(
      grown.map(({ direction, roots: own }) => {
        const root = own.find((one) => spanKey(one.span) === key);
        return [direction, root?.children.length ?? 0];
      }),
    );
    return where ? [{ name, kind, ...where, found }] : [];
  });
}

/** The lines of all trees, in the order in which they are drawn, by pages. */
export function pagesOf<D extends object>(
  context: ToolContext,
  grown: readonly Grown[],
  wrap: (lines: HierarchyLine[]) => D,
): Pages<D> {
  const keys = rootsOf(grown).map(({ span }) => spanKey(span));
  const twigs = keys.flatMap((key, root) =>
    grown.flatMap(({ direction, roots }) =>
      roots
        .filter(({ span }) => spanKey(span) === key)
        .flatMap(({ children }) => flatten(children, { direction, root, depth: 1 })),
    ),
  );
  const keyOf = ({ node, direction, root, depth }: Twig) =>
    `${direction}:${root}:${depth}:${spanKey(node.span)}:${node.sites.map(spanKey).join()}`;
  return paged(twigs, keyOf, async (some, _, from) => {
    const [first, ...others] = await showTwigs(context, some);
    const below = aboveOf(twigs, from).map(({ node }) => shortly(context, node));
    return wrap(first ? [below.length > 0 ? { ...first, below } : first, ...others] : others);
  });
}

/** What the twig of an index stands below, the nearest last. */
function aboveOf(twigs: readonly Twig[], index: number): readonly Twig[] {
  const above: Twig[] = [];
  let depth = twigs[index]?.depth ?? 1;
  for (const twig of twigs.slice(0, index).reverse()) {
    if (depth === 1) break;
    if (twig.depth >= depth) continue;
    above.unshift(twig);
    depth = twig.depth;
  }
  return above;
}

function shortly({ workspace }: ToolContext, { kind, name, span }: HierarchyNode): string {
  return `${kind} ${name} ${workspace.show(span.path)}:${span.range.start.line + 1}`;
}

interface Twig {
  readonly node: HierarchyNode;
  readonly direction: string;
  readonly root: number;
  readonly depth: number;
}

function flatten(nodes: readonly HierarchyNode[], at: Omit<Twig, 'node'>): Twig[] {
  return nodes.flatMap((node) => [
    { node, ...at },
    ...flatten(node.children, { ...at, depth: at.depth + 1 }),
  ]);
}

async function showTwigs(context: ToolContext, twigs: readonly Twig[]): Promise<HierarchyLine[]> {
  const few = (sites: readonly Span[]) => sites.slice(0, limits.hierarchy.sites);
  const spans = twigs.flatMap(({ node: { span, sites } }) => [span, ...few(sites)]);
  const locations = await toSearchedLocations(context, spans);
  let next = 0;
  return twigs.flatMap(({ node, direction, root, depth }) => {
    const { name, kind, sites, cut } = node;
    const [where, ...shown] = locations.slice(next, next + 1 + few(sites).length);
    next += 1 + few(sites).length;
    if (where === undefined) return [];
    const line: HierarchyLine = { depth, direction, name, kind, ...where };
    if (root > 0) line.root = root;
    if (shown.length > 0) line.sites = shown;
    if (sites.length > shown.length) line.more_sites = sites.length - shown.length;
    if (cut !== undefined && cut !== 'depth') line.cut = cut;
    return [line];
  });
}

function rootsOf(grown: readonly Grown[]): readonly HierarchyNode[] {
  const all = grown.flatMap(({ roots }) => roots.map((root) => [spanKey(root.span), root] as const));
  return [...new Map(all).values()];
}
