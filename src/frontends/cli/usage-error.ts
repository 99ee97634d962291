import { LspanError } from '../../core/errors.ts';
import type { CommandName } from './flags.ts';

/** Returns an error about the command line that points to the help. */
export function usageError(message: string, command?: CommandName): LspanError {
  const help = command === undefined ? 'lspan --help' : `lspan help ${command}`;
  return new LspanError('invalid_input', `${message} See: ${help}`, { nextStep: `Run ${help}.` });
}
