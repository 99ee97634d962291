import type { Reply } from '../../../core/backend.ts';
import { type Call, cancelSignalOf, timeLeft } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import type { AnswerOf, QuestionKind, Span } from '../../../core/question.ts';
import type { Json } from '../../../core/runtime/json.ts';
import { ResponseError } from '../../../jsonrpc/message.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { LeftOutPlaces, type Translation } from '../convert/translation.ts';
import { askDiagnostics } from '../diagnostics/ask-diagnostics.ts';
import { type ChangesDuringCall, changesDuringCall } from '../documents/changes-during-call.ts';
import { notAble } from '../errors/no-server.ts';
import { asRefusal } from '../errors/refusals.ts';
import type { Variant } from '../questions/row.ts';
import { stillLoading } from '../session/await-ready.ts';
import { requestWithRetry } from '../session/request-retry.ts';
import type { Session } from '../session/session.ts';
import type { Next, ServerAsked, SessionAsked } from './stage.ts';

/** Waits until the server has loaded the project, and asks again if it began to load while answering. */
export async function readiness<K extends QuestionKind>(
  asked: SessionAsked<K>,
  next: Next<'session'>,
): Promise<Reply<AnswerOf<K>>> {
  const { session, row, question, call } = asked;
  for (let attempt = 1; ; attempt += 1) {
    const doubts = await session.ready(call);
    const { reloads } = session.readiness;
    const { answer, doubts: partial } = await next<K>({ ...asked, attempt });
    const isSteady = session.readiness.isReady && session.readiness.reloads === reloads;
    if (isSteady || isEnough(session, row.count(answer, question), doubts))
      return { answer, doubts: [...doubts, ...partial] };
    if (attempt === limits.emptyAnswer.attempts)
      return { answer, doubts: [...partial, notKnownReady(session)] };
    if (!session.readiness.hasSignal) await session.nextEvent(limits.emptyAnswer.wait, cancelSignalOf(call));
  }
}

/** True if a server not known to be ready is out of time, or has no signal and found something. */
function isEnough(session: Session, count: number, doubts: readonly Doubt[]): boolean {
  return doubts.length > 0 || (!session.readiness.hasSignal && count > 0);
}

function notKnownReady(session: Session): Doubt {
  const { id: server } = session.definition;
  if (!session.readiness.hasSignal) {
    const detail = `${server} returned nothing and does not report whether it has finished loading.`;
    return { kind: 'indexing', server, detail, lasting: true };
  }
  if (!session.readiness.isReady) return stillLoading(session);
  const detail = `${server} reloaded the project while it was answering. Call again to be sure.`;
  return { kind: 'indexing', server, detail };
}

/** Fails if the server does not announce that it can answer. */
export async function capability<K extends QuestionKind>(
  asked: SessionAsked<K>,
  next: Next<'session'>,
): Promise<Reply<AnswerOf<K>>> {
  const { session, row, question, call, attempt } = asked;
  const variant = row.variant?.(question);
  if (attempt > 1 || (await isCapable(session, variant ?? row, call))) return next<K>(asked);
  throw unable(session, question.kind, variant ? ' about parts of a document' : '', variant?.nextStep);
}

/** Some servers register capabilities only after the handshake, even once ready: each gets a moment. */
export async function isCapable(
  session: Session,
  { method, capability }: Pick<Variant, 'method' | 'capability'>,
  call: Call,
): Promise<boolean> {
  const { capabilities, readiness } = session;
  const isAnnounced = () => capabilities.supports(method, capability);
  const mayFollow = () => !readiness.isReady || !(capabilities.hasRegistered || capabilities.waitedFor);
  for (let attempt = 1; !isAnnounced() && mayFollow() && attempt < limits.emptyAnswer.attempts; attempt += 1)
    await session.nextEvent(limits.emptyAnswer.wait, cancelSignalOf(call));
  capabilities.waitedFor ||= !isAnnounced();
  return isAnnounced();
}

function unable(
  { definition: { id } }: Session,
  service: QuestionKind,
  part = '',
  nextStep?: string,
): LspanError {
  return notAble(`${id} does not answer`, service, part, nextStep);
}

/** Lets a server read the texts it was sent before it searches for symbols: asks the least that there is to ask. */
export async function readBeforeSearch<K extends QuestionKind>(
  asked: SessionAsked<K>,
  next: Next<'session'>,
): Promise<Reply<AnswerOf<K>>> {
  const { session, question, call } = asked;
  const { definition, documents } = session;
  const start = { line: 0, character: 0 };
  if (question.kind === 'symbols' && definition.sync?.searchesReadTexts)
    await documents.catchUp((path) => {
      const params = { textDocument: { uri: documents.uriOf(path) }, positions: [start] };
      return requestWithRetry(session, 'textDocument/selectionRange', params, call);
    });
  return next<K>(asked);
}

/** Adds the server's own diagnostics of the document, if the question needs them. */
export async function ownDiagnostics<K extends QuestionKind>(
  asked: SessionAsked<K>,
  next: Next<'session'>,
): Promise<Reply<AnswerOf<K>>> {
  const { session, workspace, row, question, call, translation } = asked;
  const path = row.withProblems ? row.path(question) : undefined;
  if (path === undefined) return next<K>(asked);
  const { own, sent } = await askDiagnostics(session, workspace, path, call);
  // Diagnostics of an older text may name places that have moved.
  const problems = own.state === 'stale' ? [] : sent;
  const { answer, doubts } = await next<K>({ ...asked, translation: { ...translation, problems } });
  if (own.state === 'fresh') return { answer, doubts };
  const server = session.definition.id;
  const detail = `${server} may not have checked the current text of ${workspace.show(path)}, so its list may be incomplete.`;
  return { answer, doubts: [{ kind: 'indexing', server, detail }, ...doubts] };
}

