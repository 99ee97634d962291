import { within } from '../../../core/call.ts';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import type { HierarchyNode, Span } from '../../../core/question.ts';

/** A node of a hierarchy, and the handle that the server needs to list the nodes below it. */
export interface HierarchyStep<T> {
  readonly node: Pick<HierarchyNode, 'name' | 'kind' | 'detail' | 'span' | 'sites'>;
  readonly handle: T;
}

/** The nodes directly below another. */
export interface StepsBelow<T> {
  /** Sorted, without duplicates. */
  readonly steps: readonly HierarchyStep<T>[];
  /** The server sent more than are kept. */
  readonly isCut: boolean;
}

/** How far to go, and how to ask. */
interface Walk<T> {
  readonly depth: number;
  readonly below: (handle: T) => Promise<StepsBelow<T>>;
  /** When the tree is returned as far as it is known, on that clock. */
  readonly end?: number;
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** Walks breadth-first in order: a graph always gives the same tree. Cycles end: no node is followed twice. */
export async function walkHierarchy<T>(
  roots: readonly HierarchyStep<T>[],
  { depth, below, end: latest = Number.POSITIVE_INFINITY, now = () => performance.now() }: Walk<T>,
): Promise<readonly HierarchyNode[]> {
  const end = Math.min(latest, now() + limits.hierarchy.time);
  const growth = new Growth<T>(depth);
  const grown = roots.map((root) => growth.add(root, undefined));
  for (let level = grown; level.length > 0; ) {
    const next: Twig<T>[] = [];
    const open = level.filter(({ node }) => node.cut === undefined);
    for (let first = 0; first < open.length; first += limits.hierarchy.atOnce) {
      const some = open.slice(first, first + limits.hierarchy.atOnce);
      if (now() > end && some.every(({ above }) => above !== undefined)) {
        for (const { node } of open.slice(first)) node.cut = 'late';
        break;
      }
      const found = await Promise.all(some.map((twig) => lookBelow(twig, below, Math.max(0, end - now()))));
      for (const [index, twig] of some.entries()) next.push(...growth.addBelow(twig, found[index]));
    }
    level = next;
  }
  return grown.map(({ node }) => node);
}

type Growing = { -readonly [K in keyof HierarchyNode]: HierarchyNode[K] } & { children: Growing[] };

interface Twig<T> {
  readonly node: Growing;
  readonly handle: T;
  readonly key: string;
  readonly level: number;
  readonly above: Twig<T> | undefined;
}

/** Returns the steps below, or why they are not known; at a root, a failure is an error. */
async function lookBelow<T>(
  { handle, above }: Twig<T>,
  below: (handle: T) => Promise<StepsBelow<T>>,
  time: number,
): Promise<StepsBelow<T> | 'failed' | 'late'> {
  const found = below(handle);
  if (above === undefined) return found;
  const known = found.catch((error: unknown) => {
    if (error instanceof LspanError && error.code === 'server_unverified') return 'failed' as const;
    throw error;
  });
  return (await within(known, time)) ?? 'late';
}

class Growth<T> {
  readonly #depth: number;
  readonly #followed = new Set<string>();
  #size = 0;

  constructor(depth: number) {
    this.#depth = depth;
  }

  add({ node, handle }: HierarchyStep<T>, above: Twig<T> | undefined): Twig<T> {
    const key = keyOf(node.span);
    const level = above === undefined ? 0 : above.level + 1;
    const cut = this.#cutOf(key, level, above);
    if (cut === undefined) this.#followed.add(key);
    this.#size += 1;
    return { node: { ...node, children: [], ...(cut ? { cut } : {}) }, handle, key, level, above };
  }

  /** Adds the nodes found below another, as far as the size limit allows. */
  addBelow(twig: Twig<T>, found: StepsBelow<T> | 'failed' | 'late' = 'failed'): readonly Twig<T>[] {
    if (typeof found === 'string') {
      twig.node.cut = found;
      return [];
    }
    const { steps } = found;
    const kept = steps.slice(0, Math.max(0, limits.results.total - this.#size));
    if (found.isCut || kept.length < steps.length) twig.node.cut = 'many';
    const added = kept.map((step) => this.add(step, twig));
    twig.node.children.push(...added.map(({ node }) => node));
    return added;
  }

  #cutOf(key: string, level: number, above: Twig<T> | undefined): HierarchyNode['cut'] {
    for (let one = above; one; one = one.above) if (one.key === key) return 'cycle';
    if (this.#followed.has(key)) return 'repeated';
    if (level === this.#depth) return 'depth';
    return this.#followed.size >= limits.hierarchy.lookedBelow ? 'many' : undefined;
  }
}

function keyOf({ path, range: { start, end } }: Span): string {
  return `${start.line}:${start.character}:${end.line}:${end.character}:${path}`;
}
