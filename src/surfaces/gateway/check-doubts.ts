import { type Doubt, mayPass } from '../../core/doubts.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { type Failure, failure } from './failure.ts';

/** Returns the doubts if asking again would give the same answer; throws `timed_out` otherwise. */
export function checkDoubts(doubts: readonly Doubt[]): readonly Doubt[] {
  const passing = doubts.filter(mayPass);
  if (passing.length === 0) return doubts;
  const details = new Set(passing.map(({ detail }) => detail.replace(callAgain, '')));
  throw new LspanError('timed_out', [...details].join(' '), { retryable: true });
}

/** The advice that the next step of the failure gives anyway. */
const callAgain = / Call again[^.]*\.$/;

/**
 * Returns the failure of an answer that is incomplete because it is too large. If a server has reached a bound of its
 * own, its answer is all that there is, and a doubt says so.
 */
export function overCap(doubts: readonly Doubt[], total: unknown): Failure | undefined {
  const cap = doubts.find(({ kind, server }) => kind === 'capped' && server === undefined);
  if (cap) return failure('SNAPSHOT_TOO_LARGE', cap.detail);
  const most = limits.results.total;
  if (typeof total !== 'number' || total <= most) return undefined;
  return failure('SNAPSHOT_TOO_LARGE', `There are ${total}; lspan lists ${most}.`);
}
