import { limits } from '../../core/limits.ts';
import { estimateTokens } from '../run/budget.ts';
import type { Budget, Outcome } from '../run/tool.ts';
import type { AnsweredOperation } from './run-operations.ts';

/** How many tokens a batch may show, and of which part of its answers. */
interface BatchBudget extends Budget {
  /** The tokens of what is shown besides the operations. */
  readonly otherTokens: number;
}

/**
 * Shares the budget of a batch among its operations: small answers are whole, and large ones share what these leave.
 * Also returns the ids of those that had to be cut.
 */
export function fitResults(
  answered: readonly AnsweredOperation[],
  { maxTokens, shown, otherTokens }: BatchBudget,
): { readonly fitted: readonly AnsweredOperation[]; readonly cut: readonly string[] } {
  const sizes = answered.map((one) => tokensOfHead + ('outcome' in one ? sizeOf(one.outcome, shown) : 0));
  const share = fairShare([...sizes, otherTokens], maxTokens - tokensOfBatch);
  const cut: string[] = [];
  // If a share is too small to say anything, the first operations get what there is.
  const heads = sizes.reduce(
    (sum, size) => sum + (size <= share ? size : tokensOfHead + tokensOfOmission),
    0,
  );
  let spare = maxTokens - tokensOfBatch - Math.min(otherTokens, share) - heads;
  const fitted = answered.map((one, index) => {
    if (!('outcome' in one) || (sizes[index] ?? 0) <= share || !one.outcome.shrink) return one;
    cut.push(one.id);
    const room = Math.max(share - tokensOfHead, fewestTokens);
    // A change has to be reported in any case; what was only read can be read again.
    const isShown = share - tokensOfHead >= fewestTokens || spare >= room || one.tool.effects !== 'none';
    if (isShown) spare -= room;
    return { ...one, outcome: isShown ? shrinkTo(one.outcome, room, shown) : omitted(one.outcome) };
  });
  return { fitted, cut };
}

/** Shrinks an answer, a little more than asked for if need be: what the batch puts around it counts too. */
function shrinkTo(whole: Outcome, most: number, shown: BatchBudget['shown']): Outcome {
  const shrink = (tokens: number) => whole.shrink?.(tokens) ?? whole;
  let room = Math.max(fewestTokens, Math.floor(most));
  let fitted = shrink(room);
  for (let tries = 0; tries < 2 && room > fewestTokens; tries++) {
    const size = sizeOf(fitted, shown);
    if (size <= most) break;
    room = Math.max(fewestTokens, Math.floor((room * most) / size) - 1);
    fitted = shrink(room);
  }
  return fitted;
}

function omitted({ isError, doubts = [] }: Outcome): Outcome {
  return { text: 'Omitted: the answer is too long.', data: { left_out: true }, isError, doubts };
}

/** Returns the most that one may take so that all fit, if those that need less take less. */
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

function sizeOf({ text, data }: Outcome, shown: BatchBudget['shown']): number {
  return estimateTokens(shown === 'text' ? text.replaceAll('\n', '\n  ') : JSON.stringify(data));
}

const {
  batch: tokensOfBatch,
  operation: tokensOfHead,
  leftOut: tokensOfOmission,
  least: fewestTokens,
} = limits.batch.tokens;
