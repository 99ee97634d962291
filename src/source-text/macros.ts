import { extname } from 'node:path';

/** The definition of a macro in a text. */
interface Macro {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** The words that stand for what it is used with. */
  readonly parameters: readonly string[];
}

/**
 * The names of the macros in whose definitions some places of a file's text are, given by their rising offsets, and nothing
 * for other places. What a word means there is known only where the macro is used; that of a parameter is none of them.
 */
export function macrosAt(
  file: string,
  text: string,
  offsets: readonly number[],
  word: string,
): readonly (string | undefined)[] {
  const find = finders[extname(file).slice(1).toLowerCase()];
  const macros = find && offsets.length > 0 ? find(text) : [];
  let next = 0;
  return offsets.map((offset) => {
    while ((macros[next]?.end ?? offset + 1) <= offset) next += 1;
    const macro = macros[next];
    if (!macro || macro.start > offset || macro.parameters.includes(word)) return undefined;
    return macro.name;
  });
}

/** A line, and those to which it is continued. */
const define = /^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\(([^)\n]*)\))?(?:\\\r?\n|\\.|[^\\\n])*/gm;

function definesIn(text: string): Macro[] {
  return [...text.matchAll(define)].map(({ 0: all, 1: name = '', 2: listed = '', index }) => {
    const parameters = listed.split(',').map((one) => one.trim());
    return { name, start: index, end: index + all.length, parameters };
  });
}

/** What stands for something begins with a `$` there, and is no mere word. */
function rulesIn(text: string): Macro[] {
  const rules = /\bmacro_rules!\s*(\w+)\s*[{([]/g;
  const found: Macro[] = [];
  for (let match = rules.exec(text); match; match = rules.exec(text)) {
    // What is defined within another one belongs to that.
    rules.lastIndex = closing(text, rules.lastIndex);
    found.push({ name: match[1] ?? '', start: match.index, end: rules.lastIndex, parameters: [] });
  }
  return found;
}

/** After the bracket that closes one before a place; one in a string may end it early or late, which is all it does. */
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

/** How macros are found, by the extensions of files. */
const finders: Readonly<Record<string, (text: string) => Macro[]>> = {
  ...Object.fromEntries(
    'c h cc cpp cxx c++ hh hpp hxx h++ ipp inl tpp cu cuh m mm'.split(' ').map((name) => [name, definesIn]),
  ),
  rs: rulesIn,
};
