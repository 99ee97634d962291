import type { Reply } from '../../../core/backend.ts';
import { withinPart } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import { limits } from '../../../core/limits.ts';
import type { AnswerOf, Place, QuestionKind, Span } from '../../../core/question.ts';
import { searchOf } from '../questions/row.ts';
import { rows } from '../questions/table.ts';
import { usesInOtherLanguages } from '../search/cross-language-uses.ts';
import { isOfFileOnly } from '../search/file-only.ts';
import { nameAt } from '../search/search-by-name.ts';
import type { ServerSlot } from '../session/server-slot.ts';
import type { AskServer } from './ask-servers.ts';
import type { AskedQuestion, Stage } from './stage.ts';

/** Adds uses that only the servers of other languages know, and doubts about servers that are not trusted. */
export function addFromOtherServers(askServer: AskServer): Stage<'question'> {
  return async (asked, next) => {
    const { row, question, workspace, blocked } = asked;
    const { answer, doubts } = await next(asked);
    if (row.ofOneText) return { answer, doubts };
    // An answer found by position is correct, whatever else may be missing.
    if (!searchOf(row, question) && !row.union && row.count(answer, question) > 0) return { answer, doubts };
    if (await isOfFile(asked)) return { answer, doubts };
    const untrusted = await concerned(asked, blocked());
    const find = (place: Place, known: readonly Span[]) => usesElsewhere(asked, place, known, askServer);
    const more = await row.addFromOtherServers?.(question, answer, find, workspace);
    return { answer: more?.answer ?? answer, doubts: [...doubts, ...(more?.doubts ?? []), ...untrusted] };
  };
}

/** True if a module has the name to itself, so that no other server can say anything about it. */
async function isOfFile<K extends QuestionKind>({
  row,
  question,
  workspace,
}: AskedQuestion<K>): Promise<boolean> {
  const rule = searchOf(row, question);
  const place = rule?.from?.(question);
  return place !== undefined && isOfFileOnly(workspace, rule, question, place);
}

/** Keeps doubts about servers that could say something about a file that mentions the name and that nobody else serves. */
async function concerned<K extends QuestionKind>(
  { row, question, workspace, router, slots, candidateFiles, call }: AskedQuestion<K>,
  untrusted: readonly Doubt[],
): Promise<readonly Doubt[]> {
  const place = untrusted.length === 0 ? undefined : searchOf(row, question)?.from?.(question);
  const name = place && (await nameAt(workspace, place));
  const files = name === undefined ? candidateFiles : await workspace.mentioning(name, call);
  if (files === undefined) return untrusted;
  return untrusted.filter(({ server }) => router.isConcerned(server, files, slots));
}

function usesElsewhere<K extends QuestionKind>(
  asked: AskedQuestion<K>,
  place: Place,
  known: readonly Span[],
  askServer: AskServer,
): Promise<Reply<readonly Span[]>> {
  const { router, workspace } = asked;
  if (router.seeing(place.path).length === 0) return Promise.resolve({ answer: known, doubts: [] });
  return withinPart(asked.call, { share: limits.shares.servers }, (call) => {
    const ask = (slot: ServerSlot, mention: Place): Promise<Reply<AnswerOf<'references'>>> =>
      askServer<'references'>(
        { ...asked, row: rows.references, question: { kind: 'references', place: mention }, call },
        slot,
      );
    return usesInOtherLanguages({ router, workspace, ask }, place, known, call);
  });
}
