/** An `#include` of a text. */
export interface Inclusion {
  /** The file as it is written, which may have folders. */
  readonly name: string;
  /** True for `"name"`, false for `<name>`. */
  readonly isQuoted: boolean;
  /** True if it depends on a condition other than the guard of the text. */
  readonly isConditional: boolean;
}

/** Returns what a text includes, in its order. */
export function inclusionsOf(given: string): readonly Inclusion[] {
  const text = given.replace(commentsAndStrings, (found) => (found.startsWith('"') ? found : ' '));
  const found: Inclusion[] = [];
  const guarded = guard.exec(text)?.index;
  const open: boolean[] = [];
  for (const { 1: directive = '', 2: mark, 3: name, index } of text.matchAll(conditionsAndIncludes)) {
    if (name !== undefined) found.push({ name, isQuoted: mark === '"', isConditional: open.includes(true) });
    else if (directive.startsWith('if')) open.push(index !== guarded);
    else if (directive === 'endif') open.pop();
  }
  return found;
}

/** The begin of a guard against being read twice: what it surrounds is always there. */
const guard =
  /^[ \t]*#[ \t]*(?:ifndef[ \t]+|if[ \t]+!\s*defined\W*)(\w+)\b[^\n]*\n\s*#[ \t]*define[ \t]+\1\b/m;

const commentsAndStrings = /"(?:\\.|[^"\\\n])*"|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

const conditionsAndIncludes =
  /^[ \t]*#[ \t]*(?:(if\w*|endif)\b|(?:include|import)[ \t]*(["<])([^">\n]+)[">])/gm;

/** Returns the macros and types that a text declares: what a header cannot be read without. */
export function declaredForHeaders(text: string): ReadonlySet<string> {
  const code = text.replace(comments, ' ');
  return new Set(declaring.flatMap((pattern) => Array.from(code.matchAll(pattern), ([, name = '']) => name)));
}

const comments = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
const declaring = [
  /^[ \t]*#[ \t]*define[ \t]+(\w+)/gm,
  /\btypedef\b[^;{}()[\]]{0,400}?\b(\w+)\s{0,9}(?:\[[^\][\n;]{0,100}\]\s{0,9}){0,4};/g,
  /\btypedef\b[^;{}()]{0,400}\(\s{0,9}(?:\w{1,80}\s{1,9})?\*\s{0,9}(\w+)\s{0,9}\)\s{0,9}\(/g,
  /\}\s{0,99}(\w+)\s{0,9};/g,
  /\b(?:struct|union|enum|class)\s{1,9}(\w+)\s{0,99}(?:final\s{0,9})?[:;{]/g,
];

/** Returns the words of a text without its comments, strings and lines of the preprocessor. */
export function codeWords(text: string): ReadonlySet<string> {
  return new Set(text.replace(notCode, ' ').match(/[A-Za-z_]\w*/g));
}

const notCode =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:\\\r?\n|[^\n])*/gm;
