import { basename } from 'node:path';
import { limits } from '../../core/limits.ts';
import { isPython } from '../imports.ts';
import { lexicalAt } from '../lexical.ts';

/** A text that names a symbol by a path of names, as `mock.patch` and entry points of Python take it. */
export interface NamePath {
  /** Those before the word that was asked about: `shop`, `cart` for `total` in `"shop.cart.total"`. */
  readonly names: readonly string[];
  /** The number of them that name the module, if a colon tells: 2 for `shop.cart:total`. */
  readonly depth?: number;
  /** True if what is around it says that it is such a path. */
  readonly isCertain: boolean;
  /** Set if the path begins with a file: `src/cart` of the handler `src/cart.total`. */
  readonly handler?: HandlerFile;
}

/** A file that a configuration names without its ending, and the folders in which it may be, from that of the text. */
export interface HandlerFile {
  readonly file: string;
  readonly folders: readonly string[];
}

/** Where a word stands. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Returns the paths of names that words of a text are in: in whole strings of Python, and in configurations. */
export function namePathsIn<Word extends Stretch>(
  file: string,
  text: string,
  words: readonly Word[],
): ReadonlyMap<Word, NamePath> {
  const found = words.flatMap((word) => {
    const own = readerFor(file)?.(text, word);
    return own ? [{ word, ...own }] : [];
  });
  found.sort((a, b) => a.before - b.before);
  const kinds = lexicalAt(
    file,
    text,
    found.map(({ before }) => before),
  );
  // In Python, a longer text may quote such a string.
  const isMeant = (kind: string | undefined) => (isPython(file) ? kind === 'code' : kind !== 'comment');
  return new Map(found.flatMap(({ word, path }, index) => (isMeant(kinds[index]) ? [[word, path]] : [])));
}

/**
 * Returns the path of a module of Python which the word at an offset is part of, where a text names one to run or load it:
 * `shop.cart:main`, `"shop.cart"` as a whole value, or `python -m shop.cart`. Such a value may be a file too.
 */
export function namedModuleAt(file: string, text: string, offset: number): string | undefined {
  const read = readerFor(file);
  if (!read) return undefined;
  const before = text.slice(Math.max(0, offset - limits.mentions.ahead), offset);
  const start = offset - (/[\w.]*$/.exec(before)?.[0].length ?? 0);
  const after = text.slice(start, start + limits.mentions.ahead);
  const [, chain = '', member] = /^(\w+(?:\.\w+)*)(?::(\w+))?/.exec(after) ?? [];
  if (chain === '' || text[start - 1] === ':') return undefined;
  const end = start + chain.length;
  const last = chain.lastIndexOf('.') + 1;
  const word =
    member === undefined ? { start: start + last, end } : { start: end + 1, end: end + 1 + member.length };
  return read(text, word) && chain;
}

/** Returns the file that the word at an offset is part of the path of, where a configuration says which function is run. */
export function handlerFileAt(path: string, text: string, offset: number): HandlerFile | undefined {
  if (!mayNameCode(path)) return undefined;
  const from = Math.max(0, offset - limits.mentions.ahead);
  const begin = offset - (/[\w./-]*$/.exec(text.slice(from, offset))?.[0].length ?? 0);
  const [, written, member = ''] =
    /^([\w./-]+)\.(\w+)/.exec(text.slice(begin, offset + limits.mentions.ahead)) ?? [];
  if (written === undefined) return undefined;
  const start = begin + written.length + 1;
  return inConfiguration(text, { start, end: start + member.length })?.path.handler;
}

function readerFor(file: string): ((text: string, word: Stretch) => Read | undefined) | undefined {
  return isPython(file) ? inPython : mayNameCode(file) ? inConfiguration : undefined;
}

/** A path, and an offset before it that tells whether it is in a comment. */
interface Read {
  readonly path: NamePath;
  readonly before: number;
}

function inPython(text: string, { start, end }: Stretch): Read | undefined {
  const [, close] = afterInString.exec(text.slice(end, end + limits.mentions.ahead)) ?? [];
  const before = text.slice(Math.max(0, start - limits.mentions.ahead), start);
  const [whole = '', open, given, names = ''] = beforeInString.exec(before) ?? [];
  if (open === undefined || open !== close) return undefined;
  // What is given to a name is the function that a script of setuptools runs.
  if (given !== undefined && !names.includes(':')) return undefined;
  const isArgument = takingPath.test(before.slice(0, before.length - whole.length));
  return { path: pathOf(names, isArgument), before: start - whole.length - 1 };
}

