import { type Call, cancelSignalOf } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import { limits } from '../../../core/limits.ts';
import { contains } from '../../../core/position.ts';
import type { Place, Span } from '../../../core/question.ts';
import { isScript } from '../../../source-text/imports.ts';
import { assignmentsOf, heldValues } from '../../../source-text/names/held-values.ts';
import { wordAround } from '../../../source-text/words.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import { namePlaces } from '../../mentions/mentions.ts';
import type { ToolContext } from '../../run/tool.ts';
import { documentAt } from '../../show/document-at.ts';
import { spanKey } from '../../show/location.ts';
import type { FollowedCall, UnfollowedCalls } from '../unfollowed-calls.ts';

/**
 * Follows calls of variables, properties and parameters to the functions that the text gives them: `run` for `go(3)` after
 * `const go = run`. A call of what another function made of such a value stays in doubt.
 */
export async function followedValues(
  context: ToolContext,
  sites: readonly Span[],
  call: Call,
): Promise<UnfollowedCalls> {
  const asked = sites.slice(0, limits.callers.outlines);
  const found = await Promise.all(asked.map((site) => followValue(context, site, call)));
  const followed = found.flatMap(({ sources, site }) => (sources.length > 0 ? [{ site, sources }] : []));
  const unknown = found.filter(({ isUnknown }) => isUnknown).map(({ site }) => site);
  return { followed, doubts: unknown.length > 0 ? [unknownValues(context, unknown)] : [] };
}

function unknownValues({ workspace }: ToolContext, sites: readonly Span[]): Doubt {
  const detail = `These calls call what another call made of a function, which is not followed: ${namePlaces(workspace, sites)}`;
  return { kind: 'unverified', detail };
}

interface FollowedValue extends FollowedCall {
  /** True if something may be called that the text does not tell. */
  readonly isUnknown: boolean;
}

async function followValue(context: ToolContext, site: Span, call: Call): Promise<FollowedValue> {
  const seen = new Set<string>();
  const sources: Span[] = [];
  let isUnknown = false;
  const follow = async (span: Span): Promise<void> => {
    if (seen.has(spanKey(span)) || span.standing !== 'inside') return;
    if (seen.size >= limits.candidates.asked) {
      isUnknown = true;
      return;
    }
    seen.add(spanKey(span));
    const { held, given } = await valuesAt(context, span, call);
    if (held.length === 0) sources.push(span);
    for (const one of held) for (const next of await definedAt(context, one, call)) await follow(next);
    for (const one of given) isUnknown ||= await isFunction(context, one, call);
  };
  for (const span of await definedAt(context, site, call)) {
    // A method looks like a call of itself where it is declared.
    if (span.path === site.path && contains(span.range, site.range.start)) continue;
    await follow(span);
    // A name that is taken out of an object is defined again by the property.
    for (const other of await definedAt(context, span, call)) await follow(other);
  }
  return { site, sources, isUnknown };
}

/** Returns the definitions of what is at the start of a span; none if it cannot be asked. */
async function definedAt(
  { backend }: ToolContext,
  { path, range }: Pick<Span, 'path' | 'range'>,
  call: Call,
): Promise<readonly Span[]> {
  const place = { path, position: range.start };
  const reply = await backend.ask({ kind: 'definition', place }, call).catch(() => undefined);
  cancelSignalOf(call).throwIfAborted();
  return reply?.answer ?? [];
}

interface Values {
  readonly held: readonly Span[];
  readonly given: readonly Span[];
}

/** Returns the names in the values that the name at a span is declared with and gets later in its file. */
async function valuesAt(context: ToolContext, span: Span, call: Call): Promise<Values> {
  const document = await documentAt(context, span.path);
  const { line, character } = span.range.start;
  const word = document && wordAround(document.line(line), character);
  if (!document || !word || !isScript(span.path)) return { held: [], given: [] };
  const start = document.offsetAt({ line, character: word.start });
  const places = [
    start,
    ...(await ownAssignments(context, document, { start, text: word.text }, span, call)),
  ];
  const values = places.map((at) => heldValues(span.path, document.text, at));
  const toSpan = (at: number): Span => spanAt(document, at);
  return {
    held: values.flatMap(({ held }) => held.map(toSpan)),
    given: values.flatMap(({ given }) => given.map(toSpan)),
  };
}

function spanAt(document: Document, offset: number): Span {
  const start = document.positionAt(offset);
  return { path: document.path, range: { start, end: start }, standing: 'inside' };
}

/** Returns where a variable gets another value, and not another variable of its name. */
async function ownAssignments(
  context: ToolContext,
  document: Document,
  word: { readonly start: number; readonly text: string },
  { range }: Span,
  call: Call,
): Promise<readonly number[]> {
  const places = assignmentsOf(document.text, word).slice(0, limits.candidates.asked);
  const own = await Promise.all(
    places.map(async (at) => {
      const defined = await definedAt(context, spanAt(document, at), call);
      return defined.some((one) => one.path === document.path && contains(one.range, range.start));
    }),
  );
  return places.filter((_, index) => own[index]);
}

/** True if a function of the workspace is at a place. */
async function isFunction(context: ToolContext, span: Span, call: Call): Promise<boolean> {
  const defined = await definedAt(context, span, call);
  const own = defined.filter(({ standing }) => standing === 'inside');
  const asked = own.map(({ path, range }) => isCallable(context, { path, position: range.start }, call));
  return (await Promise.all(asked)).includes(true);
}

async function isCallable({ backend }: ToolContext, place: Place, call: Call): Promise<boolean> {
  const question = { kind: 'calls', place, direction: 'outgoing', depth: 1 } as const;
  const reply = await backend.ask(question, call).catch(() => undefined);
  cancelSignalOf(call).throwIfAborted();
  return (
    reply?.answer.some(({ span }) => span.path === place.path && contains(span.range, place.position)) ===
    true
  );
}
