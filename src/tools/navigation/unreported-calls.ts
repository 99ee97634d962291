import { type Call, cancelSignalOf } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import { contains, type Range, toLineColumn } from '../../core/positions.ts';
import type { HierarchyNode, OutlineSymbol, Place, Span } from '../../core/questions.ts';
import { groupBy } from '../../core/runtime/group-by.ts';
import { filterInSlices, groupInSlices } from '../../core/runtime/slices.ts';
import type { Document } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { orderManySpans } from '../show/location.ts';
import { findUses } from './find-uses.ts';

/**
 * Asks for all uses of a function beside its callers: servers that miss calls, as by another name, are known by uses that
 * look like calls and are none of those that they tell. Gives a way to compare them with the callers.
 */
export async function unreportedCalls(
  context: ToolContext,
  places: readonly Place[],
  call: Call,
): Promise<(roots: readonly HierarchyNode[]) => Promise<readonly Doubt[]>> {
  const [place, ...also] = places;
  if (place === undefined) return async () => [];
  // Who cannot tell uses is not compared.
  const reply = await findUses(context, { place, also, name: undefined, doubts: [] }, call).catch(
    () => undefined,
  );
  cancelSignalOf(call).throwIfAborted();
  const uses = await orderManySpans(reply?.answer ?? []);
  return async (roots) => {
    const told = groupBy(knownIn(roots), ({ path }) => path);
    const isTold = ({ path, range: { start } }: Span) =>
      told.get(path)?.some(({ range }) => contains(range, start)) === true;
    const left = await filterInSlices(uses, (use) => use.standing === 'inside' && !isTold(use));
    const isClass = roots.some(({ kind }) => kind === 'class');
    const missed = await callsAmong(context, left, isClass, call);
    return [...missedDoubts(context, missed), ...unwritten(roots)];
  };
}

/** The roots themselves, and the calls of those directly below. */
function knownIn(roots: readonly HierarchyNode[]): readonly Span[] {
  return roots.flatMap(({ span, children }) => [span, ...children.flatMap(({ sites }) => sites)]);
}

function missedDoubts({ workspace }: ToolContext, missed: readonly Span[]): Doubt[] {
  const [first, ...others] = missed.map(({ path, range }) => {
    const { line, character } = toLineColumn(range.start);
    return `${workspace.show(path)}:${line}:${character}`;
  });
  if (first === undefined) return [];
  const found =
    others.length === 0
      ? `A use looks like a call, but the server does not count it as one: ${first}.`
      : `${missed.length} uses look like calls, but the server does not count them as such: ${[first, ...others].slice(0, limits.named.calls).join(', ')}${missed.length > limits.named.calls ? ', …' : '.'}`;
  return [{ kind: 'server_unavailable', detail: `${found} find_references lists all uses.` }];
}

/** What is called without its name being written has callers that nobody finds by it. */
function unwritten(roots: readonly HierarchyNode[]): Doubt[] {
  const name = roots.find((root) => implicit.test(root.name))?.name;
  if (name === undefined) return [];
  const detail = `${name} is also called where its name is not written, as where an instance is made: ask for the callers of its class.`;
  return [{ kind: 'server_unavailable', detail }];
}

/** Methods that a language calls by itself. */
const implicit = /^(?:__\w+__|__construct)$/;

/** Those of some uses that are written as calls, and are not the names of declarations. */
async function callsAmong(
  context: ToolContext,
  uses: readonly Span[],
  isClass: boolean,
  call: Call,
): Promise<readonly Span[]> {
  const found: Span[] = [];
  const byFile = await groupInSlices(uses, ({ path }) => path);
  for (const [path, own] of [...byFile].slice(0, limits.candidates.outlines)) {
    const document = await context.workspace.read(path).catch(() => undefined);
    const calls = document ? own.filter(({ range }) => looksCalled(document, range, isClass)) : [];
    if (calls.length === 0) continue;
    const outline = await context.outlines.of(context, path, call).catch(() => undefined);
    const declared = namesIn(outline?.answer ?? []);
    // The name of what is declared outside of its class may be told with that of the class.
    found.push(
      ...calls.filter(({ range: { start } }) => !declared.some((selection) => contains(selection, start))),
    );
  }
  return found;
}

function looksCalled(document: Document, { start, end }: Range, isClass: boolean): boolean {
  const before = document.line(start.line).slice(0, start.character);
  if (decorates.test(before)) return true;
  if (isClass && extending.test(before)) return document.text.includes('super(');
  return opensCall.test(document.line(end.line).slice(end.character)) && !declaring.test(before);
}

/** Behind a name: its type arguments, if it has any, and a bracket. */
const opensCall = /^(?:::)?(?:<[^<>()]*>)?\(/;
/** Before the name of a decorator. */
const decorates = /(?:^|[\s;])@(?:[\w$]+\.)*$/;
/** Before the name of a class whose constructor others may call as theirs. */
const extending = /\bextends\s+(?:[\w$]+\.)*$/;
/** Before a name that is being declared, such as that of an overload. */
const declaring = /\b(?:def|fn|func|function|abstract|override|virtual|static|async|get|set)\s+$/;

function namesIn(symbols: readonly OutlineSymbol[]): Range[] {
  return symbols.flatMap(({ selection, children }) => [selection, ...namesIn(children)]);
}
