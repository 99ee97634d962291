import type { Answering, AnswerSource, Reply, Visibility } from '../core/backend.ts';
import { beginCall, type Call, cancelSignalOf } from '../core/call.ts';
import type { Doubt } from '../core/doubts.ts';
import { LspanError } from '../core/errors.ts';
import { mergeFileProblems } from '../core/merge-problems.ts';
import type { FileProblems } from '../core/problems.ts';
import type { AnswerOf, Question, QuestionKind } from '../core/question.ts';
import { groupBy } from '../core/runtime/group-by.ts';
import type { Row } from './lsp/questions/row.ts';
import { rows } from './lsp/questions/table.ts';
import { allFailed, collectReplies } from './lsp/routing/collect-answers.ts';

/** A backend, and its answers about the texts in question. */
export interface AskedSource {
  readonly source: AnswerSource;
  readonly answering: Answering;
}

/** Joins the answers of several backends, the preferred first. Those on standby only answer questions. */
export function combineAnswers(given: readonly AskedSource[]): Answering {
  const all = given.filter(({ source }) => !source.isStandby);
  const standby = given.filter(({ source }) => source.isStandby);
  return {
    ask: (question, call) =>
      standby.length === 0
        ? askSeveral(all, question, call)
        : askStandby(standby, question, call, () => askSeveral(all, question, call)),
    visibility: async (place, files) => {
      const searching = all.filter(({ source }) => source.answers?.('references', place.path) !== false);
      const told = await Promise.all(searching.map(({ answering }) => answering.visibility(place, files)));
      return new Map(files.map((file) => [file, leastVisible(told.map((one) => one.get(file) ?? 'unseen'))]));
    },
    diagnostics: async (files, call) => {
      const isAsked = ({ source }: AskedSource, path: string) =>
        source.answers?.('diagnostics', path) !== false;
      const able = all.filter((one) => files.some((path) => isAsked(one, path)));
      if (able.length === 0) throw nobodyAnswers('diagnostics');
      const { answer, doubts } = await collect(able, (one) =>
        one.answering.diagnostics(
          files.filter((path) => isAsked(one, path)),
          call,
        ),
      );
      return { answer: await mergeByFile(files, answer.flat()), doubts };
    },
  };
}

/** Asks all at once if the row joins answers; else one by one until one is complete, or takes the largest. */
async function askSeveral<K extends QuestionKind>(
  all: readonly AskedSource[],
  question: Question<K>,
  call: Call,
): Promise<Reply<AnswerOf<K>>> {
  const row: Row<K> = rows[question.kind];
  const able = ableAmong(all, question.kind, row.path(question));
  if (row.union) {
    const { answer, doubts } = await collect(able, ({ answering }) => answering.ask(question, call));
    return { answer: row.union(answer), doubts };
  }
  const sizeOf = ({ answer }: Reply<AnswerOf<K>>) => row.count(answer, question);
  // If a row has refusals, an empty answer is one.
  const isComplete = (reply: Reply<AnswerOf<K>>) =>
    reply.doubts.length === 0 && (row.refusal !== undefined || sizeOf(reply) > 0);
  const { replies, errors, doubts } = await askSourcesInOrder(
    able,
    ({ answering }, turn) => answering.ask(question, turn),
    isComplete,
    call,
  );
  const [best] = [...replies.filter(isComplete), ...replies.toSorted((a, b) => sizeOf(b) - sizeOf(a))];
  if (!best) throw allFailed(errors);
  return isComplete(best) ? best : { answer: best.answer, doubts: [...doubts, ...doubtsOf(replies)] };
}

/**
 * Asks the backends on standby where the others fail, or find nothing and have doubts about that. What they find is then
 * the answer; else it stays with what the others said.
 */
async function askStandby<K extends QuestionKind>(
  standby: readonly AskedSource[],
  question: Question<K>,
  call: Call,
  askOthers: () => Promise<Reply<AnswerOf<K>>>,
): Promise<Reply<AnswerOf<K>>> {
  const row: Row<K> = rows[question.kind];
  const others = await collectReplies([{ reply: askOthers() }], { lenient: true });
  const [first] = others.replies;
  if (first && (first.doubts.length === 0 || row.count(first.answer, question) > 0)) return first;
  // Why the others failed says more than that the time is over.
  const able = cancelSignalOf(call).aborted
    ? []
    : standby.filter(({ source }) => source.answers?.(question.kind, row.path(question)) !== false);
  const { replies } = await collectReplies(
    able.map((one) => replyOf(one, ({ answering }) => answering.ask(question, call))),
    { lenient: true },
  );
  const found = replies.find(({ answer }) => row.count(answer, question) > 0);
  if (found)
    return { answer: found.answer, doubts: [...doubtsOf(others.replies), ...others.doubts, ...found.doubts] };
  if (first) return first;
  throw allFailed(others.errors);
}

