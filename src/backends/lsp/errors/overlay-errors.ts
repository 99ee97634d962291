import { LspanError } from '../../../core/errors.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';

/** Error for questions asked after the end of an overlay. */
export function overlayEnded(): LspanError {
  return new LspanError('cancelled', 'The work with text that is not on the disk has ended.');
}

/** Error: a server was not leased when the overlay began. */
export function overlaidByAnother({ id }: ServerDefinition): LspanError {
  const message = `${id} is in use elsewhere, and cannot be asked about text that is not on the disk.`;
  return new LspanError('busy', message, { nextStep: 'Call again in a moment.' });
}

/** Error: a server reads only the disk. */
export function noUnsavedText({ id }: ServerDefinition): LspanError {
  const message = `${id} reads files from the disk only, and cannot be asked about other text.`;
  return new LspanError('not_supported', message, { nextStep: 'Write the text to the file, then ask.' });
}

/** Error: a server was ended because it could not be sent the disk's text again. */
export function notGivenBack({ id }: ServerDefinition, cause: unknown): LspanError {
  const message = `${id} could not be told that text which is not on the disk is over, and was ended.`;
  return new LspanError('server_crashed', message, {
    cause,
    nextStep: 'Call again: lspan starts the server anew.',
  });
}

/** Error: a server does not confirm that it has read what it was sent. */
export function notRead({ id }: ServerDefinition): LspanError {
  return new LspanError('busy', `${id} does not tell that it has read the text it was sent.`, {
    nextStep: 'Call again in a moment.',
  });
}
