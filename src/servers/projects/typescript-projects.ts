import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { parse } from 'jsonc-parser';
import { limits } from '../../core/limits.ts';
import { matchesGlob, readWildcardName, readWildcards } from '../../core/runtime/glob.ts';
import type { Membership, ReadText } from '../definition.ts';
import { field } from '../traits.ts';

/** Returns the projects of a `tsconfig.json` or `jsconfig.json`: its own and `references` to `.json` files. */
export async function typescriptProjects(marker: string, read: ReadText): Promise<Membership[]> {
  const config = await readConfig(marker, read);
  const named = list(config.references).flatMap((entry) => {
    const path = field(entry, 'path');
    return typeof path === 'string' && path.endsWith('.json') ? [resolve(dirname(marker), path)] : [];
  });
  return Promise.all(
    [marker, ...named].map(async (path) => ({ id: path, includes: await includesOf(path, read) })),
  );
}

/** The text around a name whose export lets the importing file choose the name. */
export const anyName = {
  before:
    /\bexport\s+default\s+(?:async\s+|abstract\s+)*(?:(?:function\s*\*?|class)\s*)?$|\b(?:export|module\.exports)\s*=\s*$/,
  after: /^\s+as\s+default\b/,
} as const;

/** Servers treat a symbol behind `exports` and `require` as several, and some do not connect them at all. */
export const commonJs = {
  what: 'uses across `exports` and `require`',
  files: /\.[cm]?jsx?$/,
  texts: /\brequire\s*\(|\bexports\b/,
} as const;

interface Config {
  readonly include?: Patterns;
  readonly files?: Patterns;
  readonly exclude?: Patterns;
  /** Folders that the compiler writes to, which count as excluded where `exclude` is not given. */
  readonly written: Readonly<Record<string, string>>;
  readonly references?: unknown;
  /** True if JavaScript files belong to the project too. */
  readonly javascript: boolean;
}

/** Patterns relative to the folder of the configuration that lists them. */
interface Patterns {
  readonly listed: readonly string[];
  readonly folder: string;
}

/** Without `include` and `files`, all below is included: https://www.typescriptlang.org/tsconfig/#include */
async function includesOf(path: string, read: ReadText): Promise<(file: string) => boolean> {
  const { include, files, exclude, written, javascript } = await readConfig(path, read);
  const everything = { listed: ['**/*'], folder: dirname(path) };
  const named = new Set(files?.listed.map((file) => resolve(files.folder, file)));
  const matches = matchersOf(
    include ?? (files === undefined ? everything : undefined),
    dirname(path),
    matcher,
  );
  const outputs = { listed: Object.values(written), folder: '/' };
  const leavesOut = matchersOf(exclude ?? outputs, dirname(path), excluder);
  const belongs = (file: string) => (javascript && !/\.min\.js$/.test(file)) || !/\.[cm]?jsx?$/.test(file);
  return (file) =>
    named.has(file) ||
    (belongs(file) && matches.some((match) => match(file)) && !leavesOut.some((match) => match(file)));
}

/** In a shared base, `${configDir}` is the folder of the configuration that extends it. */
function matchersOf(
  patterns: Patterns | undefined,
  configDir: string,
  read: (pattern: string, folder: string) => (file: string) => boolean,
): readonly ((file: string) => boolean)[] {
  const own = /^\$\{configDir\}\/?/;
  return (
    patterns?.listed.map((pattern) =>
      read(pattern.replace(own, ''), own.test(pattern) ? configDir : patterns.folder),
    ) ?? []
  );
}

/** Only `*`, `?` and `**` are special: a folder may be called `(admin)` or `[id]`. */
function matcher(pattern: string, folder: string): (file: string) => boolean {
  // The compiler refuses such a pattern, and goes on without it.
  if (/(?:^|\/)\*\*\/?$/.test(pattern)) return () => false;
  const base = join(folder, pattern);
  // A last name without a wildcard or a dot is a folder, and matches all below it.
  const glob = /[.*?]/.test(basename(base)) ? base : join(base, '**/*');
  const parts = namesOf(glob).map((name) => {
    if (name === '**') return undefined;
    const matches = readWildcardName(name);
    return /^[*?]/.test(name) ? (text: string) => !isHidden(text) && matches(text) : matches;
  });
  return (file) => matchesGlob(parts, namesOf(file), (name) => !isHidden(name));
}

/** What is excluded is left out with all below it, also where the pattern has wildcards and names a folder. */
function excluder(pattern: string, folder: string): (file: string) => boolean {
  const parts = [...readWildcards(namesOf(join(folder, pattern)).join('/')), undefined];
  return (file) => matchesGlob(parts, namesOf(file));
}

/** A star does not match a name that begins with a dot, nor a folder of packages. */
function isHidden(name: string): boolean {
  return name.startsWith('.') || /^(?:node_modules|bower_components|jspm_packages)$/.test(name);
}

function namesOf(path: string): readonly string[] {
  return relative('/', path).split(sep);
}

/**
 * `include`, `files` and `exclude` come from the nearest configuration in the `extends` chain that has each;
 * `javascript` comes from its own `allowJs` or `checkJs`, otherwise from its bases or its name.
 */
async function readConfig(path: string, read: ReadText, depth = 0): Promise<Config> {
  const config: unknown = parse((await read(path)) ?? '{}');
  const bases = [field(config, 'extends')].flat().filter((one) => typeof one === 'string');
  const inherited: Config[] = [];
  for (const base of depth > limits.projects.bases ? [] : bases)
    inherited.push(...(await readBase(base, dirname(path), read, depth)));
  const options = field(config, 'compilerOptions');
  const said = [field(options, 'allowJs'), field(options, 'checkJs')].find((one) => typeof one === 'boolean');
  const patterns = (key: 'include' | 'files' | 'exclude'): Partial<Config> => {
    const own = field(config, key);
    const found = Array.isArray(own)
      ? { listed: strings(own), folder: dirname(path) }
      : inherited.findLast((base) => base[key] !== undefined)?.[key];
    return found ? { [key]: found } : {};
  };
  return {
    ...patterns('include'),
    ...patterns('files'),
    ...patterns('exclude'),
    written: {
      ...Object.assign({}, ...inherited.map((base) => base.written)),
      ...outputsOf(options, dirname(path)),
    },
    references: field(config, 'references'),
    javascript:
      said === true ||
      (said === undefined &&
        (inherited.some(({ javascript }) => javascript) || basename(path) === 'jsconfig.json')),
  };
}

/** The folders that the compiler writes to, as paths, or relative to `${configDir}`. */
function outputsOf(options: unknown, folder: string): Readonly<Record<string, string>> {
  const named = ['outDir', 'declarationDir'].flatMap((key) => {
    const [path] = strings([field(options, key)]);
    return path === undefined ? [] : [[key, path.startsWith('${') ? path : resolve(folder, path)]];
  });
  return Object.fromEntries(named);
}

/** A base is a file with a path, or one of an installed package. */
async function readBase(base: string, folder: string, read: ReadText, depth: number): Promise<Config[]> {
  const isBeside = /^\.{0,2}\//.test(base);
  const homes = isBeside ? [folder] : foldersAbove(folder).map((one) => join(one, 'node_modules'));
  for (const home of homes) {
    for (const ending of ['', '.json', '/tsconfig.json']) {
      const path = resolve(home, base + ending);
      if (!path.endsWith('.json') || (await read(path)) === undefined) continue;
      return [await readConfig(path, read, depth + 1)];
    }
  }
  return [];
}

function foldersAbove(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersAbove(parent)];
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Drops strings that are longer than any path. */
function strings(value: unknown): string[] {
  return list(value)
    .filter((one) => typeof one === 'string')
    .filter((one) => one.length <= limits.projects.pattern);
}
