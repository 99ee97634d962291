import { LspanError } from '../../../core/errors.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';

/** What who goes on to ask is told when the work with other texts is over. */
export function overlayEnded(): LspanError {
  return new LspanError('cancelled', 'The work with text that is not on the disk has ended.');
}

/** What the work with other texts is told about a server that it did not get when it began. */
export function overlaidByAnother({ id }: ServerDefinition): LspanError {
  const message = `${id} is in use elsewhere, and cannot be asked about text that is not on the disk.`;
  return new LspanError('busy', message, { nextStep: 'Call again in a moment.' });
}

/** What the work with other texts is told about a server that reads nothing but the disk. */
export function noUnsavedText({ id }: ServerDefinition): LspanError {
  const message = `${id} reads files from the disk only, and cannot be asked about other text.`;
  return new LspanError('not_supported', message, { nextStep: 'Write the text to the file, then ask.' });
}

/** Why a server was ended that could not be told of the disk's text again. */
export function notGivenBack({ id }: ServerDefinition, cause: unknown): LspanError {
  const message = `${id} could not be told that text which is not on the disk is over, and was ended.`;
  return new LspanError('server_crashed', message, {
    cause,
    nextStep: 'Call again: lspan starts the server anew.',
  });
}

/** What is told of a server that does not answer even that it has read what it was sent. */
export function notRead({ id }: ServerDefinition): LspanError {
  return new LspanError('busy', `${id} does not tell that it has read the text it was sent.`, {
    nextStep: 'Call again in a moment.',
  });
}
