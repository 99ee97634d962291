import type { Doubt, DoubtKind } from '../../../core/doubts.ts';
import { asLspanError, type ErrorCode, LspanError } from '../../../core/errors.ts';

/** A pending reply, and its server if it comes from only one. */
interface Asked<T> {
  readonly server?: string;
  /** True if other servers are asked the same about the same files: then lack of support is not a doubt. */
  readonly mayDecline?: boolean;
  readonly reply: Promise<T>;
}

interface Gathered<T> {
  readonly replies: readonly T[];
  readonly errors: readonly LspanError[];
  /** The errors as doubts, without the lack of support that `mayDecline` allows. */
  readonly doubts: readonly Doubt[];
}

/** Collects replies; failures become doubts. Throws if the call ended or, unless `lenient`, if all failed. */
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
    detail: server !== undefined && error.code === 'timed_out' ? notInTime(server) : told(error),
  })) satisfies Doubt[];
  return { replies, errors, doubts };
}

function notInTime(server: string): string {
  return `${server} did not answer in time: what only it knows is missing. Call again to continue.`;
}

/** Includes the next step if the user can do something about a missing or refused server. */
function told({ code, message, nextStep }: LspanError): string {
  return nextStep && remediable.has(code) ? `${message} ${nextStep}` : message;
}

const remediable: ReadonlySet<ErrorCode> = new Set(['not_installed', 'refused', 'starting']);

/** A server that is untrusted or just starting is not missing because of a fault. */
const kinds: Partial<Record<ErrorCode, DoubtKind>> = {
  timed_out: 'timed_out',
  refused: 'not_trusted',
  starting: 'indexing',
};

/** The error if all failed: their own if they agree, ignoring servers that do not support the question. */
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
    nextStep: (alike && first.nextStep) || 'get_server_status shows the state of each server.',
  });
}
