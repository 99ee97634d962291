import { limits } from '../core/limits.ts';
import { codeOnly, enclosing } from './brackets.ts';
import { isPython, isScript, linkAt, statementAround } from './imports.ts';
import { lexicalAt } from './lexical.ts';
import { occurrences } from './words.ts';

/** A word of a text that other files can import. */
export interface ExportedWord {
  readonly name: string;
  readonly offset: number;
  /** Set if the module is this value as a whole: `module.exports = name`. */
  readonly isWhole?: true;
}

/**
 * Returns the name under which other files can import the word at an offset: `default` also if it is the module as a
 * whole. `undefined` if they cannot.
 */
export function exportedNameAt(file: string, text: string, offset: number): string | undefined {
  const isRust = file.endsWith('.rs');
  // A text may use a name thousands of times, and the statement around each may be long.
  if (!isRust && !isScript(file) && !isPython(file)) return undefined;
  const { from, to } = statementAround(text, offset);
  const [before, rest] = [text.slice(from, offset), text.slice(offset, to)];
  const [own = ''] = firstName.exec(rest) ?? [];
  // Rust can give another name in any import, and its servers do not follow it.
  if (isRust) return rustUse.test(before) ? alias.exec(rest)?.[1] : undefined;
  if (isScript(file)) return scriptExport(before, own, rest) ?? memberExport(text, offset, own);
  return linkAt(file, text, offset)?.local?.name ?? (topLevel.test(before) ? own : undefined);
}

function scriptExport(before: string, own: string, rest: string): string | undefined {
  if (inList.test(before)) return alias.exec(rest)?.[1] ?? own;
  if (declaredDefault.test(before)) return 'default';
  const isValue = endOfValue.test(rest.slice(own.length));
  if (assignedDefault.test(before)) return isValue ? 'default' : undefined;
  if (declared.test(before) || memberOfExports.test(before)) return own;
  const [, assigned] = assignedMember.exec(before) ?? [];
  return assigned !== undefined && isValue ? assigned : undefined;
}

/** The name of a member of the object that is the module: of a key, a method, a shorthand or a value that is a name. */
function memberExport(text: string, offset: number, own: string): string | undefined {
  if (!text.includes('module.exports')) return undefined;
  const near = codeOnly(text.slice(Math.max(0, offset - limits.mentions.statement), offset));
  if (!beginsEntry.test(near)) return undefined;
  const before =
    enclosing(near) === undefined
      ? codeOnly(text.slice(Math.max(0, offset - limits.mentions.object), offset))
      : near;
  const open = enclosing(before);
  if (open === undefined || !/\bmodule\.exports\s*=\s*\{$/.test(before.slice(0, open + 1))) return undefined;
  const [, key] = beginsEntry.exec(near) ?? [];
  if (key === undefined) return own;
  return /^\s*[,}]/.test(text.slice(offset + own.length, offset + own.length + limits.mentions.ahead))
    ? key
    : undefined;
}

/** Like `exportedNameAt`, also for a declaration at the top of a script that is exported by another statement. */
export function exportedNameOf(file: string, text: string, offset: number): string | undefined {
  const own = exportedNameAt(file, text, offset);
  if (own !== undefined || isPython(file)) return own;
  const [name = ''] = firstName.exec(text.slice(offset, offset + limits.mentions.ahead)) ?? [];
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  if (!declaredAtTop.test(line)) return undefined;
  for (const at of occurrences(text, name)) {
    const exported = exportedNameAt(file, text, at);
    if (exported !== undefined) return exported;
  }
  return undefined;
}

/** Returns where a script declares at its top what an exported word names; the word itself if it does not. */
export function declarationOf(text: string, { name, offset }: ExportedWord): number {
  const declared = occurrences(text, name).find((at) =>
    declaredAtTop.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at)),
  );
  return declared ?? offset;
}

/** Returns the words that a text exports under a name: those that have another name inside are meant by that. */
export function exportedWords(file: string, text: string, name: string): readonly ExportedWord[] {
  const found = name === 'default' && !isPython(file) ? defaultWords(text) : namedWords(file, text, name);
  const sorted = found.sort((a, b) => a.offset - b.offset);
  const kinds = lexicalAt(
    file,
    text,
    sorted.map(({ offset }) => offset),
  );
  return sorted.filter((_, index) => kinds[index] === 'code');
}

function namedWords(file: string, text: string, name: string): ExportedWord[] {
  return occurrences(text, name).flatMap((offset): ExportedWord[] => {
    if (exportedNameAt(file, text, offset) !== name) return [];
    const value = isPython(file) ? undefined : (wordBefore(text, offset) ?? wordAfter(text, offset, name));
    return [value ?? { name, offset }];
  });
}

