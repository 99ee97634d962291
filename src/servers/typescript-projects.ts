import { basename, dirname, join, relative, resolve } from 'node:path';
import { parse } from 'jsonc-parser';
import picomatch from 'picomatch';
import type { Membership, ReadText } from '../backends/lsp/server-definition.ts';

/**
 * The projects that a `tsconfig.json` or `jsconfig.json` describes: its own, and those of configurations that it
 * refers to by name, as `tsconfig.app.json`. Each tells which files it includes.
 */
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

/** What stands beside a name that is exported so that whoever imports it chooses its name. */
export const anyName = {
  before:
    /\bexport\s+default\s+(?:async\s+|abstract\s+)*(?:(?:function\s*\*?|class)\s*)?$|\b(?:export|module\.exports)\s*=\s*$/,
  after: /^\s+as\s+default\b/,
} as const;

/** What `exports` and `require` join is several symbols to the servers, and some do not join them at all. */
export const commonJs = {
  what: 'uses across `exports` and `require`',
  files: /\.[cm]?jsx?$/,
  texts: /\brequire\s*\(|\bexports\b/,
} as const;

interface Config {
  readonly include?: unknown;
  readonly files?: unknown;
  readonly references?: unknown;
  readonly exclude?: unknown;
  /** Whether JavaScript belongs to it too. */
  readonly javascript: boolean;
  /** The file that said so, which its patterns are relative to. */
  readonly origin: string;
}

/** https://www.typescriptlang.org/tsconfig/#include: without `files`, everything below the folder is included. */
async function includesOf(path: string, read: ReadText): Promise<(file: string) => boolean> {
  const { include, files, exclude, javascript, origin } = await readConfig(path, read);
  const folder = dirname(origin);
  const listed = new Set(strings(files).map((file) => resolve(folder, file)));
  const patterns = include === undefined && files === undefined ? ['**/*'] : strings(include);
  const matches = patterns.map((pattern) => matcher(pattern, folder));
  const leavesOut = strings(exclude).map((pattern) => matcher(pattern, folder));
  const belongs = (file: string) => javascript || !/\.[cm]?jsx?$/.test(file);
  return (file) =>
    listed.has(file) ||
    (belongs(file) && matches.some((match) => match(file)) && !leavesOut.some((match) => match(file)));
}

function matcher(pattern: string, folder: string): (file: string) => boolean {
  const base = join(folder, pattern);
  // A name without a wildcard or an extension is a folder, and means all that it holds.
  const glob = /[*?]/.test(pattern) || /\.\w+$/.test(pattern) ? base : join(base, '**/*');
  const match = picomatch(relative('/', glob), { dot: false });
  return (file) => match(relative('/', file));
}

/**
 * `include`, `files` and `exclude` come from the nearest configuration in the chain of `extends` that has one of the
 * first two; whether JavaScript belongs to it from the nearest that says so, and else from its name.
 */
async function readConfig(path: string, read: ReadText, depth = 0): Promise<Config> {
  const config: unknown = parse((await read(path)) ?? '{}');
  const options = field(config, 'compilerOptions');
  const allowed = field(options, 'allowJs') ?? field(options, 'checkJs');
  const own = {
    include: field(config, 'include'),
    files: field(config, 'files'),
    exclude: field(config, 'exclude'),
  };
  const references = field(config, 'references');
  const said = typeof allowed === 'boolean' ? allowed : undefined;
  const base = [field(config, 'extends')]
    .flat()
    .findLast((one) => typeof one === 'string' && one.startsWith('.'));
  if (typeof base !== 'string' || depth > deepest) {
    return { ...own, references, javascript: said ?? basename(path) === 'jsconfig.json', origin: path };
  }
  const above = resolve(dirname(path), base.endsWith('.json') ? base : `${base}.json`);
  const inherited = await readConfig(above, read, depth + 1);
  const javascript = said ?? (inherited.javascript || basename(path) === 'jsconfig.json');
  const says = (one: Pick<Config, 'include' | 'files'>) =>
    one.include !== undefined || one.files !== undefined;
  if (says(own) || !says(inherited)) return { ...own, references, javascript, origin: path };
  return { ...inherited, references, javascript };
}

const deepest = 10;

function field(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([name]) => name === key)?.[1];
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function strings(value: unknown): string[] {
  return list(value).filter((one) => typeof one === 'string');
}
