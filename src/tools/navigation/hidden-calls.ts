import type { Reply } from '../../core/backend.ts';
import { type Call, cancelSignalOf } from '../../core/call.ts';
import { compareSpans } from '../../core/compare-spans.ts';
import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import { comparePositions, contains, type Range } from '../../core/position.ts';
import type { HierarchyNode, OutlineSymbol, Span } from '../../core/question.ts';
import { hiddenCallees } from '../../source-text/hidden-callees.ts';
import { isScript } from '../../source-text/imports.ts';
import { plainCallees } from '../../source-text/plain-callees.ts';
import { type Document, rangeAt } from '../../workspace/texts/document.ts';
import { namePlaces } from '../mentions/mentions.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { spanKey } from '../show/location.ts';
import { symbolsAround } from './place-calls.ts';
import { unfollowedCalls } from './unfollowed-calls.ts';
import { followedValues } from './values/followed-values.ts';

type Trees = Reply<readonly HierarchyNode[]>;

/**
 * Adds calls that a server leaves out of what functions of scripts call, such as `s['run'](3)`: the text shows them, and the
 * definition of the name what is called.
 */
export async function withHiddenCalls(
  context: ToolContext,
  { answer, doubts }: Trees,
  depth: number,
  call: Call,
): Promise<Trees> {
  const added = await Promise.all(answer.map((node) => addTo(context, node, depth, call)));
  return {
    answer: added.map((one) => one.node),
    doubts: [...doubts, ...added.flatMap((one) => one.doubts)],
  };
}

interface Added {
  readonly node: HierarchyNode;
  readonly doubts: readonly Doubt[];
}

async function addTo(context: ToolContext, node: HierarchyNode, depth: number, call: Call): Promise<Added> {
  const { span, cut } = node;
  if (cut !== undefined || span.standing !== 'inside' || !isScript(span.path)) return { node, doubts: [] };
  const below = await withHiddenCalls(context, { answer: node.children, doubts: [] }, depth - 1, call);
  const sites = await hiddenSites(context, node, call);
  const found = await Promise.all(
    sites.slice(0, limits.candidates.asked).map((site) => calleesAt(context, site, depth, call)),
  );
  const unknown = sites.filter((_, index) => found[index] === undefined);
  const behind = await callsOfOthers(context, node, depth, call);
  const more = [...found.map((one) => one ?? nothing), ...behind];
  const children = joined([...below.answer, ...more.flatMap((one) => one.answer)]);
  return {
    node: { ...node, children },
    doubts: [
      ...below.doubts,
      ...more.flatMap((one) => one.doubts),
      ...(unknown.length > 0 ? [unknownCalls(context, unknown)] : []),
    ],
  };
}

const nothing: Trees = { answer: [], doubts: [] };

function unknownCalls({ workspace }: ToolContext, sites: readonly Span[]): Doubt {
  const detail = `The server does not list these calls, and what they call was not found: ${namePlaces(workspace, sites)}`;
  return { kind: 'unverified', detail };
}

/** Returns the names that a function calls in its text where the server lists no call. */
async function hiddenSites(
  context: ToolContext,
  { span, children }: HierarchyNode,
  call: Call,
): Promise<readonly Span[]> {
  const document = await documentAt(context, span.path);
  if (!document || hiddenCallees(span.path, document.text).length === 0) return [];
  const own = await functionAt(context, span, call);
  const listed = children.flatMap(({ sites }) => sites);
  if (!own) return [];
  return callsIn(document, own, hiddenCallees).filter(
    ({ range }) => !listed.some((site) => contains(site.range, range.start)),
  );
}

/** Returns the calls of what is imported from packages that are not built, and of the values of variables, with doubts. */
async function callsOfOthers(
  context: ToolContext,
  { span, children }: HierarchyNode,
  depth: number,
  call: Call,
): Promise<readonly Trees[]> {
  const document = await documentAt(context, span.path);
  const own = document && (await functionAt(context, span, call));
  if (!own) return [];
  const listed = children.flatMap(({ sites }) => sites);
  const sites = callsIn(document, own, plainCallees).filter(
    ({ range }) => !listed.some((site) => comparePositions(site.range.end, range.end) === 0),
  );
  const unfollowed = await unfollowedCalls(context, document, sites, call);
  const values = await followedValues(context, sites, call);
  const followed = [...unfollowed.followed, ...values.followed];
  const doubts = [...unfollowed.doubts, ...values.doubts];
  const found = await Promise.all(
    followed.map(async ({ site, sources }) => calleesOf(context, sources, site, depth, call)),
  );
  const unknown = followed.map(({ site }) => site).filter((_, index) => found[index] === undefined);
  return [
    ...found.flatMap((one) => one ?? []),
    { answer: [], doubts: unknown.length > 0 ? [...doubts, unknownCalls(context, unknown)] : doubts },
  ];
}

