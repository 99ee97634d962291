import { limits } from '../../core/limits.ts';
import { type HandlerFile, handlerFileAt, namedModuleAt } from '../names/name-paths.ts';
import { isShell } from '../names/shell-names.ts';
import { occurrences } from '../words.ts';
import { listReader } from './build-lists.ts';
import { kindsOfPaths } from './comment-paths.ts';
import type { PathMention } from './path-mention.ts';
import { notebookImports, pythonImports } from './python-imports.ts';
import { inLanguage, languageOfText } from './text-language.ts';

/**
 * Returns where a text mentions a path that contains one of these names: outside of comments, or where one names a file
 * for the compiler.
 */
export function pathMentions(file: string, text: string, names: readonly string[]): PathMention[] {
  if (!names.some((name) => text.includes(name))) return [];
  const offsets = [...new Set(names.flatMap((name) => occurrences(text, name)))].sort((a, b) => a - b);
  if (offsets.length === 0) return [];
  const language = languageOfText(file, text);
  const kinds = kindsOfPaths(inLanguage(file, language), text, offsets);
  const imports = importsIn(language, text);
  const listed = listReader(file, text);
  const found = new Map<number, PathMention>();
  for (const [index, offset] of offsets.entries()) {
    const kind = kinds[index];
    if (kind === 'comment') continue;
    const imported = kind === 'code' ? importedAt(imports, offset) : [];
    for (const mention of imported) found.set(mention.offset, mention);
    if (imported.length > 0 || (kind === 'code' && python.has(language))) continue;
    const mentions =
      kind === 'code' && programs.has(language)
        ? inCode(text, offset, language)
        : inString(inLanguage(file, language), text, offset).map((one) => listed(one, offset) ?? one);
    for (const mention of mentions) found.set(mention.offset, mention);
  }
  return [...found.values()];
}

function importsIn(language: string, text: string): readonly PathMention[] {
  if (python.has(language)) return pythonImports(text);
  return language === 'ipynb' ? notebookImports(text) : [];
}

function importedAt(imports: readonly PathMention[], at: number): readonly PathMention[] {
  return imports.filter(({ offset, length }) => offset <= at && at < offset + length);
}

