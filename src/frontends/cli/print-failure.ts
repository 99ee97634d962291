import { asLspanError, type LspanError } from '../../core/errors.ts';
import { escapeControls } from '../observe/log.ts';

/** Tells in one line of stderr why a command failed. */
export function printFailure(thrown: unknown): LspanError {
  const error = asLspanError(thrown);
  process.stderr.write(`${escapeControls(`lspan: ${describe(error)}`)}\n`);
  return error;
}

/** The cause is told only where we cannot say ourselves what is wrong. */
function describe({ code, message, cause }: LspanError): string {
  return code === 'internal'
    ? `${message} (${cause instanceof Error ? cause.message : String(cause)})`
    : message;
}
