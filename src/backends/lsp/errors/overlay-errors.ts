import { LspanError } from '../../../core/errors.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';

/** Error for questions asked after the end of an overlay. */
export function overlayEnded(): LspanError {
  return new LspanError('cancelled', 'The work with unsaved text has ended.');
}

/** Error: a server was not leased when the overlay began. */
export function overlaidByAnother({ id }: ServerDefinition): LspanError {
  const message = `${id} is busy and cannot be asked about unsaved text.`;
  return new LspanError('busy', message, { nextStep: 'Call again in a moment.' });
}

/** Error: a server reads only the disk. */
export function noUnsavedText({ id }: ServerDefinition): LspanError {
  const message = `${id} reads files only from disk and cannot be asked about unsaved text.`;
  return new LspanError('not_supported', message, { nextStep: 'Write the text to the file, then ask.' });
}

/** Error: a server was ended because it could not be sent the disk's text again. */
export function notGivenBack({ id }: ServerDefinition, cause: unknown): LspanError {
  const message = `${id} could not be reset after unsaved text and was stopped.`;
  return new LspanError('server_crashed', message, {
    cause,
    nextStep: 'Call again: lspan restarts the server.',
  });
}

/** Error: a server does not confirm that it has read what it was sent. */
export function notRead({ id }: ServerDefinition): LspanError {
  return new LspanError('busy', `${id} did not confirm that it read the text it was sent.`, {
    nextStep: 'Call again in a moment.',
  });
}