/** Returns `x` of `x as name`. */
function wordBefore(text: string, offset: number): ExportedWord | undefined {
  const [all = '', name = ''] =
    /([\p{ID_Continue}$]+)\s+as\s+$/u.exec(text.slice(0, offset).slice(-limits.mentions.ahead)) ?? [];
  return name === '' || name === 'type' ? undefined : { name, offset: offset - all.length };
}

/** Returns `x` of `exports.name = x` and `name: x`; a constant with the value `x` is a declaration of its own. */
function wordAfter(text: string, offset: number, own: string): ExportedWord | undefined {
  if (declared.test(text.slice(Math.max(0, offset - limits.mentions.ahead), offset))) return undefined;
  const rest = text.slice(offset + own.length, offset + own.length + limits.mentions.ahead);
  const [all = '', name = ''] =
    /^\s*(?:=|:)\s*([\p{ID_Start}$_][\p{ID_Continue}$]*)[ \t]*(?=[,;}]|$|\r?\n(?!\s*[.?([`+*/%&|=<>-]))/u.exec(
      rest,
    ) ?? [];
  return name === '' ? undefined : { name, offset: offset + own.length + all.indexOf(name, 1) };
}

function defaultWords(text: string): ExportedWord[] {
  return defaults.flatMap(({ pattern, isWhole }) =>
    [...text.matchAll(pattern)].map((match): ExportedWord => {
      const [all, before = '', name = ''] = match;
      const word = { name, offset: match.index + all.indexOf(before) + before.length };
      return isWhole ? { ...word, isWhole } : word;
    }),
  );
}

const word = '[\\p{ID_Start}$_][\\p{ID_Continue}$]*';
/** What may follow a name that is the whole value. */
const end = '(?=\\s*(?:[;\\n]|$|as\\b|satisfies\\b))';
const definition = '(?:async\\s+|abstract\\s+)*(?:function\\b\\s*\\*?|class\\b|interface\\b)\\s*';

/** The first group is what precedes the name, which is the second. */
const defaults: readonly { readonly pattern: RegExp; readonly isWhole?: true }[] = [
  { pattern: new RegExp(`(\\bexport\\s+default\\s+${definition})(?!extends\\b)(${word})`, 'gu') },
  { pattern: new RegExp(`(\\bexport\\s+default\\s+)(${word})${end}`, 'gu') },
  { pattern: new RegExp(`(?<=[{,]\\s*(?:type\\s+)?)()(${word})(?=\\s+as\\s+default\\s*[,}])`, 'gu') },
  { pattern: new RegExp(`(\\b(?:export|module\\.exports)\\s*=\\s*)(${word})${end}`, 'gu'), isWhole: true },
  {
    pattern: new RegExp(`(\\bmodule\\.exports\\s*=\\s*${definition})(?!extends\\b)(${word})`, 'gu'),
    isWhole: true,
  },
];

const declaredAtTop =
  /^(?:declare\s+)?(?:abstract\s+|async\s+)?(?:function|class|const|let|var|interface|type|enum|namespace)\b[\s*]*$/;
const firstName = /^[\p{ID_Continue}$]+/u;
const alias = /^[\p{ID_Continue}$]+\s+as\s+([\p{ID_Continue}$]+)/u;
const endOfValue = new RegExp(`^${end}`, 'u');
const inList = /\bexport\s*(?:type\s*)?\{[^{}]*$/;
const declaredDefault = new RegExp(`\\b(?:export\\s+default|module\\.exports\\s*=)\\s*${definition}$`);
const assignedDefault = /\b(?:export\s+default|export\s*=|module\.exports\s*=)\s*$/;
const declared =
  /\bexport\s+(?:(?:declare|abstract|async|const|let|var|function|class|interface|type|enum|namespace|module)\b[\s*]*)+$/;
const memberOfExports = /(?<![\w$.])(?:module\.)?exports\.$/;
const assignedMember = /(?<![\w$.])(?:module\.)?exports\.([\w$]+)\s*=\s*$/;
/** Before a name in an object: where an entry begins, or after its key. */
const beginsEntry = /[{,]\s*(?:(?:(?:async|get|set)\s+|\*\s*)*|([\w$]+)\s*:\s*)$/;
/** Before a name in an import of Rust. */
const rustUse = /\buse\s[^;]*$/;
/** Before a name that Python declares at the top of a module. */
const topLevel = /(?:^|\n)(?:(?:async[ \t]+)?(?:def|class)[ \t]+)?$/;