const beforeInString = /(["'])([\w.-]{1,80}[ \t]{0,9}=[ \t]{0,9})?(\w+(?:\.\w+)*(?:\.|:(?:\w+\.)*))$/;
const afterInString = /^(?:[.:]\w+)*(?:\(\))?(?:[ \t]{0,9}\[[\w, .-]{0,80}\])?(["'])/;
const takingPath =
  /(?:\bpatch(?:\.\w+)?|\b(?:setattr|delattr|import_module|import_string))\(\s*(?:\w+\s*=\s*)?[rRuU]?$/;

/** Words of a command are taken for a path only with a colon; what is a whole value, without one too. */
function inConfiguration(text: string, { start, end }: Stretch): Read | undefined {
  const before = text.slice(Math.max(0, start - limits.mentions.ahead), start);
  const after = text.slice(end, end + limits.mentions.ahead);
  if (/^[ \t]*[#;]|\s#\s/.test(before.slice(before.lastIndexOf('\n') + 1))) return undefined;
  const [handled, file = ''] = handler.exec(before) ?? [];
  if (handled !== undefined && /^(?![\w./-])/.test(after)) {
    const names = file.split('/').filter((part) => !/^\.*$/.test(part));
    const folders = foldersAround(text, start);
    return { path: { names, isCertain: true, handler: { file, folders } }, before: start - 1 };
  }
  const [names = ''] = /(?<![\w.:/@$%-])\w+(?:\.\w+)*(?:\.|:(?:\w+\.)*)$/.exec(before) ?? [];
  const at = start - names.length;
  // What is run is a module.
  const isRun = /(?:^|\s)-m[ \t]{0,9}$/.test(before.slice(0, before.length - names.length));
  if (isRun && /^(?![\w.:/])/.test(after)) return { path: pathOf(names, true), before: at };
  if (names === '') return undefined;
  if (names.includes(':')) {
    const isEnd = /^(?:\.\w+)*(?:\(\))?(?![\w:/.-])/.test(after);
    return isEnd ? { path: pathOf(names, true), before: at } : undefined;
  }
  const isValue =
    /(?:["'=]|[:=][ \t]{1,99}|^[ \t]{0,99}(?:-[ \t]{1,9})?)$/m.test(before.slice(0, -names.length)) &&
    /^(?:\.\w+)*["']?[ \t]{0,99},?[ \t]{0,99}(?=[\r\n#\]},]|$)/.test(after);
  return isValue ? { path: pathOf(names, false), before: at } : undefined;
}

/** Returns the folders of code that a configuration names near an offset, beside its own. */
function foldersAround(text: string, offset: number): readonly string[] {
  const from = Math.max(0, offset - limits.mentions.statement);
  const around = text.slice(from, offset + limits.mentions.statement);
  const named = around.matchAll(/\bCodeUri["']?[ \t]{0,9}:[ \t]{0,9}["']?([\w./-]{1,200})/g);
  return ['', ...[...named].map(([, folder = '']) => folder)];
}

/** Before the name of a function that a service runs, as AWS Lambda does. */
const handler =
  /\b[hH]andler["']?[ \t]{0,9}[:=][ \t]{0,9}["']?((?:\.{1,2}\/){0,9}(?:[\w-]+\/){0,20}[\w-]+)\.$/;

function pathOf(written: string, isCertain: boolean): NamePath {
  const [module = '', below] = written.split(':');
  const modules = module.split('.').filter(Boolean);
  if (below === undefined) return { names: modules, isCertain };
  return {
    names: [...modules, ...below.split('.').filter(Boolean)],
    depth: modules.length,
    isCertain: true,
  };
}

/** True for a file that may say by a path of names which code is run or loaded. */
export function mayNameCode(file: string): boolean {
  return configuration.test(basename(file));
}

const configuration =
  /\.(?:toml|cfg|ini|conf|ya?ml|jsonc?|json5|env|service|tf|(?:ba|z)?sh|mk)$|^(?:Procfile|Pipfile|[Jj]ustfile|(?:GNU|BSD)?[Mm]akefile(?:\.\w{1,20})?|(?:Docker|Container)file.*|\.env(?:\.\w{1,20})?|\.\w{1,20}rc|\.flake8)$/;
