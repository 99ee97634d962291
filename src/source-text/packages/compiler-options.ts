import path from 'node:path';
import { parse as parseJson } from 'jsonc-parser';
import { isRecord, type Json, object } from '../../core/runtime/json.ts';

/** Reads a file of the workspace; `undefined` if there is none. */
export type ReadFile = (file: string) => Promise<string | undefined>;

/** What a configuration of the compiler says about modules, with those that it extends. Paths are absolute. */
export interface CompilerOptions {
  readonly folder: string;
  readonly baseUrl?: string;
  readonly outDir?: string;
  readonly rootDir?: string;
  readonly paths: readonly PathPattern[];
}

interface PathPattern {
  readonly pattern: string;
  readonly targets: readonly string[];
}

/** Returns where a configuration is that another extends by a name, such as `@x/config/base.json`. */
export type FindConfig = (name: string) => string | undefined;

/** Reads every configuration of the compiler among files. */
export async function readCompilerOptions(
  files: Iterable<string>,
  read: ReadFile,
  find: FindConfig,
): Promise<readonly CompilerOptions[]> {
  const configs = [...files].filter((file) => configFile.test(file));
  return Promise.all(
    configs.map(async (file) => {
      const folder = path.dirname(file);
      return { ...(await readConfig(file, { read, find, folder }, [])), folder };
    }),
  );
}

const configFile = /\/(?:tsconfig|jsconfig)(?:\.[\w.-]+)?\.json$/;

interface Reading {
  readonly read: ReadFile;
  readonly find: FindConfig;
  /** Of the configuration that extends the others: `${configDir}` in any of them. */
  readonly folder: string;
}

/** What a configuration says itself wins over those that it extends, of which the last wins. */
async function readConfig(file: string, reading: Reading, seen: readonly string[]): Promise<CompilerOptions> {
  const folder = path.dirname(file);
  if (seen.includes(file)) return { folder, paths: [] };
  const config = parse(await reading.read(file));
  const extended = [config.extends].flat().filter((one) => typeof one === 'string');
  const bases: CompilerOptions[] = [];
  for (const one of extended) {
    const base = baseOf(one, folder, reading.find);
    if (base !== undefined) bases.push(await readConfig(base, reading, [...seen, file]));
  }
  return Object.assign({ folder, paths: [] }, ...bases, ownOptions(config, folder, reading.folder));
}

function baseOf(name: string, folder: string, find: FindConfig): string | undefined {
  const isPath = /^(?:\.{1,2}\/|\/)/.test(name);
  const base = isPath ? path.resolve(folder, name) : find(name);
  return base === undefined || base.endsWith('.json') ? base : `${base}.json`;
}

function ownOptions(config: Json, folder: string, configDir: string): Partial<CompilerOptions> {
  const options = object(config.compilerOptions);
  const own = Object.fromEntries(
    (['baseUrl', 'outDir', 'rootDir'] as const).flatMap((key) => {
      const value = options[key] ?? (key === 'outDir' ? options.declarationDir : undefined);
      return typeof value === 'string' ? [[key, resolveIn(folder, value, configDir)]] : [];
    }),
  );
  if (!isRecord(options.paths)) return own;
  const base = typeof options.baseUrl === 'string' ? path.resolve(folder, options.baseUrl) : folder;
  const paths = Object.entries(options.paths).map(([pattern, targets]) => ({
    pattern,
    targets: [targets]
      .flat()
      .flatMap((one) => (typeof one === 'string' ? [resolveIn(base, one, configDir)] : [])),
  }));
  return { ...own, paths };
}

function resolveIn(folder: string, target: string, configDir: string): string {
  return path.resolve(
    folder,
    target.replace(/^\$\{configDir\}/, () => configDir),
  );
}

/** Returns the paths that a module means according to the best of the patterns. */
export function pathsFor(module: string, { paths }: CompilerOptions): readonly string[] {
  return (
    bestPattern(
      module,
      paths.map(({ pattern, targets }) => [pattern, targets] as const),
    ) ?? []
  );
}

/** Returns what stands for the most exact pattern that matches, with the star filled in. */
export function bestPattern(
  name: string,
  patterns: readonly (readonly [pattern: string, targets: readonly string[]])[],
): readonly string[] | undefined {
  const matching = patterns.flatMap(([pattern, targets]) => {
    const middle = starOf(pattern, name);
    return middle === undefined ? [] : [{ pattern, targets, middle }];
  });
  const rank = (pattern: string) => (pattern.includes('*') ? pattern.indexOf('*') : Number.POSITIVE_INFINITY);
  const [best] = matching.sort((a, b) => rank(b.pattern) - rank(a.pattern));
  return best?.targets.map((target) => target.replaceAll('*', best.middle));
}

function starOf(pattern: string, name: string): string | undefined {
  const [before = '', after] = pattern.split('*');
  if (after === undefined) return pattern === name ? '' : undefined;
  const fits = name.length >= pattern.length - 1 && name.startsWith(before) && name.endsWith(after);
  return fits ? name.slice(before.length, name.length - after.length) : undefined;
}

/** Parses JSON with comments. A file that is missing, or broken, is as good as an empty one. */
export function parse(text: string | undefined): Json {
  return object(parseJson(text ?? '{}'));
}
