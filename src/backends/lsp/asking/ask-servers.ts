import type { Reply } from '../../../core/backend.ts';
import { beginCall, type Call, cancelSignalOf } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import { asLspanError, type LspanError } from '../../../core/errors.ts';
import type { AnswerOf, Question, QuestionKind } from '../../../core/questions.ts';
import { betweenSteps } from '../../../core/runtime/slices.ts';
import { type Row, searchOf } from '../questions/row.ts';
import { allFailed, collectReplies } from '../routing/collect-answers.ts';
import type { Router } from '../routing/router.ts';
import type { ServerSlot } from '../session/server-slot.ts';
import { type AskContext, askServer } from './ask-server.ts';

/** What the answers of all are joined by. */
interface Joining<K extends QuestionKind> {
  readonly router: Router;
  readonly row: Row<K>;
  readonly union: NonNullable<Row<K>['union']>;
}

/** Asks all servers at once; one that fails is a doubt. */
export async function askAll<K extends QuestionKind>(
  asking: AskContext,
  { router, row, union }: Joining<K>,
  question: Question<K>,
  slots: readonly ServerSlot[],
  call: Call,
): Promise<Reply<AnswerOf<K>>> {
  const inner = beginShare(call, slots.length > 1 ? shareOfCall : 1);
  const asked = slots.map((slot) => ({
    server: slot.definition.id,
    // Of who is asked about one file, all serve it.
    mayDecline:
      row.path(question) !== undefined || slots.some((other) => other !== slot && servesAllOf(other, slot)),
    reply: askServer(asking, row, question, slot, inner).then(async ({ answer, doubts }) => {
      await betweenSteps(row.count(answer, question));
      const isOwn = knownOnce((path) => router.speaksOf(path, question.kind, slot, slots));
      return { answer: (await row.keepOwn?.(answer, isOwn, asking.workspace)) ?? answer, doubts };
    }),
  }));
  const { replies, doubts } = await collectReplies(asked).finally(() => inner[Symbol.dispose]());
  return {
    answer: union(replies.map(({ answer }) => answer)),
    doubts: [...doubts, ...replies.flatMap((reply) => reply.doubts)],
  };
}

/** Of very many things in few files, each file is judged once. */
function knownOnce(judge: (path: string) => boolean): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const verdict = known.get(path) ?? judge(path);
    known.set(path, verdict);
    return verdict;
  };
}

function servesAllOf(other: ServerSlot, slot: ServerSlot): boolean {
  const known = other.definition.extensions;
  return (
    other.root === slot.root &&
    Object.keys(slot.definition.extensions).every((name) => Object.hasOwn(known, name))
  );
}

/** Asks the preferred server, and the next one only where it knew nothing or failed. */
export async function askInOrder<K extends QuestionKind>(
  asking: AskContext,
  row: Row<K>,
  question: Question<K>,
  slots: readonly ServerSlot[],
  call: Call,
): Promise<Reply<AnswerOf<K>>> {
  const failed: Doubt[] = [];
  const unfound: Doubt[] = [];
  const failures: LspanError[] = [];
  let last: Reply<AnswerOf<K>> | undefined;
  for (const slot of slots) {
    const turn = slot === slots.at(-1) ? undefined : beginShare(call, shareOfTurn);
    const reply = askServer(asking, row, question, slot, turn ?? call).finally(() =>
      turn?.[Symbol.dispose](),
    );
    const asked = { server: slot.definition.id, mayDecline: true, reply };
    const { replies, errors, doubts } = await collectReplies([asked], { lenient: slots.length > 1 });
    failed.push(...doubts);
    failures.push(...errors);
    last = replies[0] ?? last;
    if (last && row.count(last.answer, question) > 0) break;
    unfound.push(...replies.flatMap((reply) => reply.doubts));
    if (cancelSignalOf(call).aborted) break;
  }
  if (!last) throw allFailed(failures);
  if (row.count(last.answer, question) === 0) return { answer: last.answer, doubts: [...failed, ...unfound] };
  // What the next one found by position is right, whatever kept the first from it.
  return {
    answer: last.answer,
    doubts: [...failed, ...(searchOf(row, question) ? unfound : []), ...last.doubts],
  };
}

/** What the first server says that is able to answer, also where it refuses. */
export async function askFirstCapable<T>(
  slots: readonly ServerSlot[],
  ask: (slot: ServerSlot) => Promise<T>,
): Promise<T> {
  const unable: LspanError[] = [];
  for (const slot of slots) {
    const reply = await ask(slot).catch((thrown: unknown) => {
      const error = asLspanError(thrown);
      if (error.code !== 'not_supported') throw error;
      unable.push(error);
      return undefined;
    });
    if (reply !== undefined) return reply;
  }
  throw allFailed(unable);
}

/** Several servers share it: one that stays silent does not cost the answers of the others. */
export const shareOfCall = 0.8;

/** For one server when another is asked after it: if the first stays silent, the next can still answer. */
const shareOfTurn = 0.6;

/** A call within a call, for a share of the time that is left. */
export function beginShare(call: Call, share: number): Call & Disposable {
  const time = (call.deadline - performance.now()) * share;
  return beginCall({ time, report: call.report, scope: call.scope }, cancelSignalOf(call));
}
