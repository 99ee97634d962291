import type { Reply } from '../../../core/backend.ts';
import type { AnswerOf, QuestionKind } from '../../../core/questions.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import type { Translation } from '../convert/translation.ts';
import { type ChangesSince, changesSince } from '../documents/changes-since.ts';
import type { Session } from '../session/session.ts';
import type { Next, ServerAsked } from './stage.ts';

/** Sends the session every document that changed, then asks. */
export async function syncDocuments<K extends QuestionKind>(
  { workspace, row, question, call, session }: ServerAsked<K>,
  next: Next<'session'>,
): Promise<Reply<AnswerOf<K>>> {
  const since = changesSince(workspace);
  const translation = translationFor(session, workspace, since);
  const answersUnopened = session.definition.answersUnopened?.includes(question.kind);
  const path = answersUnopened ? undefined : row.path(question);
  const answered = session.documents
    .sync(path === undefined ? [] : [path])
    .then(() => next<K>({ workspace, row, question, call, session, translation, attempt: 1 }));
  return answered.finally(() => since.end());
}

/** How questions and answers are worded for a session that was sent the changes before. */
export function translationFor(
  { definition, encoding, documents }: Session,
  workspace: Workspace,
  since: ChangesSince,
): Translation {
  const told = { version: (path: string) => documents.version(path), isOld: since.has };
  const { id, symbolQuery: wordQuery = asGiven, columnsOverBreaks } = definition;
  const countsMark = (path: string) => !documents.isOpen(path);
  const habits = {
    ...(columnsOverBreaks && { columnsOverBreaks }),
    ...(definition.countsMark && { countsMark }),
  };
  return { server: id, workspace, encoding, wordQuery, told, ...habits };
}

function asGiven(query: string): string {
  return query;
}
