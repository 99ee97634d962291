import type { Call } from '../core/call.ts';
import type { Doubt } from '../core/doubts.ts';
import { LspanError } from '../core/errors.ts';
import { fromLineColumn } from '../core/positions.ts';
import type { Place } from '../core/questions.ts';
import { nearestOccurrence, wordAt } from '../core/words.ts';
import type { Document } from '../workspace/document.ts';
import { locateByName } from './locate-by-name.ts';
import { lastPart } from './symbol-path.ts';
import type { Target } from './target.ts';
import type { World } from './tool.ts';

/** What a target means, and how it was read where it was not exact. */
export interface Located {
  readonly place: Place;
  /** The identifier at the place, as far as the text tells. */
  readonly name: string | undefined;
  readonly adjusted?: string;
  readonly doubts: readonly Doubt[];
}

/** Turns what an agent says into a place, or into an error that lists what it may have meant. */
export async function locate(world: World, target: Target, call: Call): Promise<Located> {
  const { file_path, symbol_name, line } = target;
  if (file_path === undefined && line !== undefined) throw incomplete('A line needs its `file_path`.');
  if (line === undefined && target.character !== undefined) throw incomplete('A character needs its `line`.');
  if (symbol_name === undefined && line === undefined) {
    throw incomplete('Say what is meant: `symbol_name`, or `file_path` with `line` and `character`.');
  }
  if (file_path === undefined || line === undefined) return locateByName(world, target, call);
  const path = await world.workspace.resolve(file_path);
  const document = await world.workspace.read(path);
  return { ...locateInLine(document, target, line), doubts: [] };
}

type InLine = Pick<Located, 'place' | 'name' | 'adjusted'>;

function locateInLine(document: Document, target: Target, line: number): InLine {
  if (line < 1 || line > document.lineCount) throw noSuchLine(document, line);
  const text = document.line(line - 1);
  const { character, symbol_name } = target;
  if (character !== undefined && (character < 1 || character > text.length + 1)) {
    throw noSuchColumn(line, text.length + 1, character);
  }
  const at = (column: number, name: string | undefined): InLine => ({
    place: { path: document.path, position: fromLineColumn({ line, character: column }) },
    name,
  });
  if (symbol_name === undefined) {
    if (character === undefined)
      throw incomplete('A line alone is not enough: give `character` or `symbol_name`.');
    return at(character, wordAt(text, character - 1));
  }
  const name = lastPart(symbol_name);
  if (character !== undefined && wordAt(text, character - 1) === name) return at(character, name);
  const found = nearestOccurrence(text, name, (character ?? 1) - 1);
  if (found === undefined) throw notOnLine(name, line);
  const adjusted = `${JSON.stringify(name)} at ${line}:${found + 1}`;
  return character === undefined ? at(found + 1, name) : { ...at(found + 1, name), adjusted };
}

function incomplete(message: string): LspanError {
  return new LspanError('invalid_input', message, {
    nextStep:
      'Give `symbol_name` (with `file_path` if it is not unique), or `file_path`, `line` and `character`.',
  });
}

function noSuchLine({ lineCount }: Document, line: number): LspanError {
  return new LspanError('invalid_input', `There is no line ${line}: the file has ${lineCount} lines.`, {
    nextStep: 'Lines are counted from 1. Read the file again, or give `symbol_name` instead.',
  });
}

function noSuchColumn(line: number, most: number, character: number): LspanError {
  return new LspanError(
    'invalid_input',
    `There is no character ${character} on line ${line}: it ends at ${most}.`,
    {
      nextStep: 'Characters are counted from 1 in UTF-16 units. Give `symbol_name` instead if in doubt.',
    },
  );
}

function notOnLine(name: string, line: number): LspanError {
  return new LspanError('not_found', `${JSON.stringify(name)} does not stand on line ${line}.`, {
    nextStep: 'Leave `line` out to search the file for the name.',
  });
}
