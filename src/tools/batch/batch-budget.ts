import { limits } from '../../core/limits.ts';
import { estimateTokens } from '../run/budget.ts';
import type { Outcome } from '../run/tool.ts';
import type { AnsweredOperation } from './run-operations.ts';

/** What a batch may show, and of what. */
export interface ResultRoom {
  readonly maxTokens: number;
  readonly shown: 'text' | 'data';
  /** The tokens of what is told beside the operations. */
  readonly beside: number;
}

/**
 * Shares the room of a batch among its operations: small answers are whole, and what they leave is shared by large ones.
 * Tells which had to be cut.
 */
export function fitResults(
  answered: readonly AnsweredOperation[],
  { maxTokens, shown, beside }: ResultRoom,
): { readonly fitted: readonly AnsweredOperation[]; readonly cut: readonly string[] } {
  const sizes = answered.map((one) => perHead + ('outcome' in one ? sizeOf(one.outcome, shown) : 0));
  const share = fairShare([...sizes, beside], maxTokens - ofBatch);
  const cut: string[] = [];
  // Where a share says nothing, the first have what there is.
  const heads = sizes.reduce((sum, size) => sum + (size <= share ? size : perHead + ofLeftOut), 0);
  let spare = maxTokens - ofBatch - Math.min(beside, share) - heads;
  const fitted = answered.map((one, index) => {
    if (!('outcome' in one) || (sizes[index] ?? 0) <= share || !one.outcome.shrink) return one;
    cut.push(one.id);
    const room = Math.max(share - perHead, least);
    // What was changed has to be told whatever it takes, and what was only read can be read again.
    const isTold = share - perHead >= least || spare >= room || one.tool.effects !== 'none';
    if (isTold) spare -= room;
    return { ...one, outcome: isTold ? shrunk(one.outcome, room, shown) : leftOut(one.outcome) };
  });
  return { fitted, cut };
}

/** What is around an answer in a batch counts too, so that a little less may be needed than what was asked for. */
function shrunk(whole: Outcome, most: number, shown: ResultRoom['shown']): Outcome {
  const within = (tokens: number) => whole.shrink?.(tokens) ?? whole;
  let room = Math.max(least, Math.floor(most));
  let fitted = within(room);
  for (let tries = 0; tries < 2 && room > least; tries++) {
    const size = sizeOf(fitted, shown);
    if (size <= most) break;
    room = Math.max(least, Math.floor((room * most) / size) - 1);
    fitted = within(room);
  }
  return fitted;
}

function leftOut({ isError, doubts = [] }: Outcome): Outcome {
  return { text: 'Left out: there is no room for it.', data: { left_out: true }, isError, doubts };
}

/** The most that one may take so that all fit, where those that need less take less. */
function fairShare(sizes: readonly number[], room: number): number {
  let left = room;
  const ascending = [...sizes].sort((a, b) => a - b);
  for (const [index, size] of ascending.entries()) {
    const share = left / (ascending.length - index);
    if (size > share) return share;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}

function sizeOf({ text, data }: Outcome, shown: ResultRoom['shown']): number {
  return estimateTokens(shown === 'text' ? text.replaceAll('\n', '\n  ') : JSON.stringify(data));
}

const { batch: ofBatch, operation: perHead, leftOut: ofLeftOut, least } = limits.batch.tokens;
