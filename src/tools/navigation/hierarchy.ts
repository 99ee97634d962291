import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import type { HierarchyNode, Span } from '../../core/question.ts';
import { symbolKinds } from '../../core/symbol-kinds.ts';
import { paged } from '../run/paging.ts';
import type { Pages, ToolContext } from '../run/tool.ts';
import { location, spanKey, toSearchedLocations } from '../show/location.ts';
import type { Trees } from './build-hierarchy.ts';

const named = location.extend({ name: z.string(), kind: z.enum(symbolKinds) });

/** A root of the trees, and the number of symbols directly below it in each direction. */
export const hierarchyRoot = named.extend({ found: z.record(z.string(), z.int()) });

/** One line of a tree; its parent is the nearest line before it that is one level less deep. */
export const hierarchyLine = named.extend({
  depth: z.int(),
  direction: z.string(),
  /** The index of its root, if that is not the first one. */
  root: z.int().optional(),
  /** Its ancestors that an earlier page showed, the nearest last. */
  below: z.array(z.string()).optional(),
  sites: z.array(location).optional(),
  more_sites: z.int().optional(),
  /** Why its children are not shown; absent if only the depth ends there. */
  cut: z.enum(['cycle', 'repeated', 'many', 'late', 'failed']).optional(),
});

/** The number of levels of a tree. */
export const depth = z.int().min(1).max(limits.hierarchy.depth).default(1);

export type HierarchyRoot = z.output<typeof hierarchyRoot>;
export type HierarchyLine = z.output<typeof hierarchyLine>;

/** Converts the roots for an answer. */
export async function toRoots(context: ToolContext, trees: readonly Trees[]): Promise<HierarchyRoot[]> {
  const roots = rootsOf(trees);
  const locations = await toSearchedLocations(
    context,
    roots.map(({ span }) => span),
  );
  return roots.flatMap(({ name, kind, span }, index) => {
    const where = locations[index];
    const key = spanKey(span);
    const found = Object.fromEntries(
      trees.map(({ direction, roots: own }) => {
        const root = own.find((one) => spanKey(one.span) === key);
        return [direction, root?.children.length ?? 0];
      }),
    );
    return where ? [{ name, kind, ...where, found }] : [];
  });
}

/** Makes pages of the lines of all trees, in reading order. */
export function linePages<D extends object>(
  context: ToolContext,
  trees: readonly Trees[],
  wrap: (lines: HierarchyLine[]) => D,
): Pages<D> {
  const keys = rootsOf(trees).map(({ span }) => spanKey(span));
  const rows = keys.flatMap((key, root) =>
    trees.flatMap(({ direction, roots }) =>
      roots
        .filter(({ span }) => spanKey(span) === key)
        .flatMap(({ children }) => flatten(children, { direction, root, depth: 1 })),
    ),
  );
  const keyOf = ({ node, direction, root, depth }: TreeRow) =>
    `${direction}:${root}:${depth}:${spanKey(node.span)}:${node.sites.map(spanKey).join()}`;
  return paged(rows, keyOf, async (some, _, from) => {
    const [first, ...others] = await toLines(context, some);
    const below = ancestorsOf(rows, from).map(({ node }) => renderShort(context, node));
    return wrap(first ? [below.length > 0 ? { ...first, below } : first, ...others] : others);
  });
}

/** Returns the ancestors of a row, the nearest last. */
function ancestorsOf(rows: readonly TreeRow[], index: number): readonly TreeRow[] {
  const ancestors: TreeRow[] = [];
  let depth = rows[index]?.depth ?? 1;
  for (const row of rows.slice(0, index).reverse()) {
    if (depth === 1) break;
    if (row.depth >= depth) continue;
    ancestors.unshift(row);
    depth = row.depth;
  }
  return ancestors;
}

function renderShort({ workspace }: ToolContext, { kind, name, span }: HierarchyNode): string {
  return `${kind} ${name} ${workspace.show(span.path)}:${span.range.start.line + 1}`;
}

interface TreeRow {
  readonly node: HierarchyNode;
  readonly direction: string;
  readonly root: number;
  readonly depth: number;
}

function flatten(nodes: readonly HierarchyNode[], at: Omit<TreeRow, 'node'>): TreeRow[] {
  return nodes.flatMap((node) => [
    { node, ...at },
    ...flatten(node.children, { ...at, depth: at.depth + 1 }),
  ]);
}

async function toLines(context: ToolContext, rows: readonly TreeRow[]): Promise<HierarchyLine[]> {
  const few = (sites: readonly Span[]) => sites.slice(0, limits.hierarchy.sites);
  const spans = rows.flatMap(({ node: { span, sites } }) => [span, ...few(sites)]);
  const locations = await toSearchedLocations(context, spans);
  let next = 0;
  return rows.flatMap(({ node, direction, root, depth }) => {
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

function rootsOf(trees: readonly Trees[]): readonly HierarchyNode[] {
  const all = trees.flatMap(({ roots }) => roots.map((root) => [spanKey(root.span), root] as const));
  return [...new Map(all).values()];
}
