import type { Reply } from '../../core/backend.ts';
import { type Call, endOf } from '../../core/call.ts';
import type { Doubt, DoubtKind } from '../../core/doubts.ts';
import { asLspanError, type ErrorCode } from '../../core/errors.ts';

/** One part of an answer of several: what was asked for, or why it is missing. */
export type Part<T> =
  | (Reply<T> & { readonly missing?: undefined })
  | { readonly missing: string; readonly doubts: readonly Doubt[] };

/** Waits for a part. That it fails is told in its place, and is no reason to go without the others. */
export function partOf<T>(asked: Promise<Reply<T>>, call: Call): Promise<Part<T>> {
  return asked.catch((thrown: unknown) => {
    const { code, message } = asLspanError(thrown);
    // What ends the call ends all of it, and what nobody foresaw is never hidden.
    if (endOf(call).aborted || code === 'internal') throw thrown;
    // What a server cannot do is no doubt of what the others say.
    if (code === 'not_supported') return { missing: message, doubts: [] };
    return { missing: message, doubts: [{ kind: kindOf[code] ?? 'server_unavailable', detail: message }] };
  });
}

const kindOf: Readonly<Partial<Record<ErrorCode, DoubtKind>>> = {
  timed_out: 'timed_out',
  starting: 'indexing',
  limit_exceeded: 'capped',
};
