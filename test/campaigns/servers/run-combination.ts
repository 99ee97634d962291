import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import type { ConfineMode } from '../../../src/servers/definition.ts';
import { canaryOf } from '../../evil-repo/canary.ts';
import { type Asked, askEverything } from './ask-everything.ts';
import type { Combination } from './combinations.ts';
import type { Folders } from './folders.ts';
import { type Crime, judgeTrace } from './judge-trace.ts';
import { readTrace } from './read-trace.ts';
import { startTraced } from './traced-lspan.ts';
import type { Bait } from './trap.ts';
import { systemPath } from './traps/anywhere.ts';

/** What came of asking a server everything about a repository with one trap. */
export interface Outcome extends Asked {
  readonly crimes: readonly Crime[];
  /** The folder of the repository, if it was kept. */
  readonly kept: string;
}

/** How a combination is run. */
export interface RunOptions {
  /** The file of the built lspan. */
  readonly bin: string;
  readonly confine: ConfineMode;
  readonly keep?: boolean;
  /** Has the user trust the repository before, for traps that must work then. */
  readonly trusted?: boolean;
}

/** Makes the repository, asks everything under strace, and judges what the kernel saw. */
export async function runCombination(combination: Combination, options: RunOptions): Promise<Outcome> {
  const folders = makeFolders();
  const listener = await listen();
  try {
    const bait = baitOf(combination, folders, listener.port);
    writeRepository(combination, bait, folders);
    const before = bytesIn(folders.outside);
    const { server } = combination.project;
    const { bin, confine } = options;
    const environment = { ...environmentOf(folders), ...combination.trap.environment?.(bait) };
    if (options.trusted)
      execFileSync(process.execPath, [bin, 'trust', folders.root, '--yes'], { env: { ...environment } });
    const lspan = await startTraced({ bin, folders, server, confine, environment });
    const asked = await askEverything(lspan, folders.root, bait.asked);
    await lspan.close();
    const calls = readTrace(readFileSync(folders.trace, 'utf8'), folders.root);
    const crimes = [
      ...judgeTrace(calls, { folders, server, confine }),
      ...marks(bait, before, listener.count()),
    ];
    return { ...asked, crimes, kept: options.keep ? folders.all : '' };
  } finally {
    listener.close();
    if (!options.keep) rmSync(folders.all, { recursive: true, force: true });
  }
}

function makeFolders(): Folders {
  const all = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-trap-')));
  const folder = (name: string) => {
    mkdirSync(path.join(all, name));
    return path.join(all, name);
  };
  return {
    all,
    root: folder('repo'),
    outside: folder('outside'),
    home: folder('home'),
    cache: folder('cache'),
    state: folder('state'),
    temporary: folder('tmp'),
    trace: path.join(all, 'trace'),
  };
}

function environmentOf({ home, cache, state, temporary }: Folders): Readonly<Record<string, string>> {
  return {
    HOME: home,
    PATH: systemPath,
    LANG: 'C.UTF-8',
    TMPDIR: temporary,
    XDG_CACHE_HOME: cache,
    XDG_STATE_HOME: state,
    XDG_CONFIG_HOME: path.join(home, '.config'),
  };
}

function baitOf({ project, trap }: Combination, { root, outside }: Folders, port: number): Bait {
  const asked = trap.asked ?? project.asked;
  const ending = path.extname(asked).slice(1) || asked;
  return { ...canaryOf('mark', outside), root, outside, url: `http://127.0.0.1:${port}/`, asked, ending };
}

function writeRepository({ project, trap }: Combination, bait: Bait, folders: Folders): void {
  const write = (folder: string, files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(folder, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
      if (text.startsWith('#!')) chmodSync(file, 0o755);
    }
  };
  write(folders.outside, trap.outside ?? {});
  write(folders.root, { ...project.files, ...trap.files?.(bait) });
  for (const name of trap.pipes ?? []) {
    rmSync(path.join(folders.root, name), { force: true });
    execFileSync('mkfifo', [path.join(folders.root, name)]);
  }
  for (const [name, target] of Object.entries(trap.links?.(bait) ?? {})) {
    const link = path.join(folders.root, name);
    if (!existsSync(link)) symlinkSync(target, link);
  }
  for (const name of trap.libraries ?? []) compile(path.join(folders.root, name), bait.c);
}

function compile(file: string, source: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  // Without a compiler, what cannot be loaded is still tried to be loaded, but leaves no mark.
  if (!existsSync('/usr/bin/cc')) writeFileSync(file, '');
  else execFileSync('/usr/bin/cc', ['-shared', '-fPIC', '-x', 'c', '-o', file, '-'], { input: source });
}

/** What shows that a trap worked, whatever the trace says. */
function marks({ file, outside }: Bait, before: string, connections: number): readonly Crime[] {
  return [
    ...(existsSync(file)
      ? [{ kind: 'mark' as const, text: `a program of the repository ran: ${readFileSync(file, 'utf8')}` }]
      : []),
    ...(connections > 0
      ? [{ kind: 'connection' as const, text: `the listener was asked ${connections} times` }]
      : []),
    ...(existsSync(file) || bytesIn(outside) === before
      ? []
      : [{ kind: 'bytes' as const, text: 'files of the user have changed' }]),
  ];
}

/** The names and contents of all files below a folder. */
function bytesIn(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const read = (file: string) => (lstatSync(file).isFile() ? readFileSync(file, 'base64') : '');
  return JSON.stringify(names.map((name) => [name, read(path.join(folder, name))]));
}

/** A listener on this machine that counts who connects, and answers nobody. */
async function listen() {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.int() }).parse(server.address());
  return { port, count: () => count, close: () => void server.close() };
}
