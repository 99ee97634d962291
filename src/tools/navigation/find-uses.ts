import type { Reply } from '../../core/backend.ts';
import { type Call, cancelSignalOf, until, withinShare } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { contains } from '../../core/position.ts';
import type { Place, Span } from '../../core/question.ts';
import { joined } from '../../core/runtime/slices.ts';
import { isC } from '../../source-text/c-files.ts';
import { wordAt } from '../../source-text/words.ts';
import { checkCasts } from '../mentions/check-casts.ts';
import { unresolvedDoubts } from '../mentions/follow-imports.ts';
import { type FoundMentions, unexplainedMentionDoubts, unsettledDoubts } from '../mentions/mentions.ts';
import { withConditions } from '../mentions/not-compiled.ts';
import { searchMentions } from '../mentions/search-mentions.ts';
import { askedBeside } from '../run/asked-beside.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { uniqueSpans } from '../show/location.ts';
import { noAnswerError } from '../target/no-answer.ts';
import { cachedAt } from '../target/symbol-definition.ts';
import type { Located } from '../target/target-fields.ts';
import { implicitUses } from './implicit-uses.ts';
import { withoutMisspelt } from './misspelt-uses.ts';

/** The uses of a symbol, why there may be more, and other places that mention its name. */
export interface FoundUses extends Reply<readonly Span[]> {
  readonly mentioned: FoundMentions;
}

type Defining = Promise<Reply<readonly Span[]>>;

/**
 * Returns every use of a symbol, declarations included: those that its servers list, and those that they resolve when
 * asked about a mention. Throws if there are none. `defining` is the question for the definition at the place, if it was
 * asked already.
 */
export async function findUses(
  context: ToolContext,
  located: Located,
  call: Call,
  defining?: Defining,
): Promise<FoundUses> {
  const reply = await findAnyUses(context, located, call, defining);
  if (reply.answer.length > 0) return reply;
  const doubts =
    reply.doubts.length > 0 ? reply.doubts : await unresolvedDoubts(context, located.place, call);
  throw noAnswerError('reference', located, await withConditions(context, located.place, doubts));
}

/** Like `findUses`, but returns an empty list, unless the server contradicts itself. */
export async function findAnyUses(
  context: ToolContext,
  located: Located,
  call: Call,
  defining?: Defining,
): Promise<FoundUses> {
  const { place, name } = located;
  const told = await listedUses(context, located, call, defining);
  if (name === undefined || told.answer.length === 0) return { ...told, mentioned: nothing };
  const listed = isC(place.path)
    ? { ...told, answer: await withoutMisspelt(context, name, told.answer, call) }
    : told;
  const usesOf = async (one: Place) => findAnyUses(context, await locatedAt(context, one), call);
  const unnamed = await implicitUses(context, { name, place }, usesOf, call);
  const answer = unnamed.answer.length === 0 ? listed.answer : [...listed.answer, ...unnamed.answer];
  const mentioned = await searchMentions(context, { place, name, references: answer }, call);
  return {
    answer: mentioned.uses.length === 0 ? answer : [...answer, ...mentioned.uses],
    doubts: [
      ...unsettledDoubts(listed.doubts, mentioned),
      ...unnamed.doubts,
      ...unexplainedMentionDoubts(context, mentioned),
    ],
    mentioned,
  };
}

async function locatedAt(context: ToolContext, place: Place): Promise<Located> {
  const line = (await documentAt(context, place.path))?.line(place.position.line) ?? '';
  return { place, name: wordAt(line, place.position.character), doubts: [] };
}

const nothing: FoundMentions = { found: [], uses: [], left: 0, unasked: 0 };

