import { dirname, join } from 'node:path';
import type { ProjectFacts } from './definition.ts';
import type { InstalledFolders } from './outside-facts.ts';

/** What a server that runs in Node may do to the machine, where no setting of its own limits it. */
interface NodeGuard {
  /** The folders in which it may create and change files. Default: none. */
  readonly writable?: readonly string[];
  /** The folders that it may read, with everything below them by real path. Default: all. */
  readonly readable?: readonly string[];
  /** Folders seem to have no links that lead to nothing, or to what is not `readable`: it would end at one. */
  readonly hidesLinks?: true;
  /** What it may read besides `readable`: installed libraries, and the configuration in folders above. */
  readonly alsoReads?: {
    readonly installed: InstalledFolders;
    readonly configuration: RegExp;
  };
}

/**
 * Returns the variable by which Node loads a script of lspan's before the server: the script refuses every
 * connection but those to a socket of this machine, and what the guard does not allow. It guards against
 * features of an honest server; it is no sandbox for a hostile one.
 */
export function guardedNode(facts: ProjectFacts, guard: NodeGuard = {}): Readonly<Record<string, string>> {
  const folder = facts.cache('node-guard', { 'guard.cjs': { text: script } });
  const file = JSON.stringify(join(folder, 'guard.cjs'));
  const { writable = [], readable, hidesLinks, alsoReads } = guard;
  // The server must be able to load the script, but a confined one never to change it.
  const rights = {
    writable,
    ...(readable && { readable: [...readable, folder] }),
    ...(hidesLinks && { hidesLinks }),
    ...(alsoReads && {
      installed: alsoReads.installed,
      configuration: alsoReads.configuration.source,
      unread: facts.unreadList(),
    }),
  };
  return { NODE_OPTIONS: `--require=${file}`, LSPAN_GUARD: JSON.stringify(rights) };
}

/**
 * Returns what a server needs to read that is asked about files which name others to read, such as schemas: its own
 * packages, and what is in the workspace or named by the user. It then finds no text of any other file.
 */
export function readsOnlyNamed(program: string, named: readonly string[]): NodeGuard {
  const packages = /^(.*?[\\/]node_modules)(?:[\\/]|$)/.exec(program)?.[1] ?? dirname(dirname(program));
  return { readable: [...named, packages] };
}

/**
 * Returns the variables for a server whose files import others. Without trust it reads the workspace, what the user named,
 * and what is installed: types quote the text of what is imported, so any other file of the disk would reach a model.
 */
export function guardedImports(
  facts: ProjectFacts,
  program: string,
  named: readonly string[],
): Readonly<Record<string, string>> {
  if (facts.trusted) return {};
  const { readable = [] } = readsOnlyNamed(program, named);
  const temporary = facts.temporary();
  return guardedNode(facts, {
    writable: [temporary],
    readable: [...readable, temporary],
    alsoReads: { installed: facts.installed(), configuration },
  });
}

/** The names of files that are read in all folders above a project. */
const configuration =
  /^(?:package\.json|[jt]sconfig(?:\..+)?\.json|pyrightconfig\.json|pyproject\.toml|\.editorconfig)$/;

