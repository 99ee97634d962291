import { extname } from 'node:path';
import { limits } from '../core/limits.ts';

/** The definition of a macro in a text. */
interface Macro {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** The names of its parameters. */
  readonly parameters: readonly string[];
}

/** A macro whose definition contains a word, and whether the word is one of its parameters. */
export interface MacroAround {
  readonly name: string;
  readonly isParameter: boolean;
}

/** Returns the macro whose definition contains the word at an offset: what it means is known only where it is used. */
export function macroAt(file: string, text: string, offset: number, word: string): MacroAround | undefined {
  const find = finders[extname(file).slice(1).toLowerCase()];
  const macro = find?.(text).find(({ start, end }) => start <= offset && offset < end);
  return macro && { name: macro.name, isParameter: macro.parameters.includes(word) };
}

/**
 * True if a word in a string is the end of a path that an attribute of Rust gives to a macro: `"a::parse"` in
 * `#[serde(with = "a::parse")]`.
 */
export function isAttributePath(
  file: string,
  text: string,
  { start, end }: { start: number; end: number },
): boolean {
  if (!file.endsWith('.rs') || text[end] !== '"') return false;
  const before = text.slice(Math.max(0, start - limits.mentions.attribute), start);
  const opened = Math.max(before.lastIndexOf('#['), before.lastIndexOf('#!['));
  return opened >= 0 && pathValue.test(before.slice(opened));
}

/** An attribute up to the last word of a path in a string, which is neither a feature nor a name outside of Rust. */
const pathValue = /^[^\]]*\b(?!feature\b|rename\w*\b|tag\b|content\b|doc\b|path\b)\w+\s*=\s*"(?:\w+::)*$/;

/** Matches a line with its continuation lines. */
const define = /^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\(([^)\n]*)\))?(?:\\\r?\n|\\.|[^\\\n])*/gm;

function definesIn(text: string): Macro[] {
  return [...text.matchAll(define)].map(({ 0: all, 1: name = '', 2: listed = '', index }) => {
    const parameters = listed.split(',').map((one) => one.trim());
    return { name, start: index, end: index + all.length, parameters };
  });
}

/** Parameters begin with a `$` in Rust, so they are never mere words. */
function rulesIn(text: string): Macro[] {
  const rules = /\bmacro_rules!\s*(\w+)\s*[{([]/g;
  const found: Macro[] = [];
  for (let match = rules.exec(text); match; match = rules.exec(text)) {
    // A nested definition belongs to the outer one.
    rules.lastIndex = closing(text, rules.lastIndex);
    found.push({ name: match[1] ?? '', start: match.index, end: rules.lastIndex, parameters: [] });
  }
  return found;
}

/** Returns the offset after the closing bracket; one in a string only makes the end too early or too late. */
function closing(text: string, from: number): number {
  const brackets = /[{([\])}]/g;
  brackets.lastIndex = from;
  let depth = 1;
  for (let match = brackets.exec(text); match; match = brackets.exec(text)) {
    depth += '{(['.includes(match[0]) ? 1 : -1;
    if (depth === 0) return brackets.lastIndex;
  }
  return text.length;
}

/** How to find macros, by file extension. */
const finders: Readonly<Record<string, (text: string) => Macro[]>> = {
  ...Object.fromEntries(
    'c h cc cpp cxx c++ hh hpp hxx h++ ipp inl tpp cu cuh m mm'.split(' ').map((name) => [name, definesIn]),
  ),
  rs: rulesIn,
};
