import { limits } from '../core/limits.ts';
import { isC } from './c-files.ts';

/** What the text alone shows of a name in C: it is defined there, or only declared. */
export type CDeclaration = 'definition' | 'declaration';

/** Returns what the text shows of the name at an offset of a C file; `undefined` if it shows neither. */
export function cDeclarationAt(file: string, text: string, offset: number): CDeclaration | undefined {
  if (!isC(file)) return undefined;
  const name = /^~?\w+/.exec(text.slice(offset, offset + limits.declaration.after))?.[0];
  if (name === undefined) return undefined;
  const before = declarationBefore(text, offset);
  if (/^[ \t]*#/.test(before)) return undefined;
  return afterName(text.slice(offset + name.length, offset + limits.declaration.after), before);
}

/** Returns the text from the end of the previous declaration or line of the preprocessor to a name. */
function declarationBefore(text: string, offset: number): string {
  const lines = text.slice(Math.max(0, offset - limits.declaration.before), offset).split('\n');
  const above = lines.slice(0, -1);
  let from = above.findLastIndex((line) => /^\s*#/.test(line)) + 1;
  while (from > 0 && from < lines.length && /\\\r?$/.test(lines[from - 1] ?? '')) from += 1;
  if (from === lines.length) return '#';
  const before = lines.slice(from).join('\n').replace(comments, ' ');
  const start = Math.max(before.lastIndexOf(';'), before.lastIndexOf('}'), before.lastIndexOf('{'));
  return before.slice(start + 1);
}

const comments = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

/** Reads what follows a name up to its body, its value or its semicolon. */
function afterName(after: string, before: string): CDeclaration | undefined {
  const outline = outlineOf(after);
  if (/\b(?:struct|union|enum|class)\s+(?:[A-Z_]\w*\s+)?$/.test(before)) {
    if (outline === ';') return 'declaration';
    return tagBody.test(outline) ? 'definition' : undefined;
  }
  if (functionBody.test(outline)) return 'definition';
  const isFunction = functionEnd.test(outline);
  if (!isFunction && !variableEnd.test(outline)) return undefined;
  if (outline.endsWith(';') && /\bextern\b/.test(before)) return 'declaration';
  if (!isType(before)) return undefined;
  // A variable is defined by its semicolon or its value.
  return isFunction ? 'declaration' : 'definition';
}

/** What may stand between the parameters and the end: attributes, qualifiers, a type that is returned. */
const trailing =
  '(?: (?:\\(\\)|const|volatile|noexcept|override|final|throw|asm|restrict|try|[->&*]|__\\w+|[A-Z][A-Z0-9_]*))*';
const tagBody = /^(?:final )?(?:: .*)?\{$/;
const functionBody = new RegExp(`^\\(\\)${trailing} (?:: .*)?\\{$`);
const functionEnd = new RegExp(`^\\(\\)${trailing} ;$`);
const variableEnd = /^(?:\[\] )*[;=]$/;

/** Strings, words and single marks. */
const tokens = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\w+|\S/g;

/** Returns the words and marks up to the end of a declaration, without comments and the content of brackets. */
function outlineOf(after: string): string {
  const kept: string[] = [];
  let depth = 0;
  for (const { 0: token } of after.replace(comments, ' ').matchAll(tokens)) {
    if (depth === 0) kept.push(pairs.get(token) ?? token);
    if (pairs.has(token) || (depth > 0 && token === '{')) depth += 1;
    else if (depth > 0 && ')]}'.includes(token)) depth -= 1;
    else if (depth === 0 && '{;=)]}'.includes(token)) break;
  }
  return kept.join(' ');
}

const pairs: ReadonlyMap<string, string> = new Map([
  ['(', '()'],
  ['[', '[]'],
]);

/** True if only types, qualifiers and macros stand before a name: otherwise it is a call or a use. */
function isType(before: string): boolean {
  return (
    /^\s*[A-Za-z_](?:[\w\s*&:<>,]|(?<=\w)\s*\([^()]*\))*$/.test(before) &&
    !/\b(?:return|else|do|goto|if|while|for|switch|case|sizeof)\b/.test(before)
  );
}
