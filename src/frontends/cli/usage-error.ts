import { LspanError } from '../../core/errors.ts';
import type { CommandName } from './flags.ts';

/** A command line that cannot be understood: one sentence on what is wrong, and where the help is. */
export function usageError(message: string, command?: CommandName): LspanError {
  const help = command === undefined ? 'lspan --help' : `lspan help ${command}`;
  return new LspanError('invalid_input', `${message} See: ${help}`, { nextStep: `Run ${help}.` });
}
