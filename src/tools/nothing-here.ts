import type { Doubt } from '../core/doubts.ts';
import { LspanError } from '../core/errors.ts';

/** The error for an empty answer: nothing is there, or nobody who could know was ready to say. */
export function nothingHere(what: string, name: string | undefined, doubts: readonly Doubt[]): LspanError {
  const [doubt] = doubts;
  if (doubt) {
    return new LspanError(
      'server_unverified',
      `No ${what} was found, but that cannot be relied on: ${doubt.detail}`,
      {
        nextStep: 'Call again. get_server_status tells the state of the servers.',
      },
    );
  }
  const subject =
    name === undefined
      ? 'There is no identifier at this position.'
      : `${JSON.stringify(name)} has no ${what}.`;
  return new LspanError('not_found', subject, {
    nextStep: 'Check the position, or give `symbol_name`. get_document_symbols lists what a file defines.',
  });
}
