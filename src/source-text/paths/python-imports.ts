import { lexicalAt } from '../lexical.ts';
import type { PathMention } from './path-mention.ts';

/**
 * Returns the dotted modules that a Python text imports: for `from pkg import cart, price` those are `pkg`, `pkg.cart`
 * and `pkg.price`, since a name may be a module. The offset of each is that of the word that names it.
 */
export function pythonImports(text: string): PathMention[] {
  const found = [...text.matchAll(statement)];
  const kinds = lexicalAt(
    'a.py',
    text,
    found.map(({ index, 0: whole }) => index + whole.search(/\S/)),
  );
  return importsOf(found.filter((_, index) => kinds[index] === 'code'));
}

/**
 * Like `pythonImports`, of a notebook: its code is in strings of JSON, with text and results between, so that what is
 * a string of Python cannot be told.
 */
export function notebookImports(text: string): PathMention[] {
  const joined = text.replace(/\\n",\s{0,200}"/g, (gap) => `\\n${' '.repeat(gap.length - 2)}`);
  const code = joined.replace(
    /"((?:[^"\\]+|\\[\s\S])*)"?/g,
    (whole, inside: string) => `\n${unescaped(inside)}${whole.length > inside.length + 1 ? '\n' : ''}`,
  );
  return importsOf([...code.matchAll(statement)]);
}

/** Returns the lines of a string of JSON, with everything at its offset. */
function unescaped(inside: string): string {
  return inside.replace(/\\([\s\S])/g, (_, character: string) => escapes[character] ?? ` ${character}`);
}

const escapes: Readonly<Record<string, string>> = { n: '\n ', t: '  ', r: '  ' };

function importsOf(found: readonly RegExpExecArray[]): PathMention[] {
  return found.flatMap((match) => {
    const { from, names, modules } = match.groups ?? {};
    const start = match.index;
    if (modules !== undefined)
      return wordsIn(modules, start + match[0].length - modules.length, /[\w.]+/g).map(named);
    const at = start + match[0].indexOf(from ?? '', match[0].indexOf('from') + 4);
    const base = from ?? '';
    const joined = (name: string) => (/\.$/.test(base) ? `${base}${name}` : `${base}.${name}`);
    const imported = wordsIn(names ?? '', start + match[0].length - (names ?? '').length, /\w+/g);
    return [
      named({ offset: at, word: base }),
      ...imported.map(({ offset, word }) => ({
        offset,
        length: word.length,
        path: joined(word),
        form: 'module' as const,
        ask: offset,
      })),
    ];
  });
}

const statement =
  /^[ \t]*(?:from[ \t]+(?<from>\.*[\w.]*)[ \t]*\bc?import\b[ \t]*(?<names>\([^)]*\)?|(?:\\\n|[^\n#;])*)|c?import[ \t]+(?<modules>(?:\\\n|[^\n#;])*))/gm;

interface Found {
  readonly offset: number;
  readonly word: string;
}

/** Returns the imported names, without their aliases. */
function wordsIn(text: string, start: number, pattern: RegExp): Found[] {
  const blanked = text
    .replace(/#[^\n]*/g, (comment) => ' '.repeat(comment.length))
    .replace(/\bas\s+\w+/g, (renaming) => ' '.repeat(renaming.length));
  return [...blanked.matchAll(pattern)].map(({ 0: word, index }) => ({ offset: start + index, word }));
}

function named({ offset, word }: Found): PathMention {
  return { offset, length: word.length, path: word, form: 'module', ask: offset + word.lastIndexOf('.') + 1 };
}
