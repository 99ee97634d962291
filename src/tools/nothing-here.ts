import type { Doubt } from '../core/doubts.ts';
import { LspanError } from '../core/errors.ts';

/** The error for an empty answer: nothing is there, or nobody who could know was ready to say. */
export function nothingHere(
  what: string,
  { name, adjusted }: { readonly name: string | undefined; readonly adjusted?: string | undefined },
  doubts: readonly Doubt[],
): LspanError {
  const read = adjusted === undefined ? '' : ` The target was read as: ${adjusted}.`;
  if (doubts.length > 0) {
    const reasons = [...new Set(doubts.map(({ detail }) => detail))].join(' ');
    return new LspanError(
      'server_unverified',
      `No ${what} was found, but that cannot be relied on: ${reasons}${read}`,
      {
        nextStep: 'Call again. get_server_status tells the state of the servers.',
      },
    );
  }
  const subject =
    name === undefined
      ? 'There is no identifier at this position.'
      : `${JSON.stringify(name)} has no ${what}.`;
  return new LspanError('not_found', `${subject}${read}`, {
    nextStep: 'Check the position, or give `symbol_name`. get_document_symbols lists what a file defines.',
  });
}
