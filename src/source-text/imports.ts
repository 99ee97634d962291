import { extname } from 'node:path';
import { limits } from '../core/limits.ts';
import { wordsOf } from './words.ts';

/** A name that a text imports from a module, or passes on. */
export interface ImportedName {
  /** As written: `@x/a`, `./cart.js`, `.cart`. */
  readonly module: string;
  /** The name that the module exports: `default` for a default import, `*` for the module as a whole. */
  readonly name: string;
}

/** Returns what the word at an offset imports; `undefined` if it does not stand in an import. */
export function importedNameAt(file: string, text: string, offset: number): ImportedName | undefined {
  const isScript = scripts.has(extname(file).slice(1).toLowerCase());
  if (!isScript && !isPython(file)) return undefined;
  // A text may be long, and have thousands of words to ask about.
  const from = Math.max(0, text.lastIndexOf('\n', offset - limits.mentions.statement));
  const part = text.slice(from, offset + limits.mentions.statement);
  return isScript ? scriptImportAt(part, offset - from) : pythonImportAt(part, offset - from);
}

/** Returns the offset of the other name that an import gives to the word at an offset; `undefined` without one. */
export function importAliasAt(file: string, text: string, offset: number): number | undefined {
  const imported = importedNameAt(file, text, offset);
  const rest = text.slice(offset, offset + limits.mentions.statement);
  const [all = '', alias = ''] = /^[\w$]+\s*(?:\bas\s+|:\s*)([\w$]+)/.exec(rest) ?? [];
  return imported && all.startsWith(imported.name) && alias !== ''
    ? offset + all.length - alias.length
    : undefined;
}

/** True if the word at an offset of a script is a property and its value at once: `x` in `{ a: 1, x }`. */
export function isShorthand(file: string, text: string, offset: number): boolean {
  if (!scripts.has(extname(file).slice(1).toLowerCase())) return false;
  const before = text.slice(Math.max(0, offset - limits.mentions.statement), offset);
  if (
    !/[{,]\s*$/.test(before) ||
    !/^[\p{ID_Continue}$]+\s*[,}]/u.test(text.slice(offset, offset + limits.mentions.ahead))
  )
    return false;
  let depth = 0;
  for (let at = before.length - 1; at >= 0; at -= 1) {
    const character = before[at] ?? '';
    if (')]}'.includes(character)) depth += 1;
    else if ('([{'.includes(character) && depth > 0) depth -= 1;
    else if ('([{'.includes(character))
      return character === '{' && !/\b(?:import|export)\s*(?:type\s*)?$/.test(before.slice(0, at));
  }
  return false;
}

/** Returns the offset of the word before the dot at an offset: that of `net` in `net.createServer`. */
export function receiverAt(text: string, offset: number): number | undefined {
  const before = text.slice(Math.max(0, offset - limits.mentions.ahead), offset);
  const match = /(?<![\w$.)\]])[\p{ID_Start}$_][\p{ID_Continue}$]*\s*\??\.\s*$/u.exec(before);
  return match ? offset - before.length + match.index : undefined;
}

/** True if the word at an offset is a member of an object of the runtime, below it too: `PORT` in `process.env.PORT`. */
export function isOfRuntime(file: string, text: string, offset: number): boolean {
  if (!scripts.has(extname(file).slice(1).toLowerCase())) return false;
  return ofRuntime.test(text.slice(Math.max(0, offset - limits.mentions.ahead), offset));
}

const ofRuntime =
  /(?<![\w$.])(?:process|import\.meta|console|Deno|Bun|Math|JSON)(?:\s*\??\.\s*[\w$]+)*\s*\??\.\s*$/;

