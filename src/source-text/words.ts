const word = /(?<![\p{ID_Continue}$])[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/gu;

/** A word of a line, and the UTF-16 column where it begins. */
export interface Word {
  readonly start: number;
  readonly text: string;
}

/** The identifier that covers a UTF-16 column of a line, its end included; `undefined` where there is none. */
export function wordAt(line: string, column: number): string | undefined {
  return wordsOf(line).find((one) => touches(one, column))?.text;
}

/** Whether a column is on a word, its end included. */
export function touches({ start, text }: Word, column: number): boolean {
  return start <= column && column <= start + text.length;
}

/** How many characters a column is away from the nearest one of a word; 0 on it. */
export function distance({ start, text }: Word, column: number): number {
  const last = start + text.length - 1;
  return column < start ? start - column : Math.max(0, column - last);
}

/** Where a name stands as a whole word in a line, or in a whole text. */
export function occurrences(line: string, name: string): number[] {
  if (name === '') return [];
  const found: number[] = [];
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + name.length)) {
    const before = line[at - 1] ?? ' ';
    const after = line[at + name.length] ?? ' ';
    if (!(isPart(before) && isPart(name[0] ?? '')) && !(isPart(after) && isPart(name.at(-1) ?? '')))
      found.push(at);
  }
  return found;
}

/** The words of a line, keywords among them. */
export function wordsOf(line: string): Word[] {
  return [...line.matchAll(word)].map((match) => ({ start: match.index, text: match[0] }));
}

function isPart(character: string): boolean {
  const code = character.charCodeAt(0);
  if (code < 0x80) return plain[code] === 1;
  return /[\p{ID_Continue}$]/u.test(character);
}

/** Which characters of ASCII are part of a word. */
const plain = Uint8Array.from({ length: 0x80 }, (_, code) =>
  /[\w$]/.test(String.fromCharCode(code)) ? 1 : 0,
);
