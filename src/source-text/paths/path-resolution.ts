import path from 'node:path';
import type { PathMention } from './path-mention.ts';

/** A file or folder that paths may lead to. */
export interface TargetPath {
  readonly path: string;
  readonly isFolder: boolean;
}

/** The file of a mention, and the files that are known. */
export interface ResolutionContext {
  readonly from: string;
  readonly roots: readonly string[];
  isFile(path: string): boolean;
}

/** Returns how the spelling of a path leads to a file or into a folder; `guessed` if an ending is missing or differs. */
export function resolvesTo(
  mention: PathMention,
  target: TargetPath,
  context: ResolutionContext,
): 'exact' | 'guessed' | undefined {
  const { module } = mention;
  const asModule = module === undefined ? undefined : byModule({ ...mention, path: module }, target, context);
  return asModule ?? byForm[mention.form](mention, target, context);
}

type Resolver = typeof resolvesTo;

const byForm: Readonly<Record<PathMention['form'], Resolver>> = {
  quoted: byPath,
  path: byPath,
  include: ({ path: given }, { path: wanted, isFolder }, { from }) => {
    if (path.resolve(path.dirname(from), given) === wanted) return 'exact';
    if (isFolder) return isWithin(wanted, path.resolve(path.dirname(from), given)) ? 'exact' : undefined;
    // Only the compiler knows in which other folders headers are searched.
    return wanted.endsWith(`/${given}`) ? 'guessed' : undefined;
  },
  module: byModule,
  child: ({ path: name }, target, { from }) => {
    const stem = path.basename(from, '.rs');
    const folder = /^(mod|lib|main)$/.test(stem) ? path.dirname(from) : path.join(path.dirname(from), stem);
    const module = path.join(folder, name);
    if (target.isFolder) return module === target.path ? 'exact' : undefined;
    return [`${module}.rs`, path.join(module, 'mod.rs')].includes(target.path) ? 'exact' : undefined;
  },
  listed: byList,
  import: () => undefined,
};

function byList(
  { path: given, folders = [] }: PathMention,
  target: TargetPath,
  { from, roots }: ResolutionContext,
): 'exact' | 'guessed' | undefined {
  const reached = folders.flatMap((folder) =>
    (folder.startsWith('/') ? roots : [path.dirname(from)]).map((base) => path.join(base, folder, given)),
  );
  const isMeant = (one: string) => one === target.path || (target.isFolder && isWithin(target.path, one));
  if (reached.some(isMeant)) return 'exact';
  // Make knows how an object is compiled, so the source of one need not be named.
  const isObject = (one: string) =>
    object.test(one) && one.replace(object, '') === withoutEnding(target.path);
  return !target.isFolder && compiled.test(target.path) && reached.some(isObject) ? 'guessed' : undefined;
}

const object = /\.(?:l?o|obj)$/;
const compiled = /\.(?:c|cc|cpp|cxx|c\+\+|cu|m|mm|s|asm|f|f\d\d)$/i;

function byPath(
  mention: PathMention,
  target: TargetPath,
  context: ResolutionContext,
): 'exact' | 'guessed' | undefined {
  return byWrittenPath(mention, target, context) ?? byRest(mention, target, context);
}

/** A path behind a folder that only a run knows may go on from that of its file, from a root, or from another. */
function byRest(
  { path: given, isBehind }: PathMention,
  target: TargetPath,
  { from, roots, isFile }: ResolutionContext,
): 'exact' | 'guessed' | undefined {
  if (isBehind === undefined) return undefined;
  const rest = given.replace(/^\$\w+(?=\/)/, '');
  const reached = [path.dirname(from), ...roots].map((base) => path.join(base, rest).replace(/\/$/, ''));
  if (reached.some((one) => one === target.path || (target.isFolder && isWithin(target.path, one))))
    return 'exact';
  if (target.isFolder || reached.some(isFile)) return undefined;
  const end = rest.replace(/^(?:\/?\.{1,2}(?=\/))+/, '').replace(/^(?!\/)/, '/');
  const isTelling = isBehind === 'script' || /[^/]\//.test(end);
  return isTelling && target.path.endsWith(end) ? 'guessed' : undefined;
}

