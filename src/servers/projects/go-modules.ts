import { dirname, isAbsolute, join, resolve } from 'node:path';
import { limits } from '../../core/limits.ts';
import type { CacheEntry, ProjectFacts } from '../definition.ts';

/** The modules of a workspace, and those that they need and nobody has fetched. */
export interface GoModules {
  /** The modules, by path; of several with one path, the first. */
  readonly own: ReadonlyMap<string, GoModule>;
  /** Modules of others that are in no cache: Go loads nothing at all without them. */
  readonly missing: readonly string[];
  /** Versions of modules of the workspace that are in no cache: their folders stand for them. */
  readonly inner: readonly Required[];
  /** The go.work of the repository. */
  readonly work?: GoWork | undefined;
}

/** A workspace as its go.work describes it. */
interface GoWork {
  readonly version: string;
  readonly folders: readonly string[];
  readonly replaces: readonly Replaced[];
}

/** A module as its go.mod describes it. */
interface GoModule {
  readonly folder: string;
  readonly path: string;
  readonly version: string;
  readonly requires: readonly Required[];
  readonly replaces: readonly Replaced[];
}

interface Required {
  readonly path: string;
  readonly version: string;
}

/** A module that another one, or a folder, stands for. */
interface Replaced {
  readonly path: string;
  readonly by: { readonly folder: string } | Required;
}

const known = new WeakMap<ProjectFacts, GoModules | undefined>();

/**
 * Returns the modules of a workspace if one needs a module that is not in the module cache, which is not fetched. Otherwise,
 * and where `vendor` or the user decide, `undefined`. What was found at first is kept, as the server was started with it.
 */
export function modulesOfFreshClone(facts: ProjectFacts): GoModules | undefined {
  if (!known.has(facts)) known.set(facts, readModules(facts));
  return known.get(facts);
}

/** Returns the folder of the modules that Go has fetched. */
export function moduleCache(facts: ProjectFacts): string {
  const { GOMODCACHE, GOPATH, HOME = '' } = goEnvironment(facts);
  return GOMODCACHE || join(GOPATH?.split(':')[0] || join(HOME, 'go'), 'pkg', 'mod');
}

/** Returns the environment as Go sees it: with what the user has set by `go env -w`. */
function goEnvironment({ environment, readSettings }: ProjectFacts): ProjectFacts['environment'] {
  const [kept] = ['.config/go/env', 'Library/Application Support/go/env'].flatMap(
    (file) => readSettings(file) ?? [],
  );
  const pairs = (kept ?? '').split('\n').map((line) => line.split('='));
  const set = Object.fromEntries(pairs.map(([name = '', ...value]) => [name.trim(), value.join('=').trim()]));
  const given = Object.entries(environment).filter(([, value]) => value);
  return { ...set, ...Object.fromEntries(given) };
}

function readModules(facts: ProjectFacts): GoModules | undefined {
  const { root, exists } = facts;
  const { GOWORK, GO111MODULE, GOFLAGS = '' } = goEnvironment(facts);
  if (GOWORK || GO111MODULE === 'off' || /-mod(?:file)?=(?!readonly\b|mod\b)/.test(GOFLAGS)) return undefined;
  const work = readWork(facts);
  if (!work && hasAbove(facts, 'go.work')) return undefined;
  const folders = work?.folders ?? moduleFolders(facts, root);
  const read = folders.flatMap((folder) => readModule(facts, folder) ?? []);
  const modules = work ? read : joinable(read);
  if (modules.some(({ folder }) => exists(join(folder, 'vendor/modules.txt')))) return undefined;
  const own = new Map(modules.toReversed().map((module) => [module.path, module]));
  const required = notFetched(facts, [...own.values()], work?.replaces ?? []);
  const inner = required.filter(({ path }) => own.has(path));
  // A folder is made of the path, wherever the go.mod comes from.
  const others = required.filter(({ path }) => !own.has(path) && modulePath.test(path));
  const missing = [...new Set(others.map(({ path }) => path))].sort();
  return required.length > 0 ? { own, missing, inner, work } : undefined;
}

/** Reads the go.work at the root. */
function readWork({ root, exists, read }: ProjectFacts): GoWork | undefined {
  if (!exists(join(root, 'go.work'))) return undefined;
  const lines = statementsOf(read(join(root, 'go.work')) ?? '');
  const folders = lines.flatMap(([verb, folder = '']) => (verb === 'use' ? [resolve(root, folder)] : []));
  return { version: versionIn(lines), folders, replaces: replacesIn(lines, root) };
}

/** Leaves out what may need a newer Go than the first module does: a Go that is too old reads nothing of the others then. */
function joinable(modules: readonly GoModule[]): readonly GoModule[] {
  const [first] = modules;
  return modules.filter(
    ({ version }) => /^\d+\.\d+$/.test(version) || byVersion(version, first?.version ?? '') <= 0,
  );
}

const modulePath = /^(?!.*(?:^|\/)\.)[A-Za-z0-9][\w.~-]*(?:\/[\w.~-]+)*$/;

/** The workspace may be a folder of a repository that has it above. */
function hasAbove({ root, exists }: ProjectFacts, name: string): boolean {
  for (let folder = root; ; folder = dirname(folder)) {
    if (exists(join(folder, name))) return true;
    if (folder === dirname(folder)) return false;
  }
}

