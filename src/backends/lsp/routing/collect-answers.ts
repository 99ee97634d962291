import type { Doubt, DoubtKind } from '../../../core/doubts.ts';
import { asLspanError, type ErrorCode, LspanError } from '../../../core/errors.ts';

/** One reply under way, and the server it comes from where it is one server's. */
interface Asked<T> {
  readonly server?: string;
  /** Others are asked the same about the same files: that this one does not support it is no doubt. */
  readonly mayDecline?: boolean;
  readonly reply: Promise<T>;
}

/** What came of several questions that were asked together. */
interface Gathered<T> {
  readonly replies: readonly T[];
  readonly errors: readonly LspanError[];
  /** The errors, where others replied. */
  readonly doubts: readonly Doubt[];
}

/**
 * Collects several replies: one that fails among several is a doubt, and when all fail, or the call has ended,
 * that is the error. `lenient` makes a lone failure a doubt too.
 */
export async function collectReplies<T>(
  asked: readonly Asked<T>[],
  { lenient = false }: { readonly lenient?: boolean } = {},
): Promise<Gathered<T>> {
  const settled = await Promise.allSettled(asked.map(({ reply }) => reply));
  const replies = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = settled.flatMap((one, index) => {
    if (one.status === 'fulfilled') return [];
    return [{ error: asLspanError(one.reason), ...asked[index] }];
  });
  const errors = failed.map(({ error }) => error);
  const ended = errors.find(({ code }) => code === 'cancelled' || code === 'internal');
  if (ended) throw ended;
  if (errors[0] && replies.length === 0 && !lenient) throw allFailed(errors);
  const doubtful = failed.filter(({ error, mayDecline }) => !mayDecline || error.code !== 'not_supported');
  const doubts = doubtful.map(({ error, server }) => ({
    kind: kinds[error.code] ?? 'server_unavailable',
    ...(server === undefined ? {} : { server }),
    detail: told(error),
  })) satisfies Doubt[];
  return { replies, errors, doubts };
}

/** What a person can do about a server that is not there, or not run, belongs to the doubt. */
function told({ code, message, nextStep }: LspanError): string {
  return nextStep && remediable.has(code) ? `${message} ${nextStep}` : message;
}

const remediable: ReadonlySet<ErrorCode> = new Set(['not_installed', 'refused', 'starting']);

/** What is not run for want of trust, or is just starting, is not missing because of a fault. */
const kinds: Partial<Record<ErrorCode, DoubtKind>> = {
  timed_out: 'timed_out',
  refused: 'not_trusted',
  starting: 'indexing',
};

/** The error of a question that everybody failed to answer: theirs where they failed alike, but for who cannot be asked it. */
export function allFailed(errors: readonly LspanError[]): LspanError {
  const able = errors.filter(({ code }) => code !== 'not_supported');
  const telling = able.length > 0 ? able : errors;
  const [first] = telling;
  const messages = [...new Set(telling.map(({ message }) => message))];
  if (first && messages.length === 1) return first;
  const alike = first && telling.every(({ code }) => code === first.code);
  const message = messages.join(' ');
  return new LspanError(alike ? first.code : 'server_unverified', `No server could answer. ${message}`, {
    cause: first,
    nextStep: (alike && first.nextStep) || 'get_server_status tells the state of each server.',
  });
}
