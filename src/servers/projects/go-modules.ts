import { createHash } from 'node:crypto';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { limits } from '../../core/limits.ts';
import type { CacheEntry, ProjectFacts } from '../definition.ts';

/** The modules of a workspace, and those that they need and nobody has fetched. */
export interface GoModules {
  /** The modules, by path; of several with one path, the first. */
  readonly own: ReadonlyMap<string, GoModule>;
  /** Modules of others that are in no cache: Go loads nothing at all without them. */
  readonly missing: readonly string[];
  /** What stands for each version that is in no cache: a folder of the workspace, a version that is, or an empty module. */
  readonly stands: readonly Replaced[];
  /** The go.work of the repository. */
  readonly work?: GoWork | undefined;
}

/** A workspace as its go.work describes it. */
interface GoWork {
  readonly sums: string | undefined;
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
  /** Empty for all versions. */
  readonly version: string;
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

/** Where modules will be that the modules of a workspace require, and that were not fetched at first. */
const awaited = new WeakMap<ProjectFacts, readonly string[]>();

/** Returns whether a module was fetched since the modules were read: Go does not look for it again. */
export function hasFetchedMore(facts: ProjectFacts): boolean {
  return awaited.get(facts)?.some((folder) => facts.exists(folder)) === true;
}

/** Returns the folder of the modules that Go has fetched. */
export function moduleCache(facts: ProjectFacts): string {
  const { GOMODCACHE, GOPATH, HOME = '' } = goEnvironment(facts);
  return GOMODCACHE || join(GOPATH?.split(':')[0] || join(HOME, 'go'), 'pkg', 'mod');
}

/** Returns the environment as Go sees it: with what the user has set by `go env -w`. */
function goEnvironment({ environment, readSettings }: ProjectFacts): ProjectFacts['environment'] {
  const { GOENV, XDG_CONFIG_HOME } = environment;
  const usual = [join(XDG_CONFIG_HOME || '.config', 'go/env'), 'Library/Application Support/go/env'];
  const [kept] = (GOENV ? [GOENV] : usual).flatMap((file) => readSettings(file) ?? []);
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
  awaited.set(facts, foldersToCome(facts, modules));
  const own = new Map(modules.toReversed().map((module) => [module.path, module]));
  const found = lookUp(facts, [...own.values()], work?.replaces ?? []);
  return found.lacking.length === 0 ? undefined : { own, work, ...standIns(found, own) };
}

/** Returns where the modules will be that are required and not there; of many, the first: they are fetched together. */
function foldersToCome(facts: ProjectFacts, modules: readonly GoModule[]): readonly string[] {
  const cache = moduleCache(facts);
  const folders = modules.flatMap(({ requires }) =>
    requires.map(({ path, version }) => join(cache, `${escaped(path)}@${escaped(version)}`)),
  );
  return [...new Set(folders)].filter((folder) => !facts.exists(folder)).slice(0, limits.freshClone.awaited);
}

/** Decides what stands for each version that is in no cache. */
function standIns(
  { lacking, deeper, fetched }: LookedUp,
  own: GoModules['own'],
): Pick<GoModules, 'missing' | 'stands'> {
  const isTaken = ({ path }: Required) => own.has(path) || modulePath.test(path);
  const standIn = ({ path }: Required): Replaced['by'] => {
    const folder = own.get(path)?.folder;
    const version = fetched.get(path);
    if (folder === undefined && version !== undefined) return { path, version };
    return { folder: folder ?? `./${emptyFolder(path)}` };
  };
  const stands = [...lacking, ...deeper].filter(isTaken).map((one) => ({ ...one, by: standIn(one) }));
  const nowhere = lacking.filter((one) => isTaken(one) && !own.has(one.path) && !fetched.has(one.path));
  return { stands, missing: [...new Set(nowhere.map(({ path }) => path))].sort() };
}

/** Reads the go.work at the root. */
function readWork({ root, exists, read }: ProjectFacts): GoWork | undefined {
  if (!exists(join(root, 'go.work'))) return undefined;
  const lines = statementsOf(read(join(root, 'go.work')) ?? '');
  const folders = lines.flatMap(([verb, folder = '']) => (verb === 'use' ? [resolve(root, folder)] : []));
  const sums = read(join(root, 'go.work.sum'));
  return { sums, version: versionIn(lines), folders, replaces: replacesIn(lines, root) };
}

/** Leaves out what may need a newer Go than the first module does: a Go that is too old reads nothing of the others then. */
function joinable(modules: readonly GoModule[]): readonly GoModule[] {
  const [first] = modules;
  return modules.filter(
    ({ version }) => /^1\.(?:1?\d|20)$/.test(version) || byVersion(version, first?.version ?? '') <= 0,
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
  for (let read = 0; level.length > 0 && read < limits.freshClone.folders; read += level.length) {
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
  return {
    folder,
    path,
    version: versionIn(lines),
    requires: requiresIn(lines),
    replaces: replacesIn(lines, folder),
  };
}

type Statements = readonly (readonly string[])[];

function versionIn(lines: Statements): string {
  return lines.find(([verb]) => verb === 'go')?.[1] ?? '1.16';
}

function replacesIn(lines: Statements, folder: string): readonly Replaced[] {
  return lines.flatMap(([verb, path = '', ...rest]) => {
    const arrow = rest.indexOf('=>');
    const [to, newVersion = ''] = rest.slice(arrow + 1);
    if (verb !== 'replace' || to === undefined) return [];
    const isFolder = /^\.{0,2}\//.test(to) || isAbsolute(to);
    const by = isFolder ? { folder: resolve(folder, to) } : { path: to, version: newVersion };
    return [{ path, version: rest.slice(0, arrow).join(''), by }];
  });
}

/** Returns the statements of a go.mod as words, those in brackets each with their verb. */
function statementsOf(text: string): Statements {
  const statements: string[][] = [];
  let verb: string | undefined;
  for (const line of text.split('\n')) {
    const plain = line
      .replace(/^\uFEFF/, '')
      .replace(/\/\/.*/, '')
      .trim();
    const words = Array.from(plain.matchAll(/"[^"]*"|`[^`]*`|\S+/g), ([word]) => unquoted(word));
    if (words.length === 0) continue;
    const block = /^(\w+)\s*\($/.exec(plain)?.[1];
    if (words[0] === ')') verb = undefined;
    else if (block !== undefined) verb = block;
    else statements.push(verb === undefined ? words : [verb, ...words]);
  }
  return statements;
}

function unquoted(word: string): string {
  return word.replace(/^(["`])(.*)\1$/, '$2');
}

/** What is in the module cache of that which modules require. */
interface LookedUp {
  /** What they require themselves and is not there; Go loads nothing without it. */
  readonly lacking: readonly Required[];
  /** What only fetched modules require: Go may ask for it where modules are joined. */
  readonly deeper: readonly Required[];
  /** The newest version that is there, by path. */
  readonly fetched: ReadonlyMap<string, string>;
}

function lookUp(facts: ProjectFacts, modules: readonly GoModule[], ofWork: readonly Replaced[]): LookedUp {
  const cache = join(moduleCache(facts), 'cache/download');
  const fileOf = ({ path, version }: Required) => join(cache, escaped(path), '@v', `${escaped(version)}.mod`);
  const replaces = [...modules.flatMap((module) => module.replaces), ...ofWork];
  const replaced = new Map(replaces.map(({ path, version, by }) => [`${path} ${version}`, by]));
  const lacking = new Map<string, Required>();
  const deeper = new Map<string, Required>();
  const fetched = new Map<string, string>();
  const seen = new Set<string>();
  const look = (one: Required, into: Map<string, Required>) => {
    const key = `${one.path} ${one.version}`;
    if (seen.has(key) || seen.size > limits.freshClone.read) return;
    seen.add(key);
    const by = replaced.get(key) ?? replaced.get(`${one.path} `) ?? one;
    const isThere = facts.exists('folder' in by ? join(by.folder, 'go.mod') : fileOf(by));
    if (!isThere) into.set(key, one);
    if (!isThere || 'folder' in by) return;
    if (by === one) keepNewest(fetched, one);
    for (const next of requiresIn(statementsOf(facts.readSettings(fileOf(by)) ?? ''))) look(next, deeper);
  };
  const direct = modules.flatMap(({ requires }) => requires);
  // What is lacking first: a module that is fetched may require it too.
  for (const one of direct.toSorted(
    (a, b) => Number(facts.exists(fileOf(a))) - Number(facts.exists(fileOf(b))),
  ))
    look(one, lacking);
  return { lacking: [...lacking.values()], deeper: [...deeper.values()], fetched };
}

function keepNewest(versions: Map<string, string>, { path, version }: Required): void {
  if (byVersion(versions.get(path) ?? '', version) < 0) versions.set(path, version);
}

function requiresIn(lines: Statements): readonly Required[] {
  return lines.flatMap(([verb, path = '', version = '']) => (verb === 'require' ? [{ path, version }] : []));
}

/** File names in the module cache have no capital letters. */
function escaped(path: string): string {
  return path.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`);
}

/**
 * Returns the content of a folder with a go.work that joins the modules of a workspace, and an empty module for each one that is
 * missing: so Go loads everything else.
 */
export function workspaceOf({ own, stands, work }: GoModules): Readonly<Record<string, CacheEntry>> {
  const modules = [...own.values()];
  const versions = ['1.18', ...modules.map(({ version }) => version), ...(work ? [work.version] : [])];
  const empty = stands
    .filter(({ path, by }) => 'folder' in by && by.folder === `./${emptyFolder(path)}`)
    .map(({ path }) => [`${emptyFolder(path)}/go.mod`, { text: `module ${path}\n\ngo 1.16\n` }] as const);
  const lines = [
    `go ${versions.toSorted(byVersion).at(-1)}`,
    ...modules.map((module) => `use ${JSON.stringify(module.folder)}`),
    ...replaceLines(modules, work?.replaces ?? [], stands),
  ];
  const sums = work?.sums === undefined ? {} : { 'go.work.sum': { text: work.sums } };
  return { ...Object.fromEntries(empty), ...sums, 'go.work': { text: `${lines.join('\n')}\n` } };
}

/** The folder of an empty module, by its path, which may be long or have any form. */
function emptyFolder(path: string): string {
  return `empty/${createHash('sha256').update(path).digest('hex').slice(0, 16)}`;
}

/**
 * Returns what replaces what: modules may replace one module by different ones; joined, one of them counts, what the go.work
 * says before all, and what stands for a version that is missing before that.
 */
function replaceLines(
  modules: readonly GoModule[],
  ofWork: readonly Replaced[],
  stands: readonly Replaced[],
): readonly string[] {
  const own = new Set(modules.map(({ path }) => path));
  const targets = new Map<string, Set<string>>();
  for (const one of modules.flatMap(({ replaces }) => replaces))
    if (!own.has(one.path))
      targets.set(nameOf(one), (targets.get(nameOf(one)) ?? new Set()).add(targetOf(one)));
  const chosen = new Map([
    ...[...targets].flatMap(([name, [first = '', ...others]]) =>
      others.length > 0 ? [[name, first] as const] : [],
    ),
    ...[...ofWork, ...stands].map((one) => [nameOf(one), targetOf(one)] as const),
  ]);
  return [...chosen].map(([name, target]) => `replace ${name} => ${target}`);
}

function nameOf({ path, version }: Replaced): string {
  return version === '' ? path : `${path} ${version}`;
}

function targetOf({ by }: Replaced): string {
  return 'folder' in by ? JSON.stringify(by.folder) : `${by.path} ${by.version}`;
}

function byVersion(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
