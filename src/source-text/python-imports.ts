import { lexicalAt } from './lexical.ts';
import type { PathMention } from './path-mentions.ts';

/**
 * The modules that a Python text imports, dotted: of `from pkg import cart, price` those are `pkg`, `pkg.cart` and
 * `pkg.price`, since a name may be a module. The place of each is that of the word that names it.
 */
export function pythonImports(text: string): PathMention[] {
  const found = [...text.matchAll(statement)];
  const kinds = lexicalAt(
    'a.py',
    text,
    found.map(({ index, 0: whole }) => index + whole.search(/\S/)),
  );
  return found.flatMap((match, index) => {
    if (kinds[index] !== 'code') return [];
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
  /^[ \t]*(?:from[ \t]+(?<from>\.*[\w.]*)[ \t]*\bimport\b[ \t]*(?<names>\([^)]*\)?|(?:\\\n|[^\n#;])*)|import[ \t]+(?<modules>(?:\\\n|[^\n#;])*))/gm;

interface Found {
  readonly offset: number;
  readonly word: string;
}

/** The imported names, without those that they are given here. */
function wordsIn(text: string, start: number, pattern: RegExp): Found[] {
  const blanked = text
    .replace(/#[^\n]*/g, (comment) => ' '.repeat(comment.length))
    .replace(/\bas\s+\w+/g, (renaming) => ' '.repeat(renaming.length));
  return [...blanked.matchAll(pattern)].map(({ 0: word, index }) => ({ offset: start + index, word }));
}

function named({ offset, word }: Found): PathMention {
  return { offset, length: word.length, path: word, form: 'module', ask: offset + word.lastIndexOf('.') + 1 };
}
