// What the campaigns share: the built lspan on a folder of its own, with one server of a language, and seeded chance.
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startMcpClient } from '../../bench/mcp-client.js';

const bin = path.resolve(import.meta.dirname, '../../dist/bin.js');

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
export async function startLspan({ project, own }, server, { scan = false } = {}) {
  const home = {
    config: path.join(own, 'config'),
    cache: path.join(own, 'cache'),
    state: path.join(own, 'state'),
  };
  rmSync(own, { recursive: true, force: true });
  const disabled = `disabled_servers = ${JSON.stringify(others[server] ?? beside[server] ?? [])}\ntoolsets = ["all"]\n`;
  const temporary = scan ? `[[servers]]\nid = "${server}"\nenv = { TMPDIR = "${tmpdir()}" }\n` : '';
  writeFiles(home.config, { 'lspan/config.toml': `${disabled}${temporary}` });
  const env = {
    ...process.env,
    XDG_CONFIG_HOME: home.config,
    XDG_CACHE_HOME: home.cache,
    XDG_STATE_HOME: home.state,
    ...(scan ? { TMPDIR: path.join(own, 'missing') } : {}),
  };
  // LSPAN_FLAGS=--daemon: the campaign goes through the daemon.
  const flags = process.env.LSPAN_FLAGS?.split(' ') ?? [];
  const client = startMcpClient({ bin, args: ['mcp', '--workspace', project, ...flags], cwd: project, env });
  await client.initialize();
  const stop = async () => {
    await client.stop();
    spawnSync(process.execPath, [bin, 'stop'], { env });
  };
  return flags.includes('--daemon') ? { ...client, stop } : client;
}

/** Whether a process hears of changes from the kernel. */
export function watches(pid) {
  const facts = readdirSync(`/proc/${pid}/fdinfo`).map((name) => readFact(`/proc/${pid}/fdinfo/${name}`));
  return facts.some((text) => text.includes('inotify'));
}

// A descriptor may be closed while it is looked at.
function readFact(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
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