/** True if the word at an offset names an argument of a call of Python: `size` in `Pool(size=3)`. */
export function isKeywordArgument(file: string, text: string, offset: number): boolean {
  if (!isPython(file)) return false;
  const before = text.slice(Math.max(0, offset - limits.mentions.ahead), offset);
  const after = text.slice(offset, offset + limits.mentions.ahead);
  return /[(,]\s*$/.test(before) && /^\w+\s*=(?!=)/.test(after);
}

/** Returns the other name under which a script exports the word at an offset; `undefined` without one. */
export function exportAliasAt(file: string, text: string, offset: number): string | undefined {
  if (isPython(file)) return undefined;
  const rest = text.slice(offset, offset + limits.mentions.ahead);
  const alias = /^[\p{ID_Continue}$]+\s+as\s+([\p{ID_Continue}$]+)/u.exec(rest)?.[1];
  return alias !== undefined && isExportedAt(file, text, offset) ? alias : undefined;
}

/** Returns the modules of which a text passes on every name. */
export function modulesPassedOn(file: string, text: string): string[] {
  const pattern = isPython(file)
    ? /^from[ \t]+(?<module>\.*[\w.]*)[ \t]+import[ \t]*\*/gm
    : /\bexport\s*\*\s*from\s*(['"])(?<module>[^'"\n]+)\1/g;
  return [...text.matchAll(pattern)].map(({ groups }) => groups?.module ?? '');
}

/** Returns the name that a script exports by default, where it is declared. */
export function defaultExportOf(
  text: string,
): { readonly offset: number; readonly length: number } | undefined {
  const match = /\bexport\s+default\s+(?:async\s+|abstract\s+)*(?:function\s*\*?|class)?\s*([\w$]+)/.exec(
    text,
  );
  const [all = '', name = ''] = match ?? [];
  return match ? { offset: match.index + all.length - name.length, length: name.length } : undefined;
}

/** True if the word at an offset is a name that other files can import: declared or listed as an export. */
export function isExportedAt(file: string, text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - limits.mentions.statement), offset);
  if (isPython(file)) return topLevel.test(before) || importedNameAt(file, text, offset) !== undefined;
  return exporting.some((pattern) => pattern.test(before));
}

/** True for a file of Python. */
export function isPython(file: string): boolean {
  return python.has(extname(file).slice(1).toLowerCase());
}

/** Before a name that Python declares at the top of a module. */
const topLevel = /(?:^|\n)(?:(?:async[ \t]+)?(?:def|class)[ \t]+)?$/;

const scripts: ReadonlySet<string> = new Set('ts mts cts tsx js mjs cjs jsx vue svelte astro'.split(' '));

const python: ReadonlySet<string> = new Set(['py', 'pyi']);

const exporting: readonly RegExp[] = [
  /\bexport\s+(?:default\s+)?(?:(?:declare|abstract|async|const|let|var|function|class|interface|type|enum|namespace|module)\b[\s*]*)+$/,
  /\bexport\s*(?:type\s*)?\{[^{}]*$/,
  /\bexports\.$/,
  /\bmodule\.exports\s*=\s*\{[^{}]*$/,
];

/** The list of an import or a re-export is the first group, the module the third. */
const scriptImports: readonly RegExp[] = [
  /\b(?:import|export)\s*(?:type\s)?(\s*(?:[\w$]+\s*(?:,\s*)?)?(?:\*\s*(?:as\s+[\w$]+\s*)?|\{[^{}'"`;()=]*\}\s*)?)\bfrom\s*(['"])([^'"\n]+)\2/g,
  /\b(?:const|let|var)\b(\s*(?:[\w$]+|\{[^{}'"`;()=]*\})\s*)=\s*(?:await\s+)?(?:require|import)\s*\(\s*(['"])([^'"\n]+)\2\s*\)(?!\s*[.([])/g,
];

/** Comments, but not the slashes of an address in a string. */
const comments = /\/\*[\s\S]*?\*\/|(?<![:'"\w])\/\/[^\n]*/g;

function scriptImportAt(source: string, offset: number): ImportedName | undefined {
  // A list of names may have comments.
  const text = source.replace(comments, (comment) => comment.replace(/[^\n]/g, ' '));
  for (const pattern of scriptImports)
    for (const match of text.matchAll(pattern)) {
      if (match.index > offset) break;
      const [whole, list = '', , module = ''] = match;
      const start = match.index + whole.indexOf(list);
      if (offset < start || offset >= start + list.length) continue;
      const name = scriptNameAt(list, offset - start);
      return name === undefined ? undefined : { module, name };
    }
  return undefined;
}

/** Both names of `one as other`, and of `one: other` in a destructuring, mean the export `one`. */
function scriptNameAt(list: string, offset: number): string | undefined {
  const open = list.indexOf('{');
  if (open < 0 || offset < open) return /\*\s*as\s/.test(list.slice(0, offset + 1)) ? '*' : 'default';
  const from = Math.max(list.lastIndexOf(',', offset), open) + 1;
  const next = list.slice(offset).search(/[,}]/);
  const entry = list.slice(from, next < 0 ? undefined : offset + next).replace(/^\s*type\s+(?=[\w$])/, '');
  return wordsOf(entry)[0]?.text;
}

const pythonImport = /^[ \t]*from[ \t]+(\.*[\w.]*)[ \t]*\bimport\b[ \t]*(\([^)]*\)?|(?:\\\n|[^\n#;])*)/gm;

function pythonImportAt(text: string, offset: number): ImportedName | undefined {
  for (const match of text.matchAll(pythonImport)) {
    if (match.index > offset) break;
    const [whole, module = '', list = ''] = match;
    const start = match.index + whole.length - list.length;
    if (offset < start || offset >= start + list.length) continue;
    const from = Math.max(list.lastIndexOf(',', offset - start), list.indexOf('(')) + 1;
    const name = wordsOf(list.slice(from).split(',', 1)[0] ?? '')[0]?.text;
    return name === undefined ? undefined : { module, name };
  }
  return undefined;
}

/** Returns the modules that a text imports, each once. */
export function importedModules(file: string, text: string): readonly string[] {
  const pattern = isPython(file) ? pythonModules : scriptModules;
  const found = [...text.matchAll(pattern)].flatMap(({ groups: { module = '', list = '' } = {} }) =>
    list === '' ? [module] : list.split(',').map((one) => one.trim().split(/\s/)[0] ?? ''),
  );
  return [...new Set(found)].filter((module) => module !== '');
}

const scriptModules =
  /\b(?:from|import|require\s*\(|import\s*\(|path\s*=)\s*(?<quote>['"])(?<module>[^'"\n]+)\k<quote>/g;

const pythonModules =
  /^[ \t]*(?:from[ \t]+(?<module>\.*[\w.]*)[ \t]+import\b|import[ \t]+(?<list>[^\n#;]+))/gm;
