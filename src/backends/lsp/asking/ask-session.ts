import type { Reply } from '../../../core/backend.ts';
import { type Call, cancelSignalOf } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import type { AnswerOf, Question, QuestionKind } from '../../../core/questions.ts';
import type { Json } from '../../../core/runtime/json.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import type { Translation } from '../convert/translation.ts';
import { askDiagnostics } from '../diagnostics/ask-diagnostics.ts';
import { type ChangesSince, changesSince } from '../documents/changes-since.ts';
import { notAble } from '../errors/no-server.ts';
import { asRefusal } from '../errors/refusals.ts';
import { ResponseError } from '../protocol/message.ts';
import type { Row, Variant } from '../questions/row.ts';
import { rows } from '../questions/table.ts';
import { stillLoading } from '../session/await-ready.ts';
import { requestWithRetry } from '../session/request-retry.ts';
import type { Session } from '../session/session.ts';

/** Asks one server one question: text goes out first, then the server gets ready, then the question. */
export async function askSession<K extends QuestionKind>(
  session: Session,
  workspace: Workspace,
  question: Question<K>,
  call: Call,
): Promise<Reply<AnswerOf<K>>> {
  const since = changesSince(workspace);
  const answered = askSynced(session, { workspace, since }, question, call);
  return answered.finally(() => since.end());
}

async function askSynced<K extends QuestionKind>(
  session: Session,
  { workspace, since }: { readonly workspace: Workspace; readonly since: ChangesSince },
  question: Question<K>,
  call: Call,
): Promise<Reply<AnswerOf<K>>> {
  const row: Row<K> = rows[question.kind];
  const translation = translationFor(session, workspace, since);
  await session.documents.sync(documentsOf(session, row, question));
  for (let attempt = 1; ; attempt += 1) {
    const doubts = await session.ready(call);
    if (attempt === 1) await ensureCapable(session, row, question, call);
    const { reloads } = session.readiness;
    const { answer, doubts: partial } = await sendParts(session, translation, row, question, call);
    const isSteady = session.readiness.isReady && session.readiness.reloads === reloads;
    if (isSteady || isEnough(session, row.count(answer, question), doubts))
      return { answer, doubts: [...doubts, ...partial] };
    if (attempt === limits.emptyAnswer.attempts)
      return { answer, doubts: [...partial, notKnownReady(session)] };
    if (!session.readiness.hasSignal) await session.nextEvent(limits.emptyAnswer.wait, cancelSignalOf(call));
  }
}

/**
 * Whether to make do with the answer of a server that is not known as ready: it was waited for as long as may be, or
 * never tells and found something. One that began to load while it was answering is asked again.
 */
function isEnough({ readiness }: Session, size: number, doubts: readonly Doubt[]): boolean {
  return doubts.length > 0 || (!readiness.hasSignal && size > 0);
}

/** Some servers register what they can do only after the handshake, even after they are ready: each gets a moment. */
export async function isCapable(
  session: Session,
  { method, capability }: Pick<Variant, 'method' | 'capability'>,
  call: Call,
): Promise<boolean> {
  const { capabilities, readiness } = session;
  const able = () => capabilities.supports(method, capability);
  const mayBecomeSo = () => !readiness.isReady || !(capabilities.hasRegistered || capabilities.waitedFor);
  for (let attempt = 1; !able() && mayBecomeSo() && attempt < limits.emptyAnswer.attempts; attempt += 1) {
    await session.nextEvent(limits.emptyAnswer.wait, cancelSignalOf(call));
  }
  capabilities.waitedFor ||= !able();
  return able();
}

async function ensureCapable<K extends QuestionKind>(
  session: Session,
  row: Row<K>,
  question: Question<K>,
  call: Call,
): Promise<void> {
  const variant = row.variant?.(question);
  if (await isCapable(session, variant ?? row, call)) return;
  const part = variant ? ' about parts of a document' : '';
  throw unable(session, question.kind, part, variant?.nextStep);
}

function unable(
  { definition: { id } }: Session,
  service: QuestionKind,
  part = '',
  nextStep?: string,
): LspanError {
  return notAble(`${id} does not answer`, service, part, nextStep);
}