/** Returns the uses that the servers list. */
async function listedUses(
  context: ToolContext,
  located: Located,
  call: Call,
  defining: Defining | undefined,
): Promise<Reply<readonly Span[]>> {
  const { place, name, also = [] } = located;
  await checkCasts(context, { name, path: place.path }, undefined, call);
  const references = referencesOf(context, [place, ...also], call);
  // Both take their time at the first call, so they run in parallel.
  const indexed = name === undefined ? undefined : context.workspace.mentioning(name, call);
  // Uses are an answer even if the definition is not known.
  const defined = cachedAt(context, place)
    ? undefined
    : askedBeside(
        withinShare(call, limits.shares.beside, (part) =>
          defining
            ? until(defining, cancelSignalOf(part))
            : context.backend.ask({ kind: 'definition', place }, part),
        ),
        noDefinition,
        call,
      );
  // It is waited for below, or not at all.
  defined?.catch(() => {});
  const [{ answer, doubts }] = await Promise.all([references, indexed]);
  if (answer.length === 0) {
    await checkEmptyAnswer(context, located, doubts, call);
    return { answer, doubts };
  }
  if (!answer.some((span) => covers(span, place))) return { answer, doubts: [...doubts, omittedPlace] };
  const found = await defined;
  cancelSignalOf(call).throwIfAborted();
  const definitions = found?.value?.answer ?? [];
  const more = await usesByOtherNames(context, located, { known: answer, definitions }, call);
  const all = [...doubts, ...(found?.doubts ?? []), ...(more?.doubts ?? [])];
  return { answer: more ? uniqueSpans([...answer, ...more.answer]) : answer, doubts: all };
}

/** The doubt if the uses of a symbol, with which an answer is compared, are not known in time. */
export const usesTookTooLong: Doubt = {
  kind: 'timed_out',
  detail: 'The search for its uses took too long to compare them with this. Call again to continue.',
};

const noDefinition = 'The server did not say where it is defined: uses by other names may be missing.';

/**
 * Asked about a name that an import or export gives to a symbol, some servers report the uses of that name only,
 * without the definition. If the uses of the definition include the place, those are the ones that are meant.
 */
async function usesByOtherNames(
  context: ToolContext,
  { place }: Located,
  { known, definitions }: { readonly known: readonly Span[]; readonly definitions: readonly Span[] },
  call: Call,
): Promise<Reply<readonly Span[]> | undefined> {
  const starts = definitions.map(({ path, range }) => ({ path, position: range.start }));
  if (starts.some((start) => known.some((span) => covers(span, start)))) return undefined;
  // The definition of a module is the beginning of its file, which is not a name.
  const [first] = starts.filter(
    ({ position: { line, character } }, index) =>
      line + character > 0 && definitions[index]?.standing === 'inside',
  );
  if (first === undefined) return undefined;
  const reply = await referencesOf(context, [first], call);
  return reply.answer.some((span) => covers(span, place)) ? reply : undefined;
}

/** Asks about every place, since a type and a value of one name have separate uses. */
async function referencesOf(
  { backend }: ToolContext,
  places: readonly Place[],
  call: Call,
): Promise<Reply<readonly Span[]>> {
  const replies = await Promise.all(places.map((place) => backend.ask({ kind: 'references', place }, call)));
  const doubts = replies.flatMap((reply) => reply.doubts);
  return { answer: joined(replies.map(({ answer }) => answer)), doubts };
}

/** Throws if the symbol has a definition: it was asked for too, so an empty answer is a contradiction. */
async function checkEmptyAnswer(
  { backend }: ToolContext,
  located: Located,
  doubts: readonly Doubt[],
  call: Call,
): Promise<void> {
  const { answer: definitions } = await backend.ask({ kind: 'definition', place: located.place }, call);
  if (definitions.length === 0) return;
  const contradiction =
    'The server finds the definition of this symbol but no reference, not even the declaration.';
  throw new LspanError(
    'server_unverified',
    [contradiction, ...new Set(doubts.map(({ detail }) => detail))].join(' '),
    { nextStep: 'Call again; if it fails again, search the text: this server is unreliable here.' },
  );
}

function covers({ path, range }: Span, place: Place): boolean {
  return path === place.path && contains(range, place.position);
}

/** A server that omits the very place that it was asked about does not see all uses. */
const omittedPlace: Doubt = {
  kind: 'server_unavailable',
  detail: 'The server omitted the given position itself, so it may have missed other uses too.',
};