/** Runs before the server, in each of its processes and threads. */
const script = `'use strict';
const fs = require('node:fs');
const net = require('node:net');
const dgram = require('node:dgram');
const path = require('node:path');
const { fileURLToPath } = require('node:url');
const { writable, readable, hidesLinks, installed, configuration, unread } = JSON.parse(process.env.LSPAN_GUARD);
const realpath = fs.realpathSync.native;

function refusal(code, what) {
  return Object.assign(new Error(code + ': lspan does not allow ' + what), { code, syscall: 'open' });
}

const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...args) {
  const [first] = Array.isArray(args[0]) ? args[0] : args;
  const isLocal = typeof first === 'string' ? !/^\\d+$/.test(first) : typeof first?.path === 'string';
  if (isLocal) return connect.apply(this, args);
  process.nextTick(() => this.destroy(refusal('ENETUNREACH', 'connections')));
  return this;
};
dgram.Socket.prototype.send = () => {
  throw refusal('ENETUNREACH', 'connections');
};

/** The real path, also of what does not exist yet. */
function real(file) {
  try {
    return realpath(file);
  } catch {
    const above = path.dirname(file);
    return above === file ? file : path.join(real(above), path.basename(file));
  }
}

/** The real path that is meant; none if it is a descriptor or a file of the kernel. */
function meant(given) {
  if (typeof given === 'number') return undefined;
  const text = given instanceof URL ? fileURLToPath(given) : String(given);
  return /^\\/(dev|proc)\\//.test(text) ? undefined : real(path.resolve(text));
}

function isBelow(folders, file) {
  return folders.some((folder) => file === folder || file.startsWith(folder.replace(/[\\\\/]$/, '') + path.sep));
}

function isWithin(folders, given) {
  const file = meant(given);
  return file === undefined || isBelow(folders, file);
}

/** True if a folder is on the way to what may be read. */
function isAbove(folder) {
  return readableRoots.some((root) => isBelow([folder], root));
}

const packages = installed && new RegExp(installed.pattern);
const configurations = configuration && new RegExp(configuration);

function isReadable(given) {
  const file = meant(given);
  if (file === undefined || isBelow(readableRoots, file)) return true;
  if (installed === undefined) return false;
  // The names in a folder of libraries lead to that of a Python.
  const isLibraries = /^lib(64)?$/i.test(path.basename(file));
  const isInstalled = isLibraries || isBelow(installed.folders, file) || packages.test(file + path.sep);
  if (isInstalled && !isBelow(installed.except, file)) return true;
  if (isAbove(path.dirname(file)) && configurations.test(path.basename(file))) return true;
  tellUnread(file);
  return false;
}

const original = { ...fs };
const told = new Set();

/** Tells lspan what was not read, unless it does not exist, or is only looked through on the way to the workspace. */
function tellUnread(file) {
  if (told.has(file) || told.size >= 100 || isAbove(file)) return;
  told.add(file);
  if (original.existsSync(file)) original.appendFileSync(unread, JSON.stringify(file) + '\\n');
}

const roots = writable.map(real);
const readableRoots = readable?.map(real);
const isWrite = (flags) => (typeof flags === 'number' ? (flags & 3) !== 0 : /[wa+]/.test(String(flags ?? 'r')));

function faultOf(name, args) {
  const changes = changing.has(name) || (opening.has(name) && isWrite(args[1]));
  const paths = both.has(name) ? args.slice(0, 2) : args.slice(0, 1);
  if (changes && !paths.every((file) => isWithin(roots, file))) return refusal('EROFS', 'changes of ' + paths[0]);
  if (changes || readableRoots === undefined) return undefined;
  return isReadable(args[0]) ? undefined : refusal('ENOENT', 'access to ' + args[0]);
}

const changing = new Set(
  'appendFile chmod chown copyFile cp createWriteStream lchown link lutimes mkdir mkdtemp rename rm rmdir symlink truncate unlink utimes writeFile'.split(' '),
);
const opening = new Set(['open']);
const both = new Set(['rename', 'link', 'copyFile', 'cp']);
const reading = ['readFile', 'readdir', 'opendir', 'createReadStream'];
for (const name of [...changing, ...opening, ...(readableRoots ? reading : [])]) {
  wrap(fs, name, (fault, args) => {
    const done = args.at(-1);
    if (typeof done !== 'function') throw fault;
    process.nextTick(done, fault);
  }, name);
  wrap(fs, name + 'Sync', (fault) => {
    throw fault;
  }, name);
  wrap(fs.promises, name, (fault) => Promise.reject(fault), name);
}

/** True unless it is a link that leads to nothing, or to what may not be read. */
function leadsSomewhere(file) {
  try {
    realpath(file);
  } catch {
    return false;
  }
  return isReadable(file);
}

function shown(folder, entries) {
  const isShown = (entry) => leadsSomewhere(path.join(String(folder), String(entry.name ?? entry)));
  return Array.isArray(entries) ? entries.filter(isShown) : entries;
}

if (hidesLinks) {
  const { readdir, readdirSync } = fs;
  const { readdir: readdirLater } = fs.promises;
  // A folder above the workspace seems to be empty.
  fs.readdirSync = (folder, ...rest) => (isReadable(folder) ? shown(folder, readdirSync(folder, ...rest)) : []);
  fs.promises.readdir = async (folder, ...rest) =>
    isReadable(folder) ? shown(folder, await readdirLater(folder, ...rest)) : [];
  fs.readdir = (folder, ...rest) => {
    const done = rest.pop();
    if (!isReadable(folder)) process.nextTick(done, null, []);
    else readdir(folder, ...rest, (error, entries) => done(error, shown(folder, entries)));
  };
}

function wrap(holder, key, refuse, name) {
  const before = holder[key];
  if (typeof before !== 'function') return;
  holder[key] = function (...args) {
    const fault = faultOf(name, args);
    return fault === undefined ? before.apply(this, args) : refuse(fault, args);
  };
}

require('node:module').syncBuiltinESMExports();
`;
