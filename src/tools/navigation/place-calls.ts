import type { Call } from '../../core/call.ts';
import { compareSpans } from '../../core/compare-spans.ts';
import { contains } from '../../core/position.ts';
import type { HierarchyNode, OutlineSymbol, Span } from '../../core/question.ts';
import { isC } from '../../source-text/c-files.ts';
import { wordAt } from '../../source-text/words.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';

/**
 * Removes call sites in C that are not uses of the function: a server that knows functions by their name alone takes the
 * `main` of all programs for one, and gives the calls in all of them as if they were in one file.
 */
export async function withoutMisplacedCalls(
  context: ToolContext,
  roots: readonly HierarchyNode[],
  isUse: (site: Span) => boolean,
): Promise<readonly HierarchyNode[]> {
  const isRight = async (site: Span, name: string) => {
    if (site.standing !== 'inside' || !isC(site.path) || isUse(site)) return true;
    const document = await documentAt(context, site.path);
    const { line, character } = site.range.start;
    return document === undefined || wordAt(document.line(line), character) === name;
  };
  return Promise.all(
    roots.map(async (root) => {
      const children = await Promise.all(
        root.children.map(async (child) => {
          const right = await Promise.all(child.sites.map((site) => isRight(site, root.name)));
          return { ...child, sites: child.sites.filter((_, index) => right[index]) };
        }),
      );
      const had = (index: number) => (root.children[index]?.sites.length ?? 0) > 0;
      return { ...root, children: children.filter(({ sites }, index) => sites.length > 0 || !had(index)) };
    }),
  );
}

/**
 * Adds calls that a server left out, as uses of the only root show them, each below the symbol around it, and returns those
 * that stay doubtful. A use of a method may implement it, and a decorator calls later. At `main` a tree ends; another
 * symbol is added only where it needs no callers of its own.
 */
export async function withMissedCalls(
  context: ToolContext,
  roots: readonly HierarchyNode[],
  { missed, depth }: { readonly missed: readonly Span[]; readonly depth: number },
  call: Call,
): Promise<{ readonly roots: readonly HierarchyNode[]; readonly left: readonly Span[] }> {
  const [root, ...others] = roots;
  if (!root || others.length > 0) return { roots, left: missed };
  const callers = new Map(root.children.map((child) => [placeOf(child.span), child]));
  const left: Span[] = [];
  for (const site of missed) {
    const isSure = isC(site.path) || (functions.has(root.kind) && !(await isDecorator(context, site)));
    const caller = isSure ? await symbolAround(context, site, call) : undefined;
    if (!caller || !(depth === 1 || caller.name === 'main')) {
      left.push(site);
      continue;
    }
    const known = callers.get(placeOf(caller.span)) ?? caller;
    callers.set(placeOf(caller.span), { ...known, sites: [...known.sites, site].sort(compareSpans) });
  }
  const children = [...callers.values()].sort((a, b) => compareSpans(a.span, b.span));
  return { roots: [{ ...root, children }], left };
}

/** What a name stands for that only a call can follow with a bracket; the others are methods and classes. */
const functions: ReadonlySet<string> = new Set(['function', 'variable', 'constant']);

async function isDecorator(context: ToolContext, { path, range: { start } }: Span): Promise<boolean> {
  const line = (await documentAt(context, path))?.line(start.line) ?? '';
  return /@[\w$.]*$/.test(line.slice(0, start.character));
}

function placeOf({ path, range: { start } }: Span): string {
  return `${start.line}:${start.character}:${path}`;
}

async function symbolAround(
  context: ToolContext,
  { path, range, standing }: Span,
  call: Call,
): Promise<HierarchyNode | undefined> {
  const outline = await context.outlines.of(context, path, call).catch(() => undefined);
  const around = symbolsAround(outline?.answer ?? [], range.start);
  const caller = around.findLast(({ kind }) => callable.has(kind)) ?? around.at(-1);
  if (!caller) return undefined;
  const { name, kind, selection } = caller;
  return { name, kind, span: { path, range: selection, standing }, sites: [], children: [], cut: 'depth' };
}

/** A variable inside of these is not what calls. */
const callable: ReadonlySet<string> = new Set(['function', 'method', 'constructor']);

/** Returns the symbols that contain a position, the innermost last. */
export function symbolsAround(
  symbols: readonly OutlineSymbol[],
  position: Span['range']['start'],
): readonly OutlineSymbol[] {
  const around = symbols.find(({ range }) => contains(range, position));
  return around ? [around, ...symbolsAround(around.children, position)] : [];
}
