import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { toLineColumn } from '../../core/position.ts';
import type { OutlineSymbol } from '../../core/question.ts';
import { nearestNames } from '../../core/wording/nearest-name.ts';
import { wordsOf } from '../../source-text/words.ts';
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

/** Returns the error for a symbol without a name, about which nothing can be asked but its code. */
export function withoutName({ name, kind, selection }: OutlineSymbol): LspanError {
  const { line, character } = toLineColumn(selection.start);
  return new LspanError(
    'not_found',
    `The ${kind} at ${line}:${character}, ${name}, has no name: nothing refers to it.`,
    { nextStep: 'inspect_symbol shows its code. For a symbol inside it, give the position of its name.' },
  );
}

/** Returns the error for a name that a file does not contain: the words there that resemble it, else what to do. */
export function notInFile({ text }: Document, name: string, otherwise: string): LspanError {
  const words = new Set(wordsOf(text).map((word) => word.text));
  const near = nearestNames(name, words, limits.resembling.words).map((word) => `\`${word}\``);
  return new LspanError('not_found', `${JSON.stringify(name)} does not occur in this file.`, {
    nextStep: near.length > 0 ? `Did you mean ${near.join(' or ')}?` : otherwise,
  });
}
