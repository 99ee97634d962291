import { type Doubt, mayPass } from '../../core/doubts.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { type Failure, failure } from './failure.ts';

/** Gives the doubts on if the same question would have the same answer again; throws `timed_out` otherwise. */
export function checkDoubts(doubts: readonly Doubt[]): readonly Doubt[] {
  const passing = doubts.filter(mayPass);
  if (passing.length === 0) return doubts;
  const details = new Set(passing.map(({ detail }) => detail.replace(callAgain, '')));
  throw new LspanError('timed_out', [...details].join(' '), { retryable: true });
}

/** What the next step of the failure says anyway. */
const callAgain = / Call again[^.]*\.$/;

/**
 * The failure of an answer that is not all there is because there is too much of it. Where a server has met a bound of
 * its own, what it gives is all that anybody can be told, and a doubt says so.
 */
export function overCap(doubts: readonly Doubt[], total: unknown): Failure | undefined {
  const cap = doubts.find(({ kind, server }) => kind === 'capped' && server === undefined);
  if (cap) return failure('SNAPSHOT_TOO_LARGE', cap.detail);
  const most = limits.results.total;
  if (typeof total !== 'number' || total <= most) return undefined;
  return failure('SNAPSHOT_TOO_LARGE', `There are ${total}, of which lspan lists ${most}.`);
}
