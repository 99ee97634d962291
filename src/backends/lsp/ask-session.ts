import type { Reply } from '../../core/backend.ts';
import type { Call } from '../../core/call.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { AnswerOf, Question, QuestionKind } from '../../core/questions.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { type Row, rows } from './answers.ts';
import { ResponseError } from './message.ts';
import { inTrouble } from './server-troubles.ts';
import type { Session } from './session.ts';

/** Asks one server one question: text goes out first, then the server gets ready, then the question. */
export async function askSession<K extends QuestionKind>(
  session: Session,
  workspace: Workspace,
  question: Question<K>,
  call: Call,
): Promise<Reply<AnswerOf<K>>> {
  const row: Row<K> = rows[question.kind];
  await session.documents.sync(documentsOf(session, row, question));
  const doubts = await session.ready(call);
  await ensureAble(session, question.kind, call);
  for (let attempt = 1; ; attempt += 1) {
    const answer = await askOnce(session, workspace, row, question, call);
    if (row.size(answer) > 0 || session.readiness.known) return { answer, doubts };
    if (attempt === limits.emptyAnswer.attempts)
      return { answer, doubts: [...doubts, notKnownReady(session)] };
    await session.nextEvent(limits.emptyAnswer.wait, call.signal);
  }
}

/** Some servers register what they can do only after the handshake: a server that is not known ready gets a moment. */
async function ensureAble(session: Session, kind: QuestionKind, call: Call): Promise<void> {
  const { method, capability } = rows[kind];
  const able = () => session.capabilities.supports(method, capability);
  for (
    let attempt = 1;
    !able() && !session.readiness.known && attempt < limits.emptyAnswer.attempts;
    attempt += 1
  ) {
    await session.nextEvent(limits.emptyAnswer.wait, call.signal);
  }
  if (able()) return;
  throw new LspanError('not_supported', `${session.definition.id} does not answer ${kind} questions.`, {
    nextStep: 'Use another tool, or search the text instead.',
  });
}

/** Errors of a server that say "the text moved while I was thinking". */
const moved = new Set([-32801, -32802]);
const attemptsWhileMoving = 3;

/** Whether an error says that the same request may succeed when the text has come to rest. */
export function hasMoved({ code }: ResponseError): boolean {
  return moved.has(code);
}

async function askOnce<K extends QuestionKind>(
  session: Session,
  workspace: Workspace,
  row: Row<K>,
  question: Question<K>,
  call: Call,
): Promise<AnswerOf<K>> {
  const { encoding, definition } = session;
  const wordQuery = definition.symbolQuery ?? asGiven;
  const translation = { server: definition.id, workspace, encoding, wordQuery };
  const params = await row.params(question, translation);
  call.report(`Waiting for ${session.definition.id} to answer`);
  const raw = await requestSteadily(session, row.method, params, call);
  return row.answer(raw, question, translation);
}

function asGiven(query: string): string {
  return query;
}

/** Sends a request, again while the server says that the content was modified, and words its refusal for the agent. */
export async function requestSteadily(
  session: Session,
  method: string,
  params: unknown,
  call: Call,
  /** Whether to send it again after an error. */
  isPassing: (error: ResponseError) => boolean = hasMoved,
): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await session.request(method, params, call.signal);
    } catch (error) {
      if (!(error instanceof ResponseError)) throw error;
      if (!isPassing(error)) throw refusal(session, method, error);
      if (attempt === attemptsWhileMoving) throw stillMoving(session, error);
      await session.nextEvent(limits.emptyAnswer.wait, call.signal);
    }
  }
}

function documentsOf<K extends QuestionKind>(session: Session, row: Row<K>, question: Question<K>): string[] {
  const path = row.path(question);
  if (path === undefined) return [];
  return session.definition.answersUnopened?.includes(question.kind) ? [] : [path];
}

function notKnownReady({ definition: { id }, readiness }: Session) {
  const detail = readiness.tells
    ? `${id} answered with nothing before it had finished loading.`
    : `${id} answered with nothing, and does not tell whether it has finished loading.`;
  return { kind: 'indexing', server: id, detail } as const;
}

function refusal(session: Session, method: string, error: ResponseError): LspanError {
  const { definition, readiness } = session;
  const { id } = definition;
  if (error.code === -32601) {
    const nextStep = 'Use another tool, or search the text instead.';
    return new LspanError('not_supported', `${id} does not support this.`, { cause: error, nextStep });
  }
  const trouble = readiness.trouble && inTrouble(definition, readiness.trouble).detail;
  const message = `${id} answered ${method} with error ${error.code}.`;
  return new LspanError('server_unverified', trouble ? `${message} ${trouble}` : message, {
    cause: error,
    nextStep: trouble
      ? 'Put right what it complains about, then call again.'
      : 'get_server_status shows what the server reported.',
  });
}

function stillMoving({ definition: { id } }: Session, cause: ResponseError): LspanError {
  return new LspanError('stale', `The files kept changing while ${id} was answering.`, {
    cause,
    nextStep: 'Call again when the changes have come to rest.',
  });
}
