import type { Reply } from '../../../core/backend.ts';
import { type Call, withinPart } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import { limits } from '../../../core/limits.ts';
import type { AnswerOf, QuestionKind } from '../../../core/question.ts';
import { languageOf } from '../../../servers/language-of.ts';
import { copyDoubts, oldAnswers } from '../doubts/running-server.ts';
import { unsavedFileDoubts } from '../doubts/unsaved-files.ts';
import { unsavedImportDoubts } from '../doubts/unsaved-imports.ts';
import { refusedSilently } from '../errors/refusals.ts';
import { cappedDoubts, emptyAfterRestart, outdatedDoubt, restartedDoubt } from '../errors/server-errors.ts';
import { searchOf } from '../questions/row.ts';
import { isOfFileOnly } from '../search/file-only.ts';
import { nameAt } from '../search/search-by-name.ts';
import type { ServerSlot } from '../session/server-slot.ts';
import { isCapable } from './session-stages.ts';
import type { AskedQuestion, Next, ServerAsked } from './stage.ts';

/** Asks in a session of the slot, and doubts the answer if the server crashed or must restart. */
export async function useServer<K extends QuestionKind>(
  { workspace, projects, row, question, call, candidateFiles, recent, use }: AskedQuestion<K>,
  slot: ServerSlot,
  next: Next<'server'>,
): Promise<Reply<AnswerOf<K>>> {
  const { definition } = slot;
  const ask = (part: Call) =>
    use(slot, question.kind, part, (session, inner) =>
      next<K>({ workspace, projects, row, question, call: inner, candidateFiles, recent, session }),
    );
  const mayWait = call.isBeside && definition.mayWaitForNetwork;
  const { value, restarted } = await (mayWait ? withinPart(call, { most: limits.network }, ask) : ask(call));
  const outdated = slot.outdated ? [outdatedDoubt(definition)] : [];
  const doubts = [...value.doubts, ...outdated];
  const isEmpty = row.count(value.answer, question) === 0;
  if (restarted && isEmpty) throw emptyAfterRestart(definition, restarted);
  if (row.refusal && isEmpty) throw refusedSilently(definition.id, row.refusal, doubts);
  const again = restarted ? [restartedDoubt(definition, restarted)] : [];
  return { answer: value.answer, doubts: [...doubts, ...again] };
}

/** Skips a server that opts out of an optional question. */
export async function wanted<K extends QuestionKind>(
  asked: ServerAsked<K>,
  next: Next<'server'>,
): Promise<Reply<AnswerOf<K>>> {
  const { row, question, session, workspace, call } = asked;
  const { optional, method, capability } = row;
  if (!optional) return next<K>(asked);
  const isWanted =
    (await isCapable(session, row, call)) &&
    optional.wants(question, session.capabilities.everyOptions(method, capability), workspace);
  return isWanted ? next<K>(asked) : { answer: optional.nothing, doubts: [] };
}

/** Adds why the answer of this server may be incomplete. */
export async function serverDoubts<K extends QuestionKind>(
  asked: ServerAsked<K>,
  next: Next<'server'>,
): Promise<Reply<AnswerOf<K>>> {
  const { row, question, session, workspace, call } = asked;
  const { definition } = session;
  const { answer, doubts } = await next<K>(asked);
  const count = row.count(answer, question);
  // An answer found by position is correct, whatever else may be missing.
  const running =
    searchOf(row, question) || count === 0
      ? await doubtsOfSearch(asked)
      : [
          ...unsavedFileDoubts(session, workspace, { service: question.kind, path: row.path(question) }),
          ...session.unreadDoubts(),
          ...copyDoubts(definition),
          ...oldAnswers(definition),
        ];
  return {
    answer,
    doubts: [
      ...cappedDoubts(definition, question.kind, count),
      ...running,
      ...(await unsavedImportDoubts(session, workspace, call)),
      ...((await row.doubts?.(question, definition, workspace)) ?? []),
      ...doubts,
    ],
  };
}

/**
 * Returns the doubts of the server, without those about files that it has not opened if it has opened all concerned, and
 * about many files with the name if there are few.
 */
async function doubtsOfSearch<K extends QuestionKind>(asked: ServerAsked<K>): Promise<readonly Doubt[]> {
  const { session, question } = asked;
  const all = session.doubtsAbout(question.kind);
  if (!all.some(({ unopened, aboveMentions }) => unopened || aboveMentions !== undefined)) return all;
  const concerned = await concernedFiles(asked);
  const hasOpened = concerned?.every((path) => session.documents.isOpen(path)) === true;
  const count = concerned?.length ?? Number.POSITIVE_INFINITY;
  return all.flatMap(({ unopened, aboveMentions = -1, ...doubt }) =>
    (unopened && hasOpened) || count <= aboveMentions ? [] : [doubt],
  );
}

/** Returns the files of the server that mention the name; `undefined` if there is no name. */
async function concernedFiles<K extends QuestionKind>({
  row,
  question,
  session: { definition, root },
  workspace,
  candidateFiles,
  call,
}: ServerAsked<K>): Promise<readonly string[] | undefined> {
  const rule = searchOf(row, question);
  const place = rule?.from?.(question);
  if (place && (await isOfFileOnly(workspace, rule, question, place))) return [place.path];
  const name = place && (await nameAt(workspace, place));
  const files = name === undefined ? candidateFiles : await workspace.mentioning(name, call);
  const isOwn = (path: string) =>
    workspace.rootOf(path) === root && languageOf(path, definition) !== undefined;
  return files?.filter(isOwn);
}
