import type { Reply } from '../../core/backend.ts';
import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { type ErrorCode, LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { AnswerOf, Question, QuestionKind } from '../../core/questions.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { type Row, rows } from './answers.ts';
import { stillLoading } from './await-ready.ts';
import { type ChangesSince, changesSince } from './changes-since.ts';
import type { Json } from './json.ts';
import { ResponseError } from './message.ts';
import { asRefusal } from './server-refusal.ts';
import { inTrouble } from './server-troubles.ts';
import type { Session } from './session.ts';
import type { Translation } from './translation.ts';

/** Asks one server one question: text goes out first, then the server gets ready, then the question. */
export async function askSession<K extends QuestionKind>(
  session: Session,
  workspace: Workspace,
  question: Question<K>,
  call: Call,
): Promise<Reply<AnswerOf<K>>> {
  const since = changesSince(workspace);
  const answered = askToldOf(session, { workspace, since }, question, call);
  return answered.finally(() => since.end());
}

async function askToldOf<K extends QuestionKind>(
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
    if (attempt === 1) await ensureAble(session, question.kind, call);
    const { relapses } = session.readiness;
    const answer = await askOnce(session, translation, row, question, call);
    const isSteady = session.readiness.known && session.readiness.relapses === relapses;
    if (isSteady || isEnough(session, row.size(answer), doubts)) return { answer, doubts };
    if (attempt === limits.emptyAnswer.attempts) return { answer, doubts: [notKnownReady(session)] };
    if (!session.readiness.tells) await session.nextEvent(limits.emptyAnswer.wait, call.signal);
  }
}

/**
 * Whether to make do with the answer of a server that is not known as ready: it was waited for as long as may be, or
 * never tells and found something. One that began to load while it was answering is asked again.
 */
function isEnough({ readiness }: Session, size: number, doubts: readonly Doubt[]): boolean {
  return doubts.length > 0 || (!readiness.tells && size > 0);
}

/** Some servers register what they can do only after the handshake: a server that is not known ready gets a moment. */
export async function isAble(session: Session, kind: QuestionKind, call: Call): Promise<boolean> {
  const { method, capability } = rows[kind];
  const able = () => session.capabilities.supports(method, capability);
  for (
    let attempt = 1;
    !able() && !session.readiness.known && attempt < limits.emptyAnswer.attempts;
    attempt += 1
  ) {
    await session.nextEvent(limits.emptyAnswer.wait, call.signal);
  }
  return able();
}

async function ensureAble(session: Session, kind: QuestionKind, call: Call): Promise<void> {
  if (await isAble(session, kind, call)) return;
  throw new LspanError('not_supported', `${session.definition.id} does not answer ${kind} questions.`, {
    nextStep: 'Use another tool, or search the text instead.',
  });
}

async function askOnce<K extends QuestionKind>(
  session: Session,
  translation: Translation,
  row: Row<K>,
  question: Question<K>,
  call: Call,
): Promise<AnswerOf<K>> {
  const { definition, capabilities } = session;
  call.report(`Waiting for ${definition.id} to answer`);
  const send = (params: Json, method = row.method) =>
    requestSteadily(session, method, params, call).catch((error: unknown) => {
      throw row.refuses === undefined ? error : asRefusal(error, definition.id, row.refuses);
    });
  if (row.request) {
    const line = { options: capabilities.everyOptions(row.method, row.capability), send };
    return row.answer(await row.request(question, translation, line), question, translation);
  }
  const params = await row.params(question, translation);
  const instead = definition.instead?.[question.kind];
  if (!instead) return row.answer(await send(params), question, translation);
  const command = { command: instead.command, arguments: instead.arguments(params) };
  const raw = await requestSteadily(session, 'workspace/executeCommand', command, call);
  return row.answer(instead.answer(raw), question, translation);
}

/** How questions and answers are worded for a session that was told what changed before. */
function translationFor(
  { definition, encoding, documents }: Session,
  workspace: Workspace,
  since: ChangesSince,
): Translation {
  const told = { version: (path: string) => documents.version(path), isOld: since.has };
  const wordQuery = definition.symbolQuery ?? asGiven;
  return { server: definition.id, workspace, encoding, wordQuery, told };
}

function asGiven(query: string): string {
  return query;
}

/** Sends a request, again where the server broke it off, and words its refusal for the agent. */
export async function requestSteadily(
  session: Session,
  method: string,
  params: unknown,
  call: Call,
  /** Whether to send it again after an error that is about the moment. */
  isPassing: (error: ResponseError) => boolean = () => true,
): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await session.request(method, params, call.signal);
    } catch (error) {
      if (!(error instanceof ResponseError)) throw error;
      const interruption = interruptions.get(error.code);
      if (!interruption || !isPassing(error)) throw refusal(session, method, error);
      if (attempt === attemptsInAll) throw brokenOff(session, interruption, error);
      await session.nextEvent(limits.emptyAnswer.wait * attempt, call.signal);
      await session.ready(call);
    }
  }
}

const attemptsInAll = 3;

interface Interruption {
  readonly code: ErrorCode;
  /** What the server did, as the end of a sentence about it. */
  readonly what: string;
  readonly nextStep: string;
}

/** Errors that are about the moment and not about the question, and what is told where they do not end. */
const interruptions: ReadonlyMap<number, Interruption> = new Map([
  [
    -32801,
    {
      code: 'stale',
      what: 'broke off, because files kept changing',
      nextStep: 'Call again when the changes have come to rest.',
    },
  ],
  [-32802, { code: 'server_unverified', what: 'broke off by itself', nextStep: 'Call again.' }],
  [
    -32800,
    {
      code: 'server_unverified',
      what: 'answered that the question was cancelled, which nobody did',
      nextStep: 'Call again.',
    },
  ],
]);

function brokenOff(
  { definition: { id } }: Session,
  { code, what, nextStep }: Interruption,
  cause: ResponseError,
): LspanError {
  const message = `${id} was asked ${attemptsInAll} times and each time ${what}.`;
  return new LspanError(code, message, { cause, nextStep });
}

function documentsOf<K extends QuestionKind>(session: Session, row: Row<K>, question: Question<K>): string[] {
  const path = row.path(question);
  if (path === undefined) return [];
  return session.definition.answersUnopened?.includes(question.kind) ? [] : [path];
}

function notKnownReady(session: Session): Doubt {
  const { definition, readiness } = session;
  if (readiness.tells && !readiness.known) return stillLoading(session);
  const detail = readiness.tells
    ? `${definition.id} loaded the project anew while it was answering. Call again to be sure.`
    : `${definition.id} answered with nothing, and does not tell whether it has finished loading.`;
  return { kind: 'indexing', server: definition.id, detail };
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
