import type { Reply } from '../../../core/backend.ts';
import type { Call } from '../../../core/call.ts';
import type { AnswerOf, Question, QuestionKind } from '../../../core/questions.ts';
import { betweenSteps } from '../../../core/runtime/slices.ts';
import type { Row } from '../questions/row.ts';
import { gather } from '../routing/collect-replies.ts';
import type { Router } from '../routing/router.ts';
import type { ServerSlot } from '../session/server-slot.ts';
import { type Asking, askSlot } from './ask-server.ts';
import { beginShare, shareOfCall } from './begin-share.ts';

/** What the answers of all are joined by. */
interface Joining<K extends QuestionKind> {
  readonly router: Router;
  readonly row: Row<K>;
  readonly union: NonNullable<Row<K>['union']>;
}

/** Asks all servers at once; one that fails is a doubt. */
export async function askAll<K extends QuestionKind>(
  asking: Asking,
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
    reply: askSlot(asking, row, question, slot, inner).then(async ({ answer, doubts }) => {
      await betweenSteps(row.size(answer, question));
      const isOwn = knownOnce((path) => router.speaksOf(path, question.kind, slot, slots));
      return { answer: (await row.own?.(answer, isOwn, asking.workspace)) ?? answer, doubts };
    }),
  }));
  const { replies, doubts } = await gather(asked).finally(() => inner[Symbol.dispose]());
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
