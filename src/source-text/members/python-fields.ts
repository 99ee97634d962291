import { limits } from '../../core/limits.ts';
import { isPython } from '../imports.ts';
import type { Word } from '../words.ts';

/** Returns the names of the bases in the header of a class of Python, given the offset where the name of the class ends. */
export function pythonBasesAfter(text: string, from: number): readonly Word[] {
  const header = text.slice(from, from + limits.mentions.statement);
  const bases: Word[] = [];
  let depth = 0;
  let isExpected = true;
  for (const { 0: token, index } of header.matchAll(tokens)) {
    if (token.startsWith('#')) continue;
    if (/^[([{]/.test(token)) {
      depth += 1;
      isExpected = depth === 1 && token === '(';
    } else if (/^[)\]}]/.test(token)) {
      depth -= 1;
      if (depth <= 0 && token === ')') break;
    } else if (depth === 0) break;
    else if (depth === 1 && token === ',') isExpected = true;
    // What has a value is an argument: `total=False`.
    else if (depth === 1 && token === '=') {
      bases.pop();
      isExpected = false;
    } else if (depth === 1 && isExpected) {
      // The last one of `typing.TypedDict` is the class.
      const name = token.slice(token.lastIndexOf('.') + 1);
      bases.push({ text: name, start: from + index + token.length - name.length });
      isExpected = false;
    }
  }
  return bases;
}

const tokens = /#[^\n]*|[\w.]+|[^\s\w.]/g;

/** True if the word at an offset of Python is declared as a field: `title: str`, alone at the beginning of its line. */
export function isPythonField(file: string, text: string, { start, end }: Stretch): boolean {
  if (!isPython(file)) return false;
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  return /^[ \t]+$/.test(line) && /^[ \t]*:(?!=)/.test(text.slice(end, end + limits.mentions.ahead));
}

/** True if a word is a whole string of Python, which may be the key of a mapping. */
export function mayBeKey(file: string, text: string, { start, end }: Stretch): boolean {
  const quote = text[start - 1] ?? '';
  return isPython(file) && /["']/.test(quote) && text[end] === quote;
}

/** Where a word stands. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}
