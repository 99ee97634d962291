import type { Reply } from '../../../core/backend.ts';
import { type Call, cancelSignalOf, withinPart } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import { asLspanError, type LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import type { AnswerOf, QuestionKind } from '../../../core/question.ts';
import { betweenSteps } from '../../../core/runtime/slices.ts';
import { type Row, searchOf } from '../questions/row.ts';
import { allFailed, collectReplies } from '../routing/collect-answers.ts';
import type { ServerSlot } from '../session/server-slot.ts';
import type { AskedQuestion } from './stage.ts';

/** Asks one server a question. */
export type AskServer = <K extends QuestionKind>(
  asked: AskedQuestion<K>,
  slot: ServerSlot,
) => Promise<Reply<AnswerOf<K>>>;

/** Asks the chosen servers as the row says: all at once, the first capable, or each until one has results. */
export function askServers<K extends QuestionKind>(
  asked: AskedQuestion<K>,
  askServer: AskServer,
): Promise<Reply<AnswerOf<K>>> {
  const { union, refusal } = asked.row;
  if (union) return askAll(asked, union, askServer);
  return refusal ? askFirstCapable(asked, askServer) : askInOrder(asked, askServer);
}

/** Asks all servers at once; a failure is a doubt. */
async function askAll<K extends QuestionKind>(
  asked: AskedQuestion<K>,
  union: NonNullable<Row<K>['union']>,
  askServer: AskServer,
): Promise<Reply<AnswerOf<K>>> {
  const { router, workspace, row, question, slots } = asked;
  const ask = (slot: ServerSlot, call: Call) => ({
    server: slot.definition.id,
    // Servers asked about one file all serve it.
    mayDecline:
      row.path(question) !== undefined || slots.some((other) => other !== slot && servesAllOf(other, slot)),
    reply: askServer({ ...asked, call }, slot).then(async ({ answer, doubts }) => {
      await betweenSteps(row.count(answer, question));
      const isOwn = knownOnce((path) => router.speaksOf(path, question.kind, slot, slots));
      return { answer: (await row.keepOwn?.(answer, isOwn, workspace)) ?? answer, doubts };
    }),
  });
  const share = slots.length > 1 ? limits.shares.servers : 1;
  const { replies, doubts } = await withinPart(asked.call, { share, isBeside: slots.length > 1 }, (part) =>
    collectReplies(slots.map((slot) => ask(slot, part))),
  );
  return {
    answer: union(replies.map(({ answer }) => answer)),
    doubts: [...doubts, ...replies.flatMap((reply) => reply.doubts)],
  };
}

/** Memoizes a check by file. */
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

/** Asks the preferred server, and the next one only if it found nothing or failed. */
async function askInOrder<K extends QuestionKind>(
  asked: AskedQuestion<K>,
  askServer: AskServer,
): Promise<Reply<AnswerOf<K>>> {
  const { row, question, slots } = asked;
  const failed: Doubt[] = [];
  const unfound: Doubt[] = [];
  const failures: LspanError[] = [];
  let last: Reply<AnswerOf<K>> | undefined;
  for (const slot of slots) {
    const ask = (call: Call) => askServer({ ...asked, call }, slot);
    const isLast = slot === slots.at(-1);
    const reply = isLast
      ? ask(asked.call)
      : withinPart(asked.call, { share: limits.shares.firstServer }, ask);
    const asking = { server: slot.definition.id, mayDecline: true, reply };
    const { replies, errors, doubts } = await collectReplies([asking], { lenient: slots.length > 1 });
    failed.push(...doubts);
    failures.push(...errors);
    last = replies[0] ?? last;
    if (last && row.count(last.answer, question) > 0) break;
    unfound.push(...replies.flatMap((reply) => reply.doubts));
    if (cancelSignalOf(asked.call).aborted) break;
  }
  if (!last) throw allFailed(failures);
  if (row.count(last.answer, question) === 0) return { answer: last.answer, doubts: [...failed, ...unfound] };
  // A result found by position is correct, whatever kept the first server from it.
  return {
    answer: last.answer,
    doubts: [...failed, ...(searchOf(row, question) ? unfound : []), ...last.doubts],
  };
}

/** Returns the answer of the first capable server, even if it is a refusal. */
async function askFirstCapable<K extends QuestionKind>(
  asked: AskedQuestion<K>,
  askServer: AskServer,
): Promise<Reply<AnswerOf<K>>> {
  const unable: LspanError[] = [];
  for (const slot of asked.slots) {
    const reply = await askServer(asked, slot).catch((thrown: unknown) => {
      const error = asLspanError(thrown);
      if (error.code !== 'not_supported') throw error;
      unable.push(error);
      return undefined;
    });
    if (reply !== undefined) return reply;
  }
  throw allFailed(unable);
}