/** Returns the function at a place in the outline of its file. */
async function functionAt(context: ToolContext, span: Span, call: Call): Promise<OutlineSymbol | undefined> {
  const outline = await context.outlines.of(context, span.path, call).catch(() => undefined);
  cancelSignalOf(call).throwIfAborted();
  const own = symbolsAround(outline?.answer ?? [], span.range.start).at(-1);
  return own && functions.has(own.kind) ? own : undefined;
}

/** Kinds of symbols whose text a call may be in. A variable may have a function as its value. */
const functions: ReadonlySet<string> = new Set([
  ...['function', 'method', 'constructor', 'property', 'field', 'variable', 'constant'],
]);

/** Returns the names called in the text of a symbol, but not in functions inside, which call by themselves. */
function callsIn(
  document: Document,
  { range, children }: OutlineSymbol,
  calleesIn: typeof hiddenCallees,
): readonly Span[] {
  const begin = document.offsetAt(range.start);
  const text = document.text.slice(begin, document.offsetAt(range.end));
  const isOfOther = ({ name, kind, range: inner }: OutlineSymbol) =>
    !nameless.test(name) && (!values.has(kind) || /=>|\bfunction\b/.test(textOf(document, inner)));
  return calleesIn(document.path, text)
    .map(({ start, text: { length } }) => rangeAt(document, begin + start, length))
    .filter((place) => !symbolsAround(children, place.start).some(isOfOther))
    .map((place) => ({ path: document.path, range: place, standing: 'inside' }));
}

/** How servers outline a function without a name, such as a callback: what it calls counts as called by what is around it. */
const nameless = /^<|\) callback$/;

const values: ReadonlySet<string> = new Set(['property', 'field', 'variable', 'constant']);

function textOf(document: Document, { start, end }: Range): string {
  return document.text.slice(document.offsetAt(start), document.offsetAt(end));
}

/** Returns what may be called at a name, with what that calls; `undefined` if it cannot be asked. */
async function calleesAt(
  context: ToolContext,
  site: Span,
  depth: number,
  call: Call,
): Promise<Trees | undefined> {
  const place = { path: site.path, position: site.range.start };
  const defined = await context.backend.ask({ kind: 'definition', place }, call).catch(() => undefined);
  cancelSignalOf(call).throwIfAborted();
  if (!defined) return undefined;
  return calleesOf(context, defined.answer, site, depth, call);
}

/** Returns what is called at a place, given its definitions. */
async function calleesOf(
  context: ToolContext,
  defined: readonly Span[],
  site: Span,
  depth: number,
  call: Call,
): Promise<Trees | undefined> {
  const own = defined.filter(({ standing }) => standing === 'inside');
  const trees = await Promise.all(own.map((span) => calleeAt(context, span, depth, call)));
  if (trees.includes(undefined)) return undefined;
  return {
    answer: trees.flatMap((one) => one?.answer ?? []).map((node) => ({ ...node, sites: [site] })),
    doubts: trees.flatMap((one) => one?.doubts ?? []),
  };
}

/** Returns a function that is defined at a place as what is called: nothing for a parameter or other values. */
async function calleeAt(
  context: ToolContext,
  { path, range }: Span,
  depth: number,
  call: Call,
): Promise<Trees | undefined> {
  const below = Math.max(1, depth - 1);
  const question = { kind: 'calls', place: { path, position: range.start }, direction: 'outgoing' } as const;
  const reply = await context.backend.ask({ ...question, depth: below }, call).catch(() => undefined);
  cancelSignalOf(call).throwIfAborted();
  if (!reply) return undefined;
  const roots = reply.answer.filter(({ span }) => span.path === path && contains(span.range, range.start));
  if (depth > 1) return withHiddenCalls(context, { answer: roots, doubts: reply.doubts }, below, call);
  return { answer: roots.map((root) => ({ ...root, children: [], cut: 'depth' as const })), doubts: [] };
}

/** Joins nodes for the same symbol, and sorts them by place. */
function joined(nodes: readonly HierarchyNode[]): readonly HierarchyNode[] {
  const bySymbol = new Map<string, HierarchyNode>();
  for (const node of nodes) {
    const key = spanKey(node.span);
    const known = bySymbol.get(key);
    const sites = [...(known?.sites ?? []), ...node.sites].sort(compareSpans);
    bySymbol.set(key, { ...(known ?? node), sites });
  }
  return [...bySymbol.values()].sort((a, b) => compareSpans(a.span, b.span));
}
