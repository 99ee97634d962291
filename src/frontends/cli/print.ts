import { asLspanError, LspanError } from '../../core/errors.ts';
import { escapeControls } from '../observe/log.ts';

/**
 * Writes an answer to stdout and waits until it is flushed. Throws if it cannot be written; a reader that is gone (`| head`) is
 * not an error.
 */
export function print(text: string): Promise<void> {
  const { stdout } = process;
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') resolve();
      else reject(new LspanError('refused', `The output could not be written: ${error.message}.`));
    };
    stdout.on('error', onError);
    stdout.write(text, (error) => {
      // On failure the `error` event follows this callback, so the listener must stay.
      if (error) return onError(error);
      stdout.off('error', onError);
      resolve();
    });
  });
}

/** Writes one line to stderr for the user at a terminal. */
export function printNotice(text: string): void {
  process.stderr.write(`${escapeControls(`lspan: ${text}`)}\n`);
}

/** Writes one line to stderr that says why a command failed, and what to do where that is to be run. */
export function printFailure(thrown: unknown): LspanError {
  const error = asLspanError(thrown);
  process.stderr.write(`${escapeControls(`lspan: ${describe(error)}`)}\n`);
  return error;
}

/** Shows the cause only of unforeseen errors, whose own message says nothing. */
function describe({ code, message, cause, nextStep = '' }: LspanError): string {
  if (code === 'internal') return `${message} (${cause instanceof Error ? cause.message : String(cause)})`;
  return code === 'not_installed' || code === 'refused' ? `${message} ${nextStep}`.trimEnd() : message;
}
