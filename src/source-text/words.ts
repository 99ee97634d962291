const word = /(?<![\p{ID_Continue}$])[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/gu;

/** A word of a line, and the UTF-16 column where it begins. */
export interface Word {
  readonly start: number;
  readonly text: string;
}

/** Returns the identifier at a UTF-16 column of a line, its end included; `undefined` if there is none. */
export function wordAt(line: string, column: number): string | undefined {
  return wordAround(line, column)?.text;
}

/** Like `wordAt`, but returns also where it begins. */
export function wordAround(line: string, column: number): Word | undefined {
  if (!(column >= 0 && column <= line.length)) return undefined;
  let start = column;
  while (start > 0 && isPlainPart(line, start - 1)) start -= 1;
  let end = column;
  while (end < line.length && isPlainPart(line, end)) end += 1;
  // Other letters may belong to the word, and are rare.
  if (isOutsideAscii(line, start - 1) || isOutsideAscii(line, end))
    return wordsOf(line).find((one) => touches(one, column));
  const text = line.slice(start, end);
  return /^[A-Za-z_$]/.test(text) ? { start, text } : undefined;
}

function isPlainPart(line: string, at: number): boolean {
  return plain[line.charCodeAt(at)] === 1;
}

function isOutsideAscii(line: string, at: number): boolean {
  return line.charCodeAt(at) >= plain.length;
}

/** True if a column is on a word, its end included. */
export function touches({ start, text }: Word, column: number): boolean {
  return start <= column && column <= start + text.length;
}

/** True if what begins at a column of a line is a member of what stands before it; a range or a spread has more dots. */
export function isMember(line: string, column: number): boolean {
  return /(?:(?<!\.)\.|->)\s*$/.test(line.slice(0, column));
}

/** Returns the number of characters between a column and the nearest one of a word; 0 on the word. */
export function distance({ start, text }: Word, column: number): number {
  const last = start + text.length - 1;
  return column < start ? start - column : Math.max(0, column - last);
}

/**
 * Returns the offsets of a name as a whole word in a line, or in a whole text. In a language where `$` begins no name but a
 * use of one, it is no part of the word.
 */
export function occurrences(line: string, name: string, { dollar = true } = {}): number[] {
  if (name === '') return [];
  const isPart = (character: string) => (dollar || character !== '$') && isPartOfWord(character);
  const found: number[] = [];
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + name.length)) {
    const before = line[at - 1] ?? ' ';
    const after = line[at + name.length] ?? ' ';
    if (!(isPart(before) && isPart(name[0] ?? '')) && !(isPart(after) && isPart(name.at(-1) ?? '')))
      found.push(at);
  }
  return found;
}

/** Returns the words of a line, including keywords. */
export function wordsOf(line: string): Word[] {
  return [...line.matchAll(word)].map((match) => ({ start: match.index, text: match[0] }));
}

function isPartOfWord(character: string): boolean {
  const code = character.charCodeAt(0);
  if (code < 0x80) return plain[code] === 1;
  return /[\p{ID_Continue}$]/u.test(character);
}

/** By ASCII code: 1 if the character is part of a word. */
const plain = Uint8Array.from({ length: 0x80 }, (_, code) =>
  /[\w$]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** A name as a part of a regular expression. */
export function patternOf(name: string): string {
  return name.replaceAll('$', '\\$');
}