function byWrittenPath(
  { path: given, form, folders = [''] }: PathMention,
  target: TargetPath,
  { from, roots, isFile }: ResolutionContext,
): 'exact' | 'guessed' | undefined {
  const cut = given.replace(/[?#].*$/, '').replaceAll('%20', ' ');
  const isRelative = /^\.{1,2}(?:\/|$)/.test(cut);
  const isAbsolute = cut.startsWith('/');
  const isBare = !isRelative && !cut.includes('/');
  if (cut === '' || /^[a-z][a-z0-9+.-]+:/i.test(cut)) return undefined;
  if (isBare && (target.isFolder || form !== 'quoted')) return undefined;
  const around = folders.map((folder) => path.join(path.dirname(from), folder));
  const bases = isAbsolute ? roots : isRelative ? around : [path.dirname(from), ...roots];
  const reached = bases.map((base) => path.join(base, cut).replace(/\/$/, ''));
  if (reached.some((one) => one === target.path || (target.isFolder && isWithin(target.path, one))))
    return 'exact';
  if (target.isFolder || form !== 'quoted') return undefined;
  const canBeGuessed = isRelative || isAbsolute || sass.test(from);
  return canBeGuessed && reached.some((one) => isGuess(one, target.path, isFile)) ? 'guessed' : undefined;
}

const sass = /\.(?:scss|sass|less)$/;

/** `./cart` and `./cart.js` may mean `cart.ts`, `./lib` the `index.ts` in it. */
function isGuess(reached: string, wanted: string, isFile: (path: string) => boolean): boolean {
  const bare = withoutEnding(wanted);
  if (reached === bare || reached === bare.replace(/\/_([^/]+)$/, '/$1')) return true;
  if (/\/index$/.test(bare) && reached === path.dirname(wanted))
    return !endings.some((ending) => isFile(`${reached}${ending}`));
  const [, stem = '', kind = ''] = /^(.*)\.([cm]?)jsx?$/.exec(reached) ?? [];
  return (
    stem !== '' &&
    new RegExp(`^\\.(?:d\\.)?${kind}tsx?$`).test(wanted.slice(stem.length)) &&
    wanted.startsWith(stem)
  );
}

const endings = '.ts .tsx .d.ts .js .jsx .mts .cts .mjs .cjs .vue .svelte .json .scss .css'.split(' ');

/** Endings that programs leave out when they name a file, also for the index file of a folder. */
const moduleEndings: readonly string[] = [...endings, ...endings.map((ending) => `/index${ending}`)];

/** Returns a path without the ending that programs leave out when they name a module. */
export function withoutEnding(file: string): string {
  return file.replace(/(?:\.d)?\.\w+$/, '');
}

/** Leading dots go up from the folder of the file; other modules are searched from any folder that is not a package. */
function byModule(
  { path: given }: PathMention,
  { path: wanted, isFolder }: TargetPath,
  { from, roots, isFile }: ResolutionContext,
): 'exact' | undefined {
  const dots = /^\.*/.exec(given)?.[0].length ?? 0;
  const parts = given.slice(dots).split('.').filter(Boolean);
  const folder = path.dirname(from);
  const isPackage = !isFolder && /\/__init__\.pyi?$/.test(wanted);
  if (!isFolder && !/\.pyi?$/.test(wanted)) return undefined;
  const module = isFolder ? wanted : isPackage ? path.dirname(wanted) : withoutEnding(wanted);
  const bases =
    dots > 0
      ? [path.join(folder, ...Array.from({ length: dots - 1 }, () => '..'))]
      : foldersAbove(module, roots).filter((one) => one === folder || !isFile(path.join(one, '__init__.py')));
  const reached = bases.map((base) => path.join(base, ...parts));
  const meant = (one: string) => one === module || (!isPackage && isWithin(module, one));
  return reached.some(meant) ? 'exact' : undefined;
}

function foldersAbove(file: string, roots: readonly string[]): string[] {
  const above: string[] = [];
  const isInside = (one: string) => roots.some((root) => isWithin(root, one) || root === one);
  for (let at = path.dirname(file); isInside(at); at = path.dirname(at)) above.push(at);
  return above;
}

function isWithin(folder: string, file: string): boolean {
  return file.startsWith(`${folder}${path.sep}`);
}

/** True if a relative path in a text leads to one of the files, as written or with an ending added. */
export function resolvesToFile(mention: PathMention, from: string, files: ReadonlySet<string>): boolean {
  const reached = reachedBy(mention, path.dirname(from));
  const bare = reached.replace(/\.([cm]?)jsx?$/, '');
  const endings = mention.form === 'module' ? pythonEndings : ['', ...moduleEndings];
  return endings.some((ending) => files.has(`${reached}${ending}`) || files.has(`${bare}${ending}`));
}

const pythonEndings = ['.py', '.pyi', '/__init__.py', '/__init__.pyi'];

function reachedBy({ form, path: written }: PathMention, folder: string): string {
  if (form !== 'module') return path.join(folder, written.replace(/[?#].*$/, '')).replace(/\/$/, '');
  const dots = /^\.*/.exec(written)?.[0].length ?? 0;
  const up = Array.from({ length: dots - 1 }, () => '..');
  return path.join(folder, ...up, ...written.slice(dots).split('.'));
}
