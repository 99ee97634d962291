import type { Reply } from '../../core/backend.ts';
import { type Call, cancelSignalOf } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { LspanError } from '../../core/errors.ts';
import { contains } from '../../core/positions.ts';
import type { Place, Span } from '../../core/questions.ts';
import { joined } from '../../core/runtime/slices.ts';
import type { ToolContext } from '../run/tool.ts';
import { uniqueSpans } from '../show/location.ts';
import { noAnswerError } from '../target/no-answer.ts';
import { cachedAt } from '../target/symbol-definition.ts';
import type { Located } from '../target/target-fields.ts';

/** Every use of a symbol as its servers tell them, the declaration among them; nothing at all is an error. */
export async function findUses(
  context: ToolContext,
  located: Located,
  call: Call,
): Promise<Reply<readonly Span[]>> {
  const reply = await findAnyUses(context, located, call);
  if (reply.answer.length === 0) throw noAnswerError('reference', located, reply.doubts);
  return reply;
}

/** The same where nothing at all is an answer too, unless the server contradicts itself. */
export async function findAnyUses(
  context: ToolContext,
  located: Located,
  call: Call,
): Promise<Reply<readonly Span[]>> {
  const { place, name, also = [] } = located;
  const asked = referencesOf(context, [place, ...also], call);
  // Both take their time at the first call, so they go side by side.
  const indexed = name === undefined ? undefined : context.workspace.mentioning(name, call);
  // Uses are an answer also where the definition cannot be told.
  const defined = cachedAt(context, place)
    ? undefined
    : context.backend.ask({ kind: 'definition', place }, call).catch(() => undefined);
  const [{ answer, doubts }] = await Promise.all([asked, indexed]);
  if (answer.length === 0) {
    await checkNothing(context, located, doubts, call);
    return { answer, doubts };
  }
  if (!answer.some((span) => covers(span, place))) return { answer, doubts: [...doubts, leftOut] };
  const definitions = (await defined)?.answer ?? [];
  cancelSignalOf(call).throwIfAborted();
  const more = await usesByOtherNames(context, located, { known: answer, definitions }, call);
  return more === undefined
    ? { answer, doubts }
    : { answer: uniqueSpans([...answer, ...more.answer]), doubts: [...doubts, ...more.doubts] };
}

/**
 * Asked about a name that an import or an export gives to something, some servers tell the uses of that name only, and
 * leave out the definition. Its uses, if the place is one of them, are those that are meant.
 */
async function usesByOtherNames(
  context: ToolContext,
  { place }: Located,
  { known, definitions }: { readonly known: readonly Span[]; readonly definitions: readonly Span[] },
  call: Call,
): Promise<Reply<readonly Span[]> | undefined> {
  const starts = definitions.map(({ path, range }) => ({ path, position: range.start }));
  if (starts.some((start) => known.some((span) => covers(span, start)))) return undefined;
  // A module is defined by the beginning of its file, which is no name.
  const [first] = starts.filter(
    ({ position: { line, character } }, index) =>
      line + character > 0 && definitions[index]?.standing === 'inside',
  );
  if (first === undefined) return undefined;
  const reply = await referencesOf(context, [first], call);
  return reply.answer.some((span) => covers(span, place)) ? reply : undefined;
}

/** Of a type and a value that share a name, a server tells the uses of either. */
async function referencesOf(
  { backend }: ToolContext,
  places: readonly Place[],
  call: Call,
): Promise<Reply<readonly Span[]>> {
  const asked = await Promise.all(places.map((place) => backend.ask({ kind: 'references', place }, call)));
  return { answer: joined(asked.map(({ answer }) => answer)), doubts: asked.flatMap(({ doubts }) => doubts) };
}

/** The declaration was asked for too, so nothing at all for a symbol that resolves is a contradiction. */
async function checkNothing(
  { backend }: ToolContext,
  located: Located,
  doubts: readonly Doubt[],
  call: Call,
): Promise<void> {
  const { answer: definitions } = await backend.ask({ kind: 'definition', place: located.place }, call);
  if (definitions.length === 0) return;
  const contradiction =
    'The server finds the definition of this symbol but not one reference, not even the declaration itself.';
  throw new LspanError(
    'server_unverified',
    [contradiction, ...new Set(doubts.map(({ detail }) => detail))].join(' '),
    { nextStep: 'Call again; if it stays so, search the text: this server cannot be relied on here.' },
  );
}

function covers({ path, range }: Span, place: Place): boolean {
  return path === place.path && contains(range, place.position);
}

/** A server that does not even list the place that was asked about does not see all uses of the symbol. */
const leftOut: Doubt = {
  kind: 'server_unavailable',
  detail: 'The server left out the very place that was asked about, so it may have missed other uses too.',
};