/** Returns where a program mentions `'.'` or `'../..'`, which means the index file of a folder. */
export function folderMentions(file: string, text: string): PathMention[] {
  const language = languageOfText(file, text);
  const dots = importsIn(language, text).filter(({ path }) => /^\.+$/.test(path));
  if (dots.length > 0 || python.has(language)) return dots;
  const found = [...text.matchAll(/(?<=(["']))\.{1,2}(?:\/\.\.)*\/?(?=\1)/g)];
  const kinds = kindsOfPaths(
    inLanguage(file, language),
    text,
    found.map(({ index }) => index),
  );
  return found.flatMap(({ 0: path, index }, at) =>
    kinds[at] === 'string'
      ? [{ offset: index, length: path.length, path, form: 'quoted' as const, ask: index }]
      : [],
  );
}

/** Like `pathMentions`, of paths that are relative to the folder of the file. */
export function relativeMentions(file: string, text: string): PathMention[] {
  const language = languageOfText(file, text);
  if (python.has(language)) return pythonImports(text).filter((one) => /^\.+\w/.test(one.path));
  const found = [...text.matchAll(/(?<=["'`(<\s=]|^)\.{1,2}\/[^\s"'`()<>]*/gm)];
  const kinds = kindsOfPaths(
    inLanguage(file, language),
    text,
    found.map(({ index }) => index),
  );
  return found.flatMap(({ index }, at) =>
    kinds[at] === 'comment' ? [] : inString('', text, index).filter(({ offset }) => offset === index),
  );
}

const python: ReadonlySet<string> = new Set(['py', 'pyi']);

const script: ReadonlySet<string> = new Set(['ts', 'mts', 'cts', 'tsx', 'js', 'mjs', 'cjs', 'jsx']);

/** Languages in which a bare name in the code is not a path. */
const programs: ReadonlySet<string> = new Set([
  ...script,
  ...'vue svelte astro java kt kts scala swift dart groovy cs go rs php rb ex exs lua zig'.split(' '),
  ...'c h cc cpp cxx hh hpp hxx ipp inl cu cuh m mm proto hs ml mli jl r'.split(' '),
]);

function inCode(text: string, offset: number, language: string): readonly PathMention[] {
  const line = lineBefore(text, offset);
  if (/^\s*#\s*(?:include|import)\s*<[^>]*$/.test(line)) return [tokenAt(text, offset, 'include')];
  if (
    language === 'rs' &&
    /\bmod\s+$/.test(line) &&
    /^\w+\s*;/.test(text.slice(offset, offset + limits.mentions.ahead))
  )
    return [tokenAt(text, offset, 'child')];
  if (script.has(language) || !importing.test(line)) return [];
  return [{ ...tokenAt(text, offset, 'import'), ask: offset }];
}

const importing = /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:import|use|using|from|require|include|mod|open|export)\b/;

function inString(file: string, text: string, offset: number): PathMention[] {
  const line = lineBefore(text, offset);
  const token = tokenAt(text, offset, 'path');
  if (/^\s*#\s*(?:include|import)\s*"[^"]*$/.test(line)) return [{ ...token, form: 'include' }];
  const around = `${text[token.offset - 1] ?? ''}${text[token.offset + token.length] ?? ''}`;
  const isWhole = enclosing.has(around);
  const run = handlerFileAt(file, text, offset);
  if (run) return [handlerMention(token, run)];
  const module = namedModuleAt(file, text, offset);
  const form = isWhole ? 'quoted' : 'path';
  const isBehind = behind(file, text, token);
  return [
    {
      ...token,
      form,
      ...(module === undefined ? {} : { module }),
      ...(isBehind === undefined ? {} : { isBehind }),
    },
  ];
}

/** The file may be one of any language: Python has modules. */
function handlerMention(token: PathMention, { file, folders }: HandlerFile): PathMention {
  return { ...token, form: 'quoted', path: `./${file}`, module: file.replaceAll('/', '.'), folders };
}

/** Returns what stands before a path that only a run of the program knows. */
function behind(file: string, text: string, { offset, path }: PathMention): PathMention['isBehind'] {
  const line = lineBefore(text, offset);
  const isInShell = isShell(file, text);
  if (isInShell && readByShell.test(line)) return 'script';
  if (!isInShell && !/\.(?:[cm]?[jt]sx?|php|phtml)$/.test(file)) return undefined;
  return (path.startsWith('/') && folderBefore.test(line)) || /^\$\w+\//.test(path) ? 'folder' : undefined;
}

/** A folder whose path a variable has, or a constant or a call returns. */
const folderBefore =
  /(?:[})]|\b__DIR__\s{0,9}\.\s{0,9}["']|\)\s{0,9}\.\s{0,9}["']|\b__dirname\s{0,9}\+\s{0,9}["'`])$/;

/** How a shell reads in a script. */
const readByShell =
  /(?:^|[;&|({]|\b(?:then|do|else))[ \t]{0,99}(?:source|\.)[ \t]{1,9}["']?(?:\$[^;&|\n]{0,200})?$/;

/** Returns what comes before an offset on its line; nothing if that is too long for a line of a program. */
function lineBefore(text: string, offset: number): string {
  const before = text.slice(Math.max(0, offset - limits.mentions.statement), offset);
  const begin = before.lastIndexOf('\n') + 1;
  return begin === 0 && before.length < offset ? '' : before.slice(begin);
}

/** Delimiters of a whole path: quotes, and the parentheses of `url(…)` and of links. */
const enclosing: ReadonlySet<string> = new Set(['""', "''", '``', '()']);

/** Returns the word around an offset that may be a path. */
function tokenAt(text: string, offset: number, form: PathMention['form']): PathMention {
  let [start, end] = [offset, offset];
  while (start > 0 && isPathPart(text[start - 1])) start -= 1;
  while (end < text.length && isPathPart(text[end])) end += 1;
  // The word may end a sentence.
  const path = text
    .slice(start, end)
    .replace(/[.:]+$/, (tail) => (/^\.+$/.test(text.slice(start, end)) ? tail : ''));
  return { offset: start, length: path.length, path, form, ask: start + path.lastIndexOf('/') + 1 };
}

function isPathPart(character: string | undefined): boolean {
  return character !== undefined && !/[\s"'`()<>[\]{},;|=*\\]/.test(character);
}
