// What the campaigns share: the built lspan on a folder of its own, with one server of a language, and seeded chance.
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { daemonPid, daemonStatus, endDaemon, onlyServing, startDaemon } from '../../bench/daemon-life.js';
import { startMcpClient } from '../../bench/mcp-client.js';
import { readFact } from '../../bench/process-facts.js';

/** The program: the built one, unless the environment names another. */
export const bin = process.env.LSPAN ?? path.resolve(import.meta.dirname, '../../dist/bin.js');

/** The option of a campaign that goes through the daemon, which has folders of its own and ends with the campaign. */
export const daemonOption = { daemon: { type: 'boolean', default: false } };

/** For each server, the others that would speak for the same files. */
export const others = {
  typescript: ['typescript-language-server', 'vtsls', 'deno'],
  'typescript-language-server': ['typescript', 'vtsls', 'deno'],
  pyright: ['basedpyright', 'pylsp'],
  clangd: ['ccls'],
  gopls: [],
  'rust-analyzer': [],
};

/** Like `others`, for servers that not every campaign is about. */
const beside = { basedpyright: ['pyright', 'pylsp'] };

/** The servers that a campaign can be about. */
export const serverNames = Object.keys(others);

/** A folder for one project and for all that lspan keeps about it, until `remove`. */
export function makeFolder() {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-campaign-')));
  mkdirSync(path.join(folder, 'project'));
  return {
    project: path.join(folder, 'project'),
    own: path.join(folder, 'own'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Writes files with the folders that they need. */
export function writeFiles(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
}

/**
 * Starts lspan for the first time on a project: it has neither configuration nor cache of before.
 * With `scan` it has no folder to hear of changes from the kernel, and so compares the disk.
 */
export async function startLspan({ project, own }, server, { scan = false, daemon = false } = {}) {
  const { env, home } = ownHome(own);
  rmSync(own, { recursive: true, force: true });
  const disabled = `disabled_servers = ${JSON.stringify(others[server] ?? beside[server] ?? [])}\ntoolsets = ["all"]\n`;
  const temporary = scan ? `[[servers]]\nid = "${server}"\nenv = { TMPDIR = "${tmpdir()}" }\n` : '';
  writeFiles(home.config, { 'lspan/config.toml': `${disabled}${temporary}` });
  if (scan) env.TMPDIR = path.join(own, 'missing');
  return connectLspan({ project, env, daemon });
}

/** An environment in which all that lspan keeps is in one folder. */
export function ownHome(own) {
  const [config, cache, state] = ['config', 'cache', 'state'].map((name) => path.join(own, name));
  const env = { ...process.env, XDG_CONFIG_HOME: config, XDG_CACHE_HOME: cache, XDG_STATE_HOME: state };
  return { env, home: { config, cache, state } };
}

/**
 * Starts `lspan mcp` and shakes hands. With `daemon`, its end is also that of the daemon, which must have served it and
 * must leave nobody behind. `worker` is the process that answers, once there was a call.
 */
export async function connectLspan({ project, env, flags = [], daemon = false }) {
  // A client waits for a daemon only as long as a user would.
  if (daemon) await startDaemon({ bin, env }, []);
  const client = await connectClient({
    project,
    env,
    flags: [...flags, daemon ? '--daemon' : '--no-daemon'],
  });
  if (!daemon) return { ...client, worker: () => client.pid };
  const worker = () => daemonPid({ bin, env });
  const stop = async () => {
    const served = daemonStatus({ bin, env });
    await client.stop();
    await endDaemon({ bin, env });
    onlyServing(served);
  };
  return { ...client, worker, stop };
}

/** Starts `lspan mcp` and shakes hands; a daemon that it starts outlives it. */
export async function connectClient({ project, env, flags }) {
  const client = startMcpClient({ bin, args: ['mcp', '--workspace', project, ...flags], cwd: project, env });
  await client.initialize();
  return client;
}

/** Whether a process hears of changes from the kernel. */
export function watches(pid) {
  const names = readdirSync(`/proc/${pid}/fdinfo`);
  return names.some((name) => readFact(`/proc/${pid}/fdinfo/${name}`).includes('inotify'));
}

/** Chance that can be repeated: numbers below a bound, and picks. */
export function chance(seed) {
  let state = seed >>> 0;
  const below = (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
  return { below, pick: (list) => list[below(list.length)] };
}

/** Counts what answers were, and prints the wrong ones. */
export class Tally {
  #counts = new Map();

  constructor(name) {
    this.name = name;
  }

  count(what, by = 1) {
    this.#counts.set(what, this.of(what) + by);
  }

  of(what) {
    return this.#counts.get(what) ?? 0;
  }

  /** Judges one answer: right or wrong, believed or doubted, or an error. */
  judge(where, { actual, expected, complete, error, why = '' }) {
    const isRight = error === undefined && JSON.stringify(actual) === JSON.stringify(expected);
    const verdict = error !== undefined ? 'error' : isRight ? 'right' : 'wrong';
    const whole = verdict === 'error' || complete ? verdict : `${verdict}, doubted`;
    this.count(whole);
    if (whole === 'right') return;
    console.log(`${this.name}: ${where}: ${whole}: ${error ?? why}`);
    if (!isRight && error === undefined)
      console.log(`  got      ${JSON.stringify(actual)}\n  expected ${JSON.stringify(expected)}`);
  }

  toString() {
    return [...this.#counts].map(([what, count]) => `${count} ${what}`).join(', ');
  }
}