/** Asks the questions of which one consists, each with the problems that belong to it. */
async function sendParts<K extends QuestionKind>(
  session: Session,
  plain: Translation,
  row: Row<K>,
  question: Question<K>,
  call: Call,
): Promise<Reply<AnswerOf<K>>> {
  const heard = await problemsWith(session, plain.workspace, row, question, call);
  const translation = { ...plain, problems: heard.answer };
  const ask = (part: Question<K>) => sendQuestion(session, translation, row, part, call);
  if (!row.parts) return { answer: await ask(question), doubts: heard.doubts };
  const parts = await row.parts.of(question, translation);
  const answer = row.parts.join(await Promise.all(parts.answer.map(ask)));
  return { answer, doubts: [...heard.doubts, ...parts.doubts] };
}

/** What the server itself says of the document, where that belongs to the question. */
async function problemsWith<K extends QuestionKind>(
  session: Session,
  workspace: Workspace,
  row: Row<K>,
  question: Question<K>,
  call: Call,
): Promise<Reply<readonly unknown[]>> {
  const path = row.withProblems ? row.path(question) : undefined;
  if (path === undefined) return { answer: [], doubts: [] };
  const { own, sent } = await askDiagnostics(session, workspace, path, call);
  if (own.state === 'fresh') return { answer: sent, doubts: [] };
  const server = session.definition.id;
  const detail = `${server} is not known to have checked the present text of ${workspace.show(path)}, so that what it offers may be incomplete.`;
  // What was said of an older text names places that may be others by now.
  return { answer: own.state === 'stale' ? [] : sent, doubts: [{ kind: 'indexing', server, detail }] };
}

async function sendQuestion<K extends QuestionKind>(
  session: Session,
  translation: Translation,
  row: Row<K>,
  question: Question<K>,
  call: Call,
): Promise<AnswerOf<K>> {
  const { definition, capabilities } = session;
  call.report(`Waiting for ${definition.id} to answer`);
  const { method: usual } = row.variant?.(question) ?? row;
  const send = (params: Json, method = usual) =>
    requestWithRetry(session, method, params, call).catch((error: unknown) => {
      if (row.refusal === undefined && saysNothing(definition, error)) return null;
      if (error instanceof LspanError && error.code === 'not_supported')
        throw unable(session, question.kind, method === usual ? '' : ' of this kind');
      throw row.refusal === undefined ? error : asRefusal(error, definition.id, row.refusal);
    });
  const optionsOf = (method: string, capability: string) => capabilities.everyOptions(method, capability);
  const line = { options: optionsOf(row.method, row.capability), optionsOf, send };
  const read = (raw: unknown) => row.answer(raw, question, translation, line);
  if (row.request) return read(await row.request(question, translation, line));
  const params = await row.params(question, translation);
  const instead = definition.instead?.[question.kind];
  if (!instead) return read(await send(params));
  const command = { command: instead.command, arguments: instead.arguments(params) };
  const raw = await requestWithRetry(session, 'workspace/executeCommand', command, call);
  return read(instead.answer(raw));
}

/** Whether an error of a server is its way to say that there is nothing. */
function saysNothing({ findsNothing }: Session['definition'], error: unknown): boolean {
  if (!findsNothing || !(error instanceof LspanError)) return false;
  return error.cause instanceof ResponseError && findsNothing.test(error.cause.message);
}

/** How questions and answers are worded for a session that was told what changed before. */
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

function documentsOf<K extends QuestionKind>(session: Session, row: Row<K>, question: Question<K>): string[] {
  const path = row.path(question);
  if (path === undefined) return [];
  return session.definition.answersUnopened?.includes(question.kind) ? [] : [path];
}

function notKnownReady(session: Session): Doubt {
  const { definition, readiness } = session;
  const { id: server } = definition;
  if (!readiness.hasSignal) {
    const detail = `${server} answered with nothing, and does not tell whether it has finished loading.`;
    return { kind: 'indexing', server, detail, lasting: true };
  }
  if (!readiness.isReady) return stillLoading(session);
  const detail = `${server} loaded the project anew while it was answering. Call again to be sure.`;
  return { kind: 'indexing', server, detail };
}
