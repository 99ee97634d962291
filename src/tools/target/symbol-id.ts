import { LspanError } from '../../core/errors.ts';
import { fromLineColumn, type Position, toLineColumn } from '../../core/position.ts';
import { quotePath } from '../../core/wording/quote-path.ts';

/** The content of a candidate's id. The id is self-contained, so that nothing has to be kept for it. */
export interface SymbolId {
  readonly file: string;
  readonly position: Position;
  readonly name: string;
}

/** Writes the id of a symbol, such as `src/cart.ts:12:7#total`. */
export function writeSymbolId({ file, position, name }: SymbolId): string {
  const { line, character } = toLineColumn(position);
  return `${file}:${line}:${character}#${name}`;
}

/** Reads the id of a candidate. Throws `invalid_input`. */
export function readSymbolId(id: string): SymbolId {
  const read = symbolIdIn(id);
  if (read) return read;
  throw new LspanError('invalid_input', `${quotePath(id)} is not a symbol id.`, {
    nextStep: 'Give the id of a listed candidate, such as `src/cart.ts:12:7#total`.',
  });
}

/** Returns the content of an id, or `undefined` if it is not one. */
export function symbolIdIn(id: string): SymbolId | undefined {
  const [, file = '', line = '', character = '', name = ''] = form.exec(id) ?? [];
  if (name === '') return undefined;
  return { file, position: fromLineColumn({ line: Number(line), character: Number(character) }), name };
}

const form = /^(.+?):([1-9]\d{0,8}):([1-9]\d{0,8})#(.+)$/s;
