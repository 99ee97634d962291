import type { Reply } from '../../../core/backend.ts';
import type { AnswerOf, Place, Question, QuestionKind, Span } from '../../../core/question.ts';
import { ownNameIn } from '../../../workspace/texts/own-name.ts';
import { type FollowUp, type SearchRule, searchOf } from '../questions/row.ts';
import { rows } from '../questions/table.ts';
import { aliasedUses } from '../search/aliased-uses.ts';
import { isOfFileOnly } from '../search/file-only.ts';
import { searchByName } from '../search/search-by-name.ts';
import { searchByUses } from '../search/search-by-uses.ts';
import { type UseSearch, unreportedUses } from '../search/unreported-uses.ts';
import type { Next, ServerAsked } from './stage.ts';

/** Makes the server see every file concerned before it searches, and adds the uses that it misses. */
export async function coverage<K extends QuestionKind>(
  asked: ServerAsked<K>,
  next: Next<'server'>,
): Promise<Reply<AnswerOf<K>>> {
  const { row, question, projects, session, candidateFiles } = asked;
  const search = searchOf(row, question);
  if (!search) return next<K>(asked);
  const place = search.from?.(question);
  if (place) return searchFrom(asked, search, place, next);
  const unloaded = await projects.load(session, async () => candidateFiles);
  const { answer, doubts } = await next<K>(asked);
  return { answer, doubts: [...unloaded, ...doubts] };
}

/** Searches for the symbol at a place. */
async function searchFrom<K extends QuestionKind>(
  asked: ServerAsked<K>,
  rule: SearchRule<K>,
  place: Place,
  next: Next<'server'>,
): Promise<Reply<AnswerOf<K>>> {
  const { workspace, projects, session, question, call } = asked;
  const { found, follow, add, byUses } = rule;
  const useSearch = useSearchOf(asked, next);
  if (await isOfFile<K>(useSearch, rule, question, place)) {
    const reply = await next<K>(asked);
    // Nothing elsewhere is a use, so nothing else must be loaded, and nothing is overlooked.
    if (found(reply.answer).every(({ path }) => path === place.path)) return reply;
  }
  const search = { workspace, projects, session, ask: () => next<K>(asked), found };
  const uses = { service: question.kind, uses: (at: Place) => usesAt(asked, at, next) };
  const reply = await (byUses ? searchByUses(search, uses, place, call) : searchByName(search, place, call));
  const followUp = followUpOf(asked, useSearch, next);
  const further = await follow?.(reply.answer, question, followUp, call);
  const whole = further ? { ...further, doubts: [...reply.doubts, ...further.doubts] } : reply;
  const find = async (known: readonly Span[]) =>
    unreportedUses(useSearch, place, await aliasedUses(useSearch, known), call);
  const more = await add?.(whole.answer, find, question, followUp, call);
  return more ? { answer: more.answer, doubts: [...whole.doubts, ...more.doubts] } : whole;
}

/** True if nothing outside the file is an answer. What a file calls another module of the workspace is a use of that. */
async function isOfFile<K extends QuestionKind>(
  { workspace, means }: UseSearch,
  rule: SearchRule<K>,
  question: Question<K>,
  place: Place,
): Promise<boolean> {
  if (await isOfFileOnly(workspace, rule, question, place)) return true;
  if (rule.byUses || (await ownNameIn(workspace, place)) !== 'module') return false;
  return (await means(place)).every(({ path, standing }) => path === place.path || standing !== 'inside');
}

function followUpOf<K extends QuestionKind>(
  asked: ServerAsked<K>,
  { workspace, definition, means }: UseSearch,
  next: Next<'server'>,
): FollowUp<K> {
  const again = async (place: Place) =>
    (await next<K>({ ...asked, question: { ...asked.question, place } })).answer;
  return { definition, workspace, again, means };
}

function useSearchOf<K extends QuestionKind>(asked: ServerAsked<K>, next: Next<'server'>): UseSearch {
  const { workspace, session } = asked;
  return {
    workspace,
    definition: session.definition,
    root: session.root,
    means: async (place) =>
      (await next<'definition'>({ ...asked, row: rows.definition, question: { kind: 'definition', place } }))
        .answer,
    uses: async (place) => (await usesAt(asked, place, next)).answer,
  };
}

/** Returns the server's references; empty if it does not support them, as some servers that rename. */
async function usesAt<K extends QuestionKind>(
  asked: ServerAsked<K>,
  place: Place,
  next: Next<'server'>,
): Promise<Reply<readonly Span[]>> {
  const { method, capability } = rows.references;
  if (!asked.session.capabilities.supports(method, capability)) return { answer: [], doubts: [] };
  return next<'references'>({ ...asked, row: rows.references, question: { kind: 'references', place } });
}