/** Asks one after the other until an answer suffices. Each may use an equal share of the time left. */
export async function askSourcesInOrder<T>(
  able: readonly AskedSource[],
  ask: (asked: AskedSource, turn: Call) => Promise<T>,
  isEnough: (reply: T) => boolean,
  call: Call,
) {
  const [replies, errors, doubts]: [T[], LspanError[], Doubt[]] = [[], [], []];
  for (const [index, one] of able.entries()) {
    const left = able.length - index;
    const turn = left === 1 ? undefined : beginTurn(call, left);
    const asked = replyOf(one, () => ask(one, turn ?? call).finally(() => turn?.[Symbol.dispose]()));
    const heard = await collectReplies([asked], { lenient: true });
    replies.push(...heard.replies);
    errors.push(...heard.errors);
    doubts.push(...heard.doubts);
    if (heard.replies.some(isEnough)) break;
  }
  return { replies, errors, doubts };
}

function beginTurn(call: Call, left: number): Call & Disposable {
  const time = (call.deadline - performance.now()) / left;
  return beginCall(
    { time, report: call.report, scope: call.scope, isBeside: call.isBeside },
    cancelSignalOf(call),
  );
}

/** Asks all at once. A failure among several is a doubt. */
export async function collect<T>(
  able: readonly AskedSource[],
  ask: (asked: AskedSource) => Promise<Reply<T>>,
): Promise<Reply<readonly T[]>> {
  const { replies, doubts } = await collectReplies(able.map((one) => replyOf(one, ask)));
  return { answer: replies.map(({ answer }) => answer), doubts: [...doubts, ...doubtsOf(replies)] };
}

/** A backend that declines is not a doubt: the others are asked the same. */
function replyOf<T>(asked: AskedSource, ask: (asked: AskedSource) => Promise<T>) {
  return { server: asked.source.id, mayDecline: true, reply: ask(asked) };
}

function doubtsOf(replies: readonly Reply<unknown>[]): readonly Doubt[] {
  return replies.flatMap(({ doubts }) => doubts);
}

/** Returns the backends that answer a question; throws if there are none. */
export function ableAmong(
  all: readonly AskedSource[],
  kind: QuestionKind,
  path: string | undefined,
): readonly AskedSource[] {
  const able = all.filter(({ source }) => source.answers?.(kind, path) !== false);
  if (able.length === 0) throw nobodyAnswers(kind);
  return able;
}

function nobodyAnswers(kind: QuestionKind | 'diagnostics'): LspanError {
  return new LspanError('not_supported', `No backend answers questions about ${kind} here.`, {
    nextStep: 'get_server_status lists the backends.',
  });
}

/** A file counts as seen only if every backend of its language sees it, since each of them may answer. */
function leastVisible(told: readonly Visibility[]): Visibility {
  const own = told.filter((one) => one !== 'other_language');
  if (own.length === 0) return 'other_language';
  return own.every((one) => one === 'seen') ? 'seen' : 'unseen';
}

/** Joins reports by file. A file without a report is unavailable, which is not the same as problem-free. */
export function mergeByFile(
  files: readonly string[],
  told: readonly FileProblems[],
): Promise<readonly FileProblems[]> {
  const byPath = groupBy(told, ({ path }) => path);
  const paths = [...new Set([...files, ...byPath.keys()])].sort();
  return Promise.all(
    paths.map(async (path) => {
      const all = byPath.get(path) ?? [];
      const checked = all.filter(({ state }) => state !== 'unavailable');
      const spoken = checked.length > 0 ? checked : all;
      const isRelated = !files.includes(path) && spoken.every(({ related }) => related);
      return { ...(await mergeFileProblems(path, spoken)), ...(isRelated && { related: true as const }) };
    }),
  );
}