/** Returns the folders with a go.mod; Go leaves out those that its patterns leave out too. */
function moduleFolders({ exists, folders }: ProjectFacts, root: string): readonly string[] {
  const found: string[] = [];
  let level: readonly string[] = [root];
  for (let read = 0; level.length > 0 && read < limits.goFolders; read += level.length) {
    found.push(...level.filter((folder) => exists(join(folder, 'go.mod'))));
    level = level.flatMap((folder) =>
      folders(folder)
        .filter((name) => !/^(?:[._]|testdata$|vendor$|node_modules$)/.test(name))
        .map((name) => join(folder, name)),
    );
  }
  return found;
}

function readModule({ read }: ProjectFacts, folder: string): GoModule | undefined {
  const lines = statementsOf(read(join(folder, 'go.mod')) ?? '');
  const path = lines.find(([verb]) => verb === 'module')?.[1];
  if (path === undefined) return undefined;
  const requires = lines.flatMap(([verb, from = '', version = '']) =>
    verb === 'require' ? [{ path: from, version }] : [],
  );
  return { folder, path, version: versionIn(lines), requires, replaces: replacesIn(lines, folder) };
}

type Statements = readonly (readonly string[])[];

function versionIn(lines: Statements): string {
  return lines.find(([verb]) => verb === 'go')?.[1] ?? '1.16';
}

function replacesIn(lines: Statements, folder: string): readonly Replaced[] {
  return lines.flatMap(([verb, from = '', ...rest]) => {
    const [to, version = ''] = rest.slice(rest.indexOf('=>') + 1);
    if (verb !== 'replace' || to === undefined) return [];
    const isFolder = /^\.{0,2}\//.test(to) || isAbsolute(to);
    return [{ path: from, by: isFolder ? { folder: resolve(folder, to) } : { path: to, version } }];
  });
}

/** Returns the statements of a go.mod as words, those in brackets each with their verb. */
function statementsOf(text: string): Statements {
  const statements: string[][] = [];
  let verb: string | undefined;
  for (const line of text.split('\n')) {
    const words = line.replace(/\/\/.*/, '').trim().split(/\s+/).map(unquoted);
    if (words[0] === '') continue;
    if (words[0] === ')') verb = undefined;
    else if (words[1] === '(') [verb] = words;
    else statements.push(verb === undefined ? words : [verb, ...words]);
  }
  return statements;
}

function unquoted(word: string): string {
  return word.replace(/^(["`])(.*)\1$/, '$2');
}

function notFetched(
  facts: ProjectFacts,
  modules: readonly GoModule[],
  ofWork: readonly Replaced[],
): readonly Required[] {
  const fetched = join(moduleCache(facts), 'cache/download');
  const isFetched = ({ path, version }: Required) =>
    facts.exists(join(fetched, escaped(path), '@v', `${escaped(version)}.mod`));
  const replaces = [...modules.flatMap((module) => module.replaces), ...ofWork];
  const replaced = new Map(replaces.map(({ path, by }) => [path, by]));
  const required = new Map<string, Required>();
  for (const one of modules.flatMap(({ requires }) => requires).slice(0, limits.goModules)) {
    const by = replaced.get(one.path) ?? one;
    const isThere = 'folder' in by ? facts.exists(join(by.folder, 'go.mod')) : isFetched(by);
    if (!isThere) required.set(`${one.path} ${one.version}`, one);
  }
  return [...required.values()];
}

/** File names in the module cache have no capital letters. */
function escaped(path: string): string {
  return path.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`);
}

/**
 * Returns the content of a folder with a go.work that joins the modules of a workspace, and an empty module for each one that is
 * missing: so Go loads everything else.
 */
export function workspaceOf({ own, missing, inner, work }: GoModules): Readonly<Record<string, CacheEntry>> {
  const modules = [...own.values()];
  const versions = ['1.18', ...modules.map(({ version }) => version), ...(work ? [work.version] : [])];
  const empty = Object.fromEntries(
    missing.map((path) => [`empty/${path}/go.mod`, { text: `module ${path}\n\ngo 1.16\n` }]),
  );
  const lines = [
    `go ${versions.toSorted(byVersion).at(-1)}`,
    ...modules.map((module) => `use ${JSON.stringify(module.folder)}`),
    ...missing.map((path) => `replace ${path} => ./empty/${path}`),
    ...inner.map(({ path, version }) => `replace ${path} ${version} => ${JSON.stringify(own.get(path)?.folder)}`),
    ...settledReplaces(modules, work?.replaces ?? [], new Set([...own.keys(), ...missing])),
  ];
  return { ...empty, 'go.work': { text: `${lines.join('\n')}\n` } };
}

/** Modules may replace one module by different ones; joined, one of them counts, and what the go.work says before all. */
function settledReplaces(
  modules: readonly GoModule[],
  ofWork: readonly Replaced[],
  settled: ReadonlySet<string>,
): readonly string[] {
  const targets = new Map<string, Set<string>>();
  for (const { path, by } of modules.flatMap(({ replaces }) => replaces))
    targets.set(path, (targets.get(path) ?? new Set()).add(targetOf(by)));
  const chosen = new Map([
    ...[...targets].flatMap(([path, [first = '', ...others]]) =>
      others.length > 0 ? [[path, first] as const] : [],
    ),
    ...ofWork.map(({ path, by }) => [path, targetOf(by)] as const),
  ]);
  return [...chosen].flatMap(([path, target]) => (settled.has(path) ? [] : [`replace ${path} => ${target}`]));
}

function targetOf(by: Replaced['by']): string {
  return 'folder' in by ? JSON.stringify(by.folder) : `${by.path} ${by.version}`;
}

function byVersion(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
