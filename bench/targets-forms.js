// The ways in which an agent may say where a symbol is.
import { keywords, wordsOf } from './targets-sample.js';

/**
 * Each form gives the inputs for a symbol; none where the form says the same as another symbol's exact place would,
 * or nothing that can be said. `text` is the symbol's line, `lines` those of its file.
 */
export const forms = [
  { name: 'exact position', least: 1, inputs: ({ line, character }) => [{ line, character }] },
  ...[1, -1, 2, -2].map((off) => ({
    name: `name, line ${signed(off)}`,
    least: 0.995,
    inputs: (symbol) => named(symbol, { line: symbol.line + off, character: symbol.character }),
  })),
  {
    name: 'name, line from 0',
    least: 0.995,
    inputs: (symbol) => named(symbol, { line: symbol.line - 1, character: symbol.character }),
  },
  ...[1, -1, 2, -2].map((off) => ({
    name: `name, column ${signed(off)}`,
    least: 0.995,
    inputs: (symbol) => named(symbol, { line: symbol.line, character: symbol.character + off }),
  })),
  {
    name: 'name, column from 0',
    least: 0.995,
    inputs: (symbol) => named(symbol, { line: symbol.line, character: symbol.character - 1 }),
  },
  {
    name: 'name, line and column from 0',
    least: 0.995,
    inputs: (symbol) => named(symbol, { line: symbol.line - 1, character: symbol.character - 1 }),
  },
  {
    name: 'name, column in code points',
    least: 0.995,
    inputs: (symbol) => recounted(symbol, (text) => [...text].length),
  },
  {
    name: 'name, column in bytes',
    least: 0.995,
    inputs: (symbol) => recounted(symbol, (text) => Buffer.byteLength(text)),
  },
  { name: 'beside the symbol, no name', least: 0.99, inputs: beside },
  { name: 'name alone', least: 0.99, inputs: ({ name, isGlobal }) => (isGlobal ? [{ name }] : []) },
];

function signed(off) {
  return off > 0 ? `+${off}` : `−${-off}`;
}

/** With the name; unless the name stands exactly there too, which then is what was said. */
function named(symbol, { line, character }) {
  if (line < -1 || character < -1) return [];
  const isOther = wordsOf(symbol.lines[line] ?? '').some(
    ({ start, text }) =>
      text === symbol.name &&
      start <= character &&
      character < start + text.length &&
      !(line === symbol.line && start === symbol.character),
  );
  return isOther ? [] : [{ name: symbol.name, line, character }];
}

function recounted(symbol, count) {
  const { line, character, lines } = symbol;
  const column = count(lines[line].slice(0, character));
  return column === character ? [] : named(symbol, { line, character: column });
}

/** Positions on no identifier, at most two characters from the symbol and nearer to it than to any other. */
function beside({ line, character, name, lines }) {
  const text = lines[line];
  const others = wordsOf(text).filter(({ start, text: word }) => start !== character && !keywords.has(word));
  const end = character + name.length;
  const near = [character - 2, character - 1, end + 1];
  const last = others.every(({ start }) => start < character) ? [text.length + 3] : [];
  return [...near, ...last]
    .filter((column) => column >= 0 && (column < character || column > end))
    .filter((column) =>
      others.every((other) => away(other, column) > away({ start: character, text: name }, column)),
    )
    .filter(
      (column) => !others.some(({ start, text: word }) => start <= column && column <= start + word.length),
    )
    .filter(
      (column) =>
        !wordsOf(text).some(({ start, text: word }) => start <= column && column < start + word.length),
    )
    .map((column) => ({ line, character: column }));
}

function away({ start, text }, column) {
  return column < start ? start - column : column - (start + text.length - 1);
}
