const word = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/gu;

/** The identifier that covers a UTF-16 column of a line, its end included; `undefined` where there is none. */
export function wordAt(line: string, column: number): string | undefined {
  return wordsOf(line).find(({ start, text }) => start <= column && column <= start + text.length)?.text;
}

/** The column where a name stands as a whole word nearest to a column; `undefined` where it does not. */
export function nearestOccurrence(line: string, name: string, column: number): number | undefined {
  const starts = occurrences(line, name);
  return starts.sort((a, b) => Math.abs(a - column) - Math.abs(b - column))[0];
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

function wordsOf(line: string): { readonly start: number; readonly text: string }[] {
  return [...line.matchAll(word)].map((match) => ({ start: match.index, text: match[0] }));
}

function isPart(character: string): boolean {
  return /[\p{ID_Continue}$]/u.test(character);
}
