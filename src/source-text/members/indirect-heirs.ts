import { limits } from '../../core/limits.ts';
import { enclosing } from '../brackets.ts';
import { isPython, isScript } from '../imports.ts';
import { lexicalAt } from '../lexical.ts';
import { occurrences } from '../words.ts';

/** A class that may inherit what is called by a name in its header. */
export interface IndirectHeir {
  /** Where the name is. */
  readonly use: number;
  /** Where the class begins. */
  readonly start: number;
}

/**
 * Returns the classes of a text that inherit a name by what is made of it: `class B extends mix(A)`, `class B(mix(A))`,
 * `type("B", (A,), {})`, and `class B extends Alias` behind `const Alias = A`.
 */
export function indirectHeirs(file: string, text: string, name: string): readonly IndirectHeir[] {
  if (!isScript(file) && !isPython(file)) return [];
  const uses = occurrences(text, name);
  const aliases = new Set(uses.flatMap((use) => aliasAt(file, text, use, name) ?? []));
  const found = [
    ...uses.flatMap((use) => classAround(file, text, use) ?? []),
    ...[...aliases].slice(0, limits.mentions.otherNames).flatMap((alias) => classesOf(text, alias)),
  ].sort((a, b) => a.use - b.use);
  const kinds = lexicalAt(
    file,
    text,
    found.map(({ use }) => use),
  );
  return found.filter((_, index) => kinds[index] === 'code');
}

function classAround(file: string, text: string, use: number): IndirectHeir | undefined {
  const from = Math.max(0, use - limits.mentions.header);
  let before = text.slice(from, use);
  if (isPython(file) && made.test(before.slice(-limits.mentions.ahead))) return { use, start: use };
  for (let level = 1; level <= limits.hierarchy.depth; level += 1) {
    const open = enclosing(before);
    if (open === undefined || before[open] !== '(') return undefined;
    before = before.slice(0, open);
    // In the first brackets behind a class of Python are its bases themselves.
    const start = isScript(file) ? headerOfScript(before) : level > 1 ? headerOfPython(before) : -1;
    if (start >= 0) return { use, start: from + start };
  }
  return undefined;
}

/** Returns where the class begins in whose header a text ends; -1 if it does not. */
function headerOfScript(before: string): number {
  const start = before.lastIndexOf('class');
  const header = start < 0 ? '' : before.slice(start);
  return /^class\b[^{};]*$/.test(header) && /\sextends\b/.test(header) ? start : -1;
}

function headerOfPython(before: string): number {
  const start = before.lastIndexOf('\n') + 1;
  return /^\s*class\s+\w+\s*$/.test(before.slice(start)) ? start : -1;
}

const made = /\btype\s{0,20}\(\s{0,20}[^,()]{1,200},\s{0,20}\((?:[^()]{0,200},)?\s{0,20}$/;

/** Returns another name that a script gives to a class; servers of Python follow those. */
function aliasAt(file: string, text: string, use: number, name: string): string | undefined {
  if (!isScript(file)) return undefined;
  const end = use + name.length;
  if (!ending.test(text.slice(end, end + limits.mentions.ahead))) return undefined;
  return given.exec(text.slice(Math.max(0, use - limits.mentions.ahead), use))?.[1];
}

const given =
  /\b(?:const|let|var)\s{1,20}([\p{ID_Start}$_][\p{ID_Continue}$]{0,100})\s{0,20}(?::[^=;\n]{0,100})?=\s{0,20}$/u;
const ending = /^[ \t]*(?:;|\r?\n|$|as\b)/;

function classesOf(text: string, alias: string): readonly IndirectHeir[] {
  return occurrences(text, alias).flatMap((use) => {
    const before = text.slice(Math.max(0, use - limits.mentions.ahead), use);
    const start =
      /\sextends\s+$/.test(before) && text[use + alias.length] !== '.' ? headerOfScript(before) : -1;
    return start < 0 ? [] : [{ use, start: use - before.length + start }];
  });
}
