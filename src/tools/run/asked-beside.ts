import { type Call, cancelSignalOf } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { asLspanError } from '../../core/errors.ts';

/** What a question beside the main one has shown, or why an answer may lack it. */
export interface AskedBeside<T> {
  readonly value: T | undefined;
  readonly doubts: readonly Doubt[];
}

/**
 * Waits for a question beside the main one. If it fails, or was given up (`undefined`), the answer stands, with a doubt that
 * says what is not known; a question that no server supports has nothing to show.
 */
export function askedBeside<T>(
  asking: Promise<T | undefined>,
  unknown: string,
  call: Call,
): Promise<AskedBeside<T>> {
  const without = (kind: Doubt['kind']) => ({ value: undefined, doubts: [{ kind, detail: unknown }] });
  return asking.then(
    (value) => (value === undefined ? without('timed_out') : { value, doubts: [] }),
    (thrown: unknown) => {
      cancelSignalOf(call).throwIfAborted();
      const { code } = asLspanError(thrown);
      if (code === 'internal') throw thrown;
      if (code === 'not_supported') return { value: undefined, doubts: [] };
      return without(code === 'timed_out' ? 'timed_out' : 'server_unavailable');
    },
  );
}
