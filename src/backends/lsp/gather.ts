import type { Doubt } from '../../core/doubts.ts';
import { asLspanError, LspanError } from '../../core/errors.ts';
import type { ServerSlot } from './server-slot.ts';

/** One server's reply under way. */
interface Asked<T> {
  readonly slot: ServerSlot;
  readonly reply: Promise<T>;
}

/**
 * Collects the replies of several servers: one that fails among several is a doubt, and when all fail,
 * or the call has ended, that is the error. `lenient` makes a lone failure a doubt too.
 */
export async function gather<T>(
  asked: readonly Asked<T>[],
  { lenient = false }: { readonly lenient?: boolean } = {},
): Promise<{ readonly replies: readonly T[]; readonly doubts: readonly Doubt[] }> {
  const settled = await Promise.allSettled(asked.map(({ reply }) => reply));
  const replies = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const errors = settled.flatMap((one, index) => {
    if (one.status === 'fulfilled') return [];
    return [{ error: asLspanError(one.reason), server: asked[index]?.slot.definition.id ?? '' }];
  });
  const ended = errors.find(({ error }) => error.code === 'cancelled' || error.code === 'internal');
  if (ended) throw ended.error;
  const first = errors[0];
  if (first && replies.length === 0 && !lenient) throw first.error;
  const doubts = errors.map(({ error, server }) => ({
    kind: error.code === 'timed_out' ? 'timed_out' : 'server_unavailable',
    server,
    detail: error.message,
  })) satisfies Doubt[];
  return { replies, doubts };
}

/** The error of a question that every server failed to answer. */
export function allUnavailable(doubts: readonly Doubt[]): LspanError {
  const message = doubts.map(({ detail }) => detail).join(' ');
  return new LspanError('server_unverified', `No server could answer. ${message}`, {
    nextStep: 'get_server_status tells the state of each server.',
  });
}
