import type { Reply } from '../../../core/backend.ts';
import type { AnswerOf, QuestionKind } from '../../../core/question.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import type { Translation } from '../convert/translation.ts';
import { type ChangesSince, changesSince } from '../documents/changes-since.ts';
import type { Session } from '../session/session.ts';
import type { Next, ServerAsked } from './stage.ts';

/** Sends every changed document to the session, then asks. */
export async function syncDocuments<K extends QuestionKind>(
  { workspace, row, question, call, session }: ServerAsked<K>,
  next: Next<'session'>,
): Promise<Reply<AnswerOf<K>>> {
  const since = changesSince(workspace);
  const translation = translationFor(session, workspace, since);
  const answersUnopened = session.definition.sync?.answersUnopened?.includes(question.kind);
  const path = answersUnopened ? undefined : row.path(question);
  const answered = session.documents
    .sync(path === undefined ? [] : [path])
    .then(() => next<K>({ workspace, row, question, call, session, translation, attempt: 1 }));
  return answered.finally(() => since.end());
}

/** Returns the translation for a session that was sent the changes before. */
export function translationFor(
  { definition, encoding, documents }: Session,
  workspace: Workspace,
  since: ChangesSince,
): Translation {
  const told = { version: (path: string) => documents.version(path), isOld: since.has };
  const { id, search, edits, quirks } = definition;
  const wordQuery = search?.symbolQuery ?? asGiven;
  const countsMark = (path: string) => !documents.isOpen(path);
  const habits = {
    ...(edits?.columnsBeyondLineEnd && { columnsBeyondLineEnd: true as const }),
    ...(quirks?.countsByteOrderMark && { countsMark }),
  };
  return { server: id, workspace, encoding, wordQuery, told, ...habits };
}

function asGiven(query: string): string {
  return query;
}
