import { extname } from 'node:path';
import { limits } from '../core/limits.ts';
import { lexicalAt } from './lexical.ts';
import { type ImportedName, isLinkAt, type ModuleLink, pythonLinks, scriptLinks } from './module-links.ts';
import { occurrences } from './words.ts';

/** Returns what the word at an offset imports; `undefined` if it does not stand in an import. */
export function importedNameAt(file: string, text: string, offset: number): ImportedName | undefined {
  const link = linkAt(file, text, offset);
  return link && { module: link.module, name: link.name };
}

/** Returns the place at an offset where a name is taken from a module; `undefined` if there is none. */
export function linkAt(file: string, text: string, offset: number): ModuleLink | undefined {
  // A text may be long, and have thousands of words to ask about.
  const { from, to } = statementAround(text, offset);
  const link = linksOf(file, text.slice(from, to)).find((one) => isLinkAt(one, offset - from));
  if (!link) return undefined;
  const { local } = link;
  const moved = { ...link, start: link.start + from, end: link.end + from };
  return local ? { ...moved, local: { ...local, offset: local.offset + from } } : moved;
}

/** Returns every place where a text takes a name from a module. */
export function linksOf(file: string, text: string): readonly ModuleLink[] {
  if (isPython(file)) return pythonLinks(text);
  return isScript(file) ? scriptLinks(text) : [];
}

/** Returns the part of a text that holds the statement at an offset: a list of names may be very long. */
export function statementAround(
  text: string,
  offset: number,
): { readonly from: number; readonly to: number } {
  const { statement, list, ahead } = limits.mentions;
  const before = text.slice(Math.max(0, offset - list), offset);
  const after = text.slice(offset, offset + list);
  const back = before.length - lastOpening(before);
  const forth = firstClosing(after);
  const isLongBefore = back > statement - ahead && isNameList(before.slice(before.length - back + 1));
  const isLongAfter = forth > statement - ahead && isNameList(after.slice(0, forth));
  return {
    from: Math.max(0, text.lastIndexOf('\n', offset - (isLongBefore ? back + ahead : statement))),
    to: offset + (isLongAfter ? forth + ahead : statement),
  };
}

/** Returns the offset of the last bracket that opens something and is in no comment; -1 if there is none. */
function lastOpening(text: string): number {
  let at = text.length;
  do {
    at = Math.max(text.lastIndexOf('{', at - 1), text.lastIndexOf('(', at - 1));
    const comment = at > 0 ? commentAround(text, at) : undefined;
    if (comment === undefined) return at;
    at = comment;
  } while (at > 0);
  return -1;
}

/** Returns where the comment around an offset begins; `undefined` if there is none. */
function commentAround(text: string, offset: number): number | undefined {
  const block = text.lastIndexOf('/*', offset);
  if (block > text.lastIndexOf('*/', offset)) return block;
  const line = text.lastIndexOf('\n', offset) + 1;
  const slashes = text.slice(line, offset).search(/(?<![:'"\w])\/\/|(?<=^|\s)#/);
  return slashes < 0 ? undefined : line + slashes;
}

/** Returns the offset of the first bracket that closes something and is in no comment; 0 if there is none. */
function firstClosing(text: string): number {
  if (!/[})]/.test(text)) return 0;
  for (const { 0: found, index } of text.matchAll(commentsAndBrackets))
    if (found === '}' || found === ')') return index;
  return 0;
}

const commentsAndBrackets = /\/\*[\s\S]*?\*\/|(?<![:'"\w])\/\/[^\n]*|(?<=^|\s)#[^\n]*|[})]/gm;

/** True for names with commas between them, and comments. */
function isNameList(text: string): boolean {
  return !/[^\p{ID_Continue}$\s,:]/u.test(text.replace(/\/\*[\s\S]*?\*\/|(?:\/\/|#)[^\n]*/g, ''));
}

/** True for a file of a script, or one that holds scripts. */
export function isScript(file: string): boolean {
  return scripts.has(extname(file).slice(1).toLowerCase());
}

/** True if a brace after a text begins the names that an import or an export lists. */
export function beginsNames(before: string): boolean {
  return /\b(?:import\s*(?:type\s+)?(?:[\p{ID_Continue}$]+\s*,\s*)?|export\s*(?:type\s+)?)$/u.test(before);
}

/** Returns the offset of the word before the dot at an offset: that of `net` in `net.createServer`. */
export function receiverAt(text: string, offset: number): number | undefined {
  const before = text.slice(Math.max(0, offset - limits.mentions.ahead), offset);
  const match = /(?<![\w$.)\]])[\p{ID_Start}$_][\p{ID_Continue}$]*\s*\??\.\s*$/u.exec(before);
  const start = match ? offset - before.length + match.index : undefined;
  return start !== undefined && isFree(text, start) ? start : undefined;
}

/**
 * True if a name of a script or of Python is a module as a whole (`import * as net`), and nothing else anywhere in the text:
 * members of it that have the same name are the same.
 */
export function isOnlyModule(file: string, text: string, name: string): boolean {
  const links = linksOf(file, text);
  const [link, ...others] = links.filter(({ local }) => local?.name === name);
  if (link?.name !== '*' || link.isWhole || others.length > 0) return false;
  // A function may have an import of its own, which others do not see.
  if (!text.startsWith('import', text.lastIndexOf('\n', link.local?.offset) + 1)) return false;
  const offsets = occurrences(text, name);
  const kinds = lexicalAt(file, text, offsets);
  return offsets.every((at, index) => {
    if (kinds[index] !== 'code' || isLinkAt(link, at)) return true;
    return /^\s*\??\.(?!\.)/.test(text.slice(at + name.length, at + name.length + limits.mentions.ahead));
  });
}

/** True if a line, or the end of the one before, shows that the word at an offset is no member of something else. */
export function isFree(text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - limits.mentions.statement), offset);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  if (line.trim() !== '') return !/[./\\]\s*$/.test(line);
  const above = before.split('\n').findLast((one) => !/^\s*(?:$|\/\/|#|\*|\/\*)/.test(one)) ?? '';
  return !/[.\\]\s*(?:$|\/\/|#|\/\*)/.test(above);
}

/** True if the word at an offset is a member of an object of the runtime, below it too: `PORT` in `process.env.PORT`. */
export function isOfRuntime(file: string, text: string, offset: number): boolean {
  if (!isScript(file)) return false;
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

/** Returns the modules of which a text passes on every name. */
export function modulesPassedOn(file: string, text: string): string[] {
  if (!isPython(file))
    return linksOf(file, text).flatMap(({ module, exported }) => (exported === '*' ? [module] : []));
  return [...text.matchAll(/^from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]*\*/gm)].map(([, module = '']) => module);
}

/** True for a file of Python. */
export function isPython(file: string): boolean {
  return python.has(extname(file).slice(1).toLowerCase());
}

const scripts: ReadonlySet<string> = new Set('ts mts cts tsx js mjs cjs jsx vue svelte astro'.split(' '));

const python: ReadonlySet<string> = new Set(['py', 'pyi']);

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