/** Asks the parts of a question. */
export async function parts<K extends QuestionKind>(
  asked: SessionAsked<K>,
  next: Next<'session'>,
): Promise<Reply<AnswerOf<K>>> {
  const { row, question, translation } = asked;
  if (!row.parts) return next<K>(asked);
  const { answer: questions, doubts } = await row.parts.of(question, translation);
  const replies = await Promise.all(questions.map((part) => next<K>({ ...asked, question: part })));
  return { answer: row.parts.join(replies.map(({ answer }) => answer)), doubts };
}

/** Sends the request and reads the answer. */
export async function send<K extends QuestionKind>(asked: SessionAsked<K>): Promise<Reply<AnswerOf<K>>> {
  const { session, row, question, call } = asked;
  const { definition, capabilities } = session;
  const leftOut = new LeftOutPlaces();
  const translation = { ...asked.translation, leftOut };
  call.report(`Waiting for ${definition.id} to answer`);
  const optionsOf = (method: string, capability: string) => capabilities.everyOptions(method, capability);
  const sender = {
    options: optionsOf(row.method, row.capability),
    optionsOf,
    end: performance.now() + timeLeft(call, limits.shares.levels),
    send: (params: Json, method?: string) => sendRequest(asked, params, method),
  };
  const raw = row.request
    ? await row.request(question, translation, sender)
    : await sendPlainly(asked, await row.params(question, translation));
  const answer = await row.answer(raw, question, translation, sender);
  return { answer, doubts: leftOut.doubts(translation) };
}

/** Sends the row's own request, or the command with which this server answers the question instead. */
async function sendPlainly<K extends QuestionKind>(asked: SessionAsked<K>, params: Json): Promise<unknown> {
  const { session, question, call } = asked;
  const instead = session.definition.quirks?.questionCommands?.[question.kind];
  if (!instead) return sendRequest(asked, params);
  const command = { command: instead.command, arguments: instead.arguments(params) };
  return instead.answer(await requestWithRetry(session, 'workspace/executeCommand', command, call));
}

function sendRequest<K extends QuestionKind>(
  { session, row, question, call, recent }: SessionAsked<K>,
  params: Json,
  method?: string,
): Promise<unknown> {
  const { method: usual } = row.variant?.(question) ?? row;
  const request = () => requestWithRetry(session, method ?? usual, params, call);
  const isShared = recent && (method ?? usual) === definitionMethod;
  const reply = isShared ? recent.reply(session, params, request) : request();
  return reply.catch((error: unknown) => {
    const { definition } = session;
    if (row.refusal === undefined && meansNothing(definition, error)) return null;
    if (error instanceof LspanError && error.code === 'not_supported')
      throw unable(session, question.kind, (method ?? usual) === usual ? '' : ' of this kind');
    throw row.refusal === undefined ? error : asRefusal(error, definition.id, row.refusal);
  });
}

const definitionMethod = 'textDocument/definition';

/** True if a server's error is its way to say that there is nothing. */
function meansNothing({ quirks }: Session['definition'], error: unknown): boolean {
  if (!quirks?.noSymbolMessage || !(error instanceof LspanError)) return false;
  return error.cause instanceof ResponseError && quirks.noSymbolMessage.test(error.cause.message);
}

/** Sends every changed document to the session, then asks. */
export async function syncDocuments<K extends QuestionKind>(
  { workspace, row, question, call, session, recent }: ServerAsked<K>,
  next: Next<'session'>,
): Promise<Reply<AnswerOf<K>>> {
  const since = changesDuringCall(workspace);
  const translation = translationFor(session, workspace, since);
  const answersUnopened = session.definition.sync?.answersUnopened?.includes(question.kind);
  const path = answersUnopened ? undefined : row.path(question);
  const answered = session.documents
    .sync(path === undefined ? [] : [path])
    .then(() => next<K>({ workspace, row, question, call, session, recent, translation, attempt: 1 }));
  return answered.finally(() => since.end());
}

/** Returns the translation for a session that was sent the changes before. */
export function translationFor(
  session: Session,
  workspace: Workspace,
  since: ChangesDuringCall,
): Translation {
  const { definition, encoding, documents } = session;
  const told = { version: (path: string) => documents.version(path), isOld: since.has };
  const { id, search, edits, quirks } = definition;
  const { generatedFiles } = quirks ?? {};
  const wordQuery = search?.symbolQuery ?? asGiven;
  const countsMark = (path: string) => !documents.isOpen(path);
  const habits = {
    ...(edits?.columnsBeyondLineEnd && { columnsBeyondLineEnd: true as const }),
    ...(quirks?.countsByteOrderMark && { countsMark }),
    ...(generatedFiles && { isGenerated: (path: string) => generatedFiles.test(path) }),
  };
  const withheld = {
    withholds: (diagnostic: unknown) => session.withholds(diagnostic),
    ...(session.withholdsOutside && { isHidden: (span: Span) => session.isHidden(span) }),
  };
  return { server: id, workspace, encoding, wordQuery, told, ...withheld, ...habits };
}

function asGiven(query: string): string {
  return query;
}
