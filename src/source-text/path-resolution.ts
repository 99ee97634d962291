import path from 'node:path';
import type { PathMention } from './path-mentions.ts';

/** A file or folder to which paths may lead. */
export interface TargetPath {
  readonly path: string;
  readonly isFolder: boolean;
}

/** Where a mention stands, and what is known of the files around it. */
export interface ResolutionContext {
  readonly from: string;
  readonly roots: readonly string[];
  isFile(path: string): boolean;
}

/**
 * Whether a path in a text leads to a file, or into a folder, by its spelling: `exact`, or `guessed` where an ending
 * was left out or stands for another.
 */
export function resolvesTo(
  mention: PathMention,
  goal: TargetPath,
  around: ResolutionContext,
): 'exact' | 'guessed' | undefined {
  return byForm[mention.form](mention, goal, around);
}

type Reading = typeof resolvesTo;

const byForm: Readonly<Record<PathMention['form'], Reading>> = {
  quoted: byPath,
  path: byPath,
  include: ({ path: given }, { path: wanted, isFolder }, { from }) => {
    if (path.resolve(path.dirname(from), given) === wanted) return 'exact';
    if (isFolder) return isWithin(wanted, path.resolve(path.dirname(from), given)) ? 'exact' : undefined;
    // Where else headers are looked for is known to the compiler alone.
    return wanted.endsWith(`/${given}`) ? 'guessed' : undefined;
  },
  module: byModule,
  child: ({ path: name }, goal, { from }) => {
    const stem = path.basename(from, '.rs');
    const own = /^(mod|lib|main)$/.test(stem) ? path.dirname(from) : path.join(path.dirname(from), stem);
    const module = path.join(own, name);
    if (goal.isFolder) return module === goal.path ? 'exact' : undefined;
    return [`${module}.rs`, path.join(module, 'mod.rs')].includes(goal.path) ? 'exact' : undefined;
  },
  import: () => undefined,
};

function byPath(
  { path: given, form }: PathMention,
  goal: TargetPath,
  { from, roots, isFile }: ResolutionContext,
): 'exact' | 'guessed' | undefined {
  const cut = given.replace(/[?#].*$/, '').replaceAll('%20', ' ');
  const isRelative = /^\.{1,2}(?:\/|$)/.test(cut);
  const isAbsolute = cut.startsWith('/');
  const isBare = !isRelative && !cut.includes('/');
  if (cut === '' || /^[a-z][a-z0-9+.-]+:/i.test(cut)) return undefined;
  if (isBare && (goal.isFolder || form !== 'quoted')) return undefined;
  const bases = isAbsolute ? roots : isRelative ? [path.dirname(from)] : [path.dirname(from), ...roots];
  const reached = bases.map((base) => path.join(base, cut).replace(/\/$/, ''));
  if (reached.some((one) => one === goal.path || (goal.isFolder && isWithin(goal.path, one)))) return 'exact';
  if (goal.isFolder || form !== 'quoted') return undefined;
  const loosely = isRelative || isAbsolute || sass.test(from);
  return loosely && reached.some((one) => isGuess(one, goal.path, isFile)) ? 'guessed' : undefined;
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

/** What programs leave out when they name a file, and the file that stands for a folder. */
const moduleEndings: readonly string[] = [...endings, ...endings.map((ending) => `/index${ending}`)];

/** A path without what programs leave out when they name a module. */
export function withoutEnding(file: string): string {
  return file.replace(/(?:\.d)?\.\w+$/, '');
}

/** Dots lead up from the folder of the file; else the module is looked for from any folder that is no package. */
function byModule(
  { path: given }: PathMention,
  { path: wanted, isFolder }: TargetPath,
  { from, roots, isFile }: ResolutionContext,
): 'exact' | undefined {
  const dots = /^\.*/.exec(given)?.[0].length ?? 0;
  const parts = given.slice(dots).split('.').filter(Boolean);
  const own = path.dirname(from);
  const isPackage = !isFolder && /\/__init__\.pyi?$/.test(wanted);
  if (!isFolder && !/\.pyi?$/.test(wanted)) return undefined;
  const module = isFolder ? wanted : isPackage ? path.dirname(wanted) : withoutEnding(wanted);
  const bases =
    dots > 0
      ? [path.join(own, ...Array.from({ length: dots - 1 }, () => '..'))]
      : foldersAbove(module, roots).filter((one) => one === own || !isFile(path.join(one, '__init__.py')));
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

/** Whether a relative path in a text leads to one of the files, as it is written or with an ending added. */
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
