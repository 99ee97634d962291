import type { Reply } from '../../../core/backend.ts';
import { type Call, endOf } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import type { LspanError } from '../../../core/errors.ts';
import type { AnswerOf, Question, QuestionKind } from '../../../core/questions.ts';
import { type Row, searchOf } from '../questions/row.ts';
import { allFailed, gather } from '../routing/collect-replies.ts';
import type { ServerSlot } from '../session/server-slot.ts';
import { type Asking, askSlot } from './ask-server.ts';
import { beginShare, shareOfTurn } from './begin-share.ts';

/** Asks the preferred server, and the next one only where it knew nothing or failed. */
export async function askInTurn<K extends QuestionKind>(
  asking: Asking,
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
    const reply = askSlot(asking, row, question, slot, turn ?? call).finally(() => turn?.[Symbol.dispose]());
    const asked = { server: slot.definition.id, mayDecline: true, reply };
    const { replies, errors, doubts } = await gather([asked], { lenient: slots.length > 1 });
    failed.push(...doubts);
    failures.push(...errors);
    last = replies[0] ?? last;
    if (last && row.size(last.answer, question) > 0) break;
    unfound.push(...replies.flatMap((reply) => reply.doubts));
    if (endOf(call).aborted) break;
  }
  if (!last) throw allFailed(failures);
  if (row.size(last.answer, question) === 0) return { answer: last.answer, doubts: [...failed, ...unfound] };
  // What the next one found by position is right, whatever kept the first from it.
  return {
    answer: last.answer,
    doubts: [...failed, ...(searchOf(row, question) ? unfound : []), ...last.doubts],
  };
}
