import { dirname, join } from 'node:path';
import type { ProjectFacts } from './definition.ts';

/** What a server that runs in Node may do to the machine, where no setting of its own limits it. */
interface NodeGuard {
  /** The folders in which it may create and change files. Default: none. */
  readonly writable?: readonly string[];
  /** The folders that it may read, with everything below them by real path. Default: all. */
  readonly readable?: readonly string[];
}

/**
 * Returns the variable by which Node loads a script of lspan's before the server: the script refuses every
 * connection but those to a socket of this machine, and what the guard does not allow. It guards against
 * features of an honest server; it is no sandbox for a hostile one.
 */
export function guardedNode(facts: ProjectFacts, guard: NodeGuard = {}): Readonly<Record<string, string>> {
  const folder = facts.cache('node-guard', { 'guard.cjs': { text: script } });
  const file = JSON.stringify(join(folder, 'guard.cjs'));
  const { writable = [], readable } = guard;
  // The server must be able to load the script, but a confined one never to change it.
  const rights = { writable, ...(readable && { readable: [...readable, folder] }) };
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

/** Runs before the server, in each of its processes and threads. */
const script = `'use strict';
const fs = require('node:fs');
const net = require('node:net');
const dgram = require('node:dgram');
const path = require('node:path');
const { fileURLToPath } = require('node:url');
const { writable, readable } = JSON.parse(process.env.LSPAN_GUARD);
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

function isWithin(folders, given) {
  if (typeof given === 'number') return true;
  const text = given instanceof URL ? fileURLToPath(given) : String(given);
  if (/^\\/(dev|proc)\\//.test(text)) return true;
  const file = real(path.resolve(text));
  return folders.some((folder) => file === folder || file.startsWith(folder.replace(/[\\\\/]$/, '') + path.sep));
}

const roots = writable.map(real);
const readableRoots = readable?.map(real);
const isWrite = (flags) => (typeof flags === 'number' ? (flags & 3) !== 0 : /[wa+]/.test(String(flags ?? 'r')));

function faultOf(name, args) {
  const changes = changing.has(name) || (opening.has(name) && isWrite(args[1]));
  const paths = both.has(name) ? args.slice(0, 2) : args.slice(0, 1);
  if (changes && !paths.every((file) => isWithin(roots, file))) return refusal('EROFS', 'changes of ' + paths[0]);
  if (changes || readableRoots === undefined) return undefined;
  return isWithin(readableRoots, args[0]) ? undefined : refusal('ENOENT', 'access to ' + args[0]);
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

function wrap(holder, key, refuse, name) {
  const original = holder[key];
  if (typeof original !== 'function') return;
  holder[key] = function (...args) {
    const fault = faultOf(name, args);
    return fault === undefined ? original.apply(this, args) : refuse(fault, args);
  };
}

require('node:module').syncBuiltinESMExports();
`;
