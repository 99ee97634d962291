import { asLspanError, type LspanError } from '../../core/errors.ts';
import { escapeControls } from '../observe/log.ts';

/** Writes one line to stderr that says why a command failed. */
export function printFailure(thrown: unknown): LspanError {
  const error = asLspanError(thrown);
  process.stderr.write(`${escapeControls(`lspan: ${describe(error)}`)}\n`);
  return error;
}

/** Shows the cause only of unforeseen errors, whose own message says nothing. */
function describe({ code, message, cause }: LspanError): string {
  return code === 'internal'
    ? `${message} (${cause instanceof Error ? cause.message : String(cause)})`
    : message;
}
