import { closing, enclosing } from '../brackets.ts';
import { occurrences } from '../words.ts';

/**
 * Returns the conditions under which the code at an offset of Rust is compiled, the innermost first: `windows` for what is in
 * an item behind `#[cfg(windows)]`.
 */
export function conditionsAround(text: string, offset: number): readonly string[] {
  const code = codeOfRust(text);
  const found: string[] = [];
  let isInnermost = true;
  for (let end: number | undefined = offset; end !== undefined; isInnermost = false) {
    const before = code.slice(0, end);
    const open = enclosing(before);
    const level = before.slice(open === undefined ? 0 : open + 1);
    const start = before.length - level.length + beginOfItem(level, isInnermost);
    found.push(...conditionsIn(text, code, { start, end }, 'outer'));
    if (open === undefined || code[open] === '{')
      found.push(...conditionsIn(text, code, { start: before.length - level.length, end }, 'inner'));
    end = open;
  }
  return found;
}

/** Returns the conditions of the declarations of a module in the file above it: `windows` for `#[cfg(windows)] mod win;`. */
export function conditionsOfModule(text: string, name: string): readonly string[] | undefined {
  const code = codeOfRust(text);
  const at = occurrences(code, name).find(
    (start) => /\bmod\s+$/.test(code.slice(0, start)) && /^\w+\s*;/.test(code.slice(start)),
  );
  return at === undefined ? undefined : conditionsAround(text, at);
}

/** Returns where the last item begins in a text that is in one bracket; a field ends at a comma. */
function beginOfItem(level: string, hasFields: boolean): number {
  let [depth, begin] = [0, 0];
  for (let at = 0; at < level.length; at += 1) {
    const character = level[at] ?? '';
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
    const ends = hasFields ? ',;}' : ';}';
    if (depth === 0 && ends.includes(character)) begin = at + 1;
  }
  return begin;
}

function conditionsIn(
  text: string,
  code: string,
  { start, end }: { readonly start: number; readonly end: number },
  kind: 'outer' | 'inner',
): readonly string[] {
  const pattern = kind === 'outer' ? /#\s*\[\s*cfg\s*\(/g : /#!\s*\[\s*cfg\s*\(/g;
  return [...code.slice(start, end).matchAll(pattern)].flatMap(({ index, 0: { length } }) => {
    const from = start + index + length;
    const close = closing(code.slice(from));
    return close === undefined ? [] : [text.slice(from, from + close).trim()];
  });
}

/** True if only a build script can meet a condition: one that is neither of the compiler nor of Cargo. */
export function mayBeSetByBuild(condition: string): boolean {
  const names = condition.replaceAll(/=\s*"[^"]*"/g, '').match(/\w+/g) ?? [];
  return names.some((name) => !known.has(name) && !name.startsWith('target_'));
}

const known: ReadonlySet<string> = new Set(
  'all any not true false test unix windows feature debug_assertions doc doctest miri panic proc_macro'.split(
    ' ',
  ),
);

/** Blanks comments, strings and characters of Rust, and keeps every offset. */
function codeOfRust(text: string): string {
  return text.replaceAll(words, (part) => part.replaceAll(/[^\n]/g, ' '));
}

const words =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|\br(#{0,9})"[\s\S]*?"\1|"(?:\\[\s\S]|[^"\\])*"|'(?:\\[^\n']*|[^'\\\n])'/g;
