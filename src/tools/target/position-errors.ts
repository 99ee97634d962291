import { LspanError } from '../../core/errors.ts';
import type { Document } from '../../workspace/texts/document.ts';

/** Returns the error for a target that says too little. */
export function incomplete(message: string): LspanError {
  return new LspanError('invalid_input', message, {
    nextStep:
      'Give `symbol_name` (with `file_path` if it is not unique), or `file_path`, `line` and `character`.',
  });
}

/** Returns the error for an impossible range. */
export function wrongRange(message: string): LspanError {
  return new LspanError('invalid_input', message, {
    nextStep: 'Give `file_path`, and `line` with `end_line` for a part of it.',
  });
}

/** Returns the error for a line that a file does not have. `named` suggests a name instead. */
export function noSuchLine({ lineCount }: Document, line: number, named = true): LspanError {
  return new LspanError('invalid_input', `There is no line ${line}: the file has ${lineCount} lines.`, {
    nextStep: `Lines are counted from 1. Read the file again${named ? ', or give `symbol_name` instead' : ''}.`,
  });
}

/** Returns the error for a character that a line does not have. `named` suggests a name instead. */
export function noSuchColumn(document: Document, line: number, character: number, named = true): LspanError {
  const most = document.line(line - 1).length + 1;
  return new LspanError(
    'invalid_input',
    `There is no character ${character} on line ${line}: it ends at ${most}.`,
    {
      nextStep: `Characters are counted from 1 in UTF-16 units. ${named ? 'Give `symbol_name` instead if in doubt.' : 'Omit `character` for the whole line.'}`,
    },
  );
}
