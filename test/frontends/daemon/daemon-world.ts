import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished } from 'vitest';
import { type Bridge, openBridge } from '../../../src/bridge.ts';
import type { BridgeSettings } from '../../../src/bridge-settings.ts';
import { silent } from '../../../src/core/log.ts';
import { Channel } from '../../../src/frontends/daemon/channel.ts';
import { connectTo } from '../../../src/frontends/daemon/client/connect.ts';
import { openDaemonBridge } from '../../../src/frontends/daemon/client/daemon-bridge.ts';
import type { DaemonStatus } from '../../../src/frontends/daemon/messages.ts';
import { type DaemonPlace, daemonPlace } from '../../../src/frontends/daemon/place.ts';
import { buildOf } from '../../../src/platform/files/identity-files.ts';
import { endDaemons } from '../../../src/platform/processes/daemons.ts';
import { readStat } from '../../../src/platform/processes/process-files.ts';
import { type FakeScript, writeScript } from '../../fake-server/script.ts';
import { nextLife } from '../../test-bridge.ts';

/** The built program. */
export const bin = path.resolve(import.meta.dirname, '../../../dist/bin.js');

/** Milliseconds for the start of a daemon on a machine that has much else to do. */
export const patience = 60_000;

/** A user of a test, with a home, a state folder, a project and a fake server of its own. */
export interface DaemonWorld {
  /** Everything is in it. */
  readonly folder: string;
  readonly root: string;
  readonly config: string;
  readonly environment: Record<string, string>;
  /** The folder of the daemons. */
  readonly daemons: string;
  /** Where the daemon of the built program is. Makes its folder. */
  place(): DaemonPlace;
  /** The flags of a command in the project. */
  readonly flags: readonly string[];
  /** Runs a command of lspan to its end. */
  run(...words: readonly string[]): Promise<Ran>;
  /** Calls a tool through the daemon, from a process of its own. */
  call(tool: string, input: object, ...flags: readonly string[]): Promise<Ran>;
  start(words: readonly string[], options?: StartOptions): ChildProcess;
  /** A bridge in this process whose work the daemon does. */
  open(more?: Partial<BridgeSettings>): Promise<Bridge>;
  /** Starts the daemon, for clients that wait for it only as long as a user would. */
  warm(): Promise<void>;
  /** Why bridges were opened in this process. */
  readonly reasons: string[];
  /** The daemons that answer. */
  status(): Promise<readonly DaemonStatus[]>;
  /** The process of the only daemon. */
  pid(): Promise<number>;
  /** The processes that were started as language servers, in order. */
  servers(): readonly number[];
  /** The methods that the language servers were sent. */
  heard(): readonly string[];
  /** How many daemons have begun to listen so far. */
  starts(): number;
}

interface StartOptions {
  readonly script?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly nodeFlags?: readonly string[];
  /** Shell words before the program. */
  readonly before?: string;
}

/** How a command ended. */
export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/**
 * Makes one; when the test has ended, none of its processes is left. The language servers have the scripts in turn; the
 * last one's is that of all after it.
 */
export function daemonWorld(...lives: readonly FakeScript[]): DaemonWorld {
  // The path of a socket is short.
  const folder = realpathSync(mkdtempSync('/tmp/lsd-'));
  const [root, home, state] = ['w', 'h', 's'].map((name) => path.join(folder, name));
  if (!root || !home || !state) throw new Error('no folders');
  for (const one of [root, home, state]) mkdirSync(one);
  writeFileSync(path.join(root, 'a.txt'), 'function alpha\nalpha beta\n');
  writeFileSync(path.join(root, 'b.txt'), 'alpha is used\nfunction beta\n');
  const [pids, log] = [path.join(folder, 'pids'), path.join(folder, 'heard')];
  const scripts = (lives.length === 0 ? [{}] : lives).map((script) => writeScript({ log, ...script }));
  const program = scripts[0]?.args[0] ?? '';
  const files = scripts.map(({ args }) => args[1] ?? '');
  const command = ['/bin/sh', '-c', nextLife, pids, process.execPath, program, ...files];
  const config = path.join(folder, 'c.json');
  const server = { id: 'fake', extensions: ['txt'], command };
  writeFileSync(config, JSON.stringify({ confine: 'never', servers: [server] }));
  const environment = { PATH: process.env.PATH ?? '', HOME: home, XDG_STATE_HOME: state, TMPDIR: folder };
  const daemons = path.join(state, 'lspan', 'daemon');
  const children = new Set<ChildProcess>();
  const bridges: Bridge[] = [];
  const reasons: string[] = [];
  const flags = ['--workspace', root, '--config', config];
  const start: DaemonWorld['start'] = (given, options = {}) => {
    const shell = ['-c', `${options.before ?? ''}\nexec "$@"`, 'sh', process.execPath];
    const program = [...(options.nodeFlags ?? []), options.script ?? bin];
    const env = { ...environment, ...options.environment };
    const child = spawn('/bin/sh', [...shell, ...program, ...given], { cwd: folder, stdio: 'pipe', env });
    child.stdin.on('error', () => {});
    children.add(child);
    child.once('exit', () => children.delete(child));
    return child;
  };
  const run = (...given: readonly string[]) => outputOf(start(given));
  const status = async () => parseStatus((await run('status', '--json')).out);
  const open = async (more: Partial<BridgeSettings> = {}) => {
    const settings = { roots: [root], surface: 'lspan', log: silent, environment, configFile: config };
    const openOwn = async (own: BridgeSettings, why: string) => {
      reasons.push(why);
      return openBridge({ ...own, notices: [why] });
    };
    const given = { ...settings, ...more };
    const search = { script: bin, environment: { ...environment, ...given.environment }, time: patience };
    const bridge = await openDaemonBridge(given, { ...search, command: 'mcp', openOwn });
    bridges.push(bridge);
    return bridge;
  };
  onTestFinished(async () => {
    for (const bridge of bridges) await bridge.close({ hurried: true });
    const exits = [...children].map((child) => once(child, 'exit'));
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(exits);
    // A client that was killed may have started a daemon that has not come to listen, or to write a log, so far.
    const young = endDaemons(`XDG_STATE_HOME=${state}`, process.pid).map(({ pid }) => pid);
    const left = [...young, ...daemonPids(daemons), ...numbersIn(pids)];
    for (const pid of daemonPids(daemons)) end(pid);
    for (const pid of left) await expect.poll(() => isRunning(pid)).toBe(false);
    for (const { dispose } of scripts) dispose();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    ...{ folder, root, config, environment, daemons, flags, start, run, status, reasons },
    place: () => daemonPlace(environment, buildOf(bin)),
    call: (tool, input, ...more) => run('call', tool, JSON.stringify(input), '--daemon', ...flags, ...more),
    open,
    warm: async () => (await open()).close(),
    pid: async () => {
      const [only, ...others] = await status();
      if (!only || others.length > 0) throw new Error(`${others.length + (only ? 1 : 0)} daemons`);
      return only.pid;
    },
    servers: () => numbersIn(pids),
    heard: () => linesIn(log).map((line) => String(JSON.parse(line).method)),
    starts: () => logOf(daemons).filter((line) => line.includes('"daemon.listening"')).length,
  };
}

/** Gathers what a child writes until it has ended. */
export async function outputOf(child: ChildProcess): Promise<Ran> {
  const said = { out: '', err: '' };
  child.stdout?.on('data', (chunk) => {
    said.out += String(chunk);
  });
  child.stderr?.on('data', (chunk) => {
    said.err += String(chunk);
  });
  const [code] = await once(child, 'close');
  return { code, ...said };
}

/** Connects to the daemon as a client in the project, and below the bridge. */
export async function attach(
  world: DaemonWorld,
  place = world.place(),
  more: { readonly roots?: readonly string[]; readonly folders?: unknown } = {},
): Promise<Channel> {
  let channel = await connectTo(place, patience);
  // One that is late with its proof, because this process is busy, is refused and comes again.
  while (!(channel instanceof Channel)) channel = await connectTo(place, patience);
  const { root, environment, config } = world;
  const { roots = [root], folders } = more;
  const settings = { roots, environment, configFile: config };
  const client = { pid: process.pid, command: 'mcp' };
  await channel.request('attach', { settings, folders, client, readOnly: false });
  return channel;
}

/** An MCP client over stdio. */
export interface McpClient {
  readonly child: ChildProcess;
  call(tool: string, input: object): Promise<McpAnswer>;
}

/** What a tool answered over MCP. */
export interface McpAnswer {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
}

/** Starts `lspan mcp`, and shakes hands. */
export async function startMcp(
  world: DaemonWorld,
  flags: readonly string[] = ['--daemon'],
  options?: StartOptions,
): Promise<McpClient> {
  const child = world.start(['mcp', ...flags, ...world.flags], options);
  const waiting = new Map<unknown, (result: McpAnswer) => void>();
  if (child.stdout)
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { id, result, error } = JSON.parse(line);
      waiting.get(id)?.(result ?? { isError: true, content: [{ text: error?.message }] });
    });
  child.stderr?.resume();
  let last = 0;
  const request = (method: string, params: object) =>
    new Promise<McpAnswer>((resolve, reject) => {
      last += 1;
      waiting.set(last, resolve);
      child.once('exit', (code, signal) => reject(new Error(`lspan mcp has ended: ${code ?? signal}`)));
      child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: last, method, params })}\n`);
    });
  const clientInfo = { name: 'test', version: '1' };
  await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  return { child, call: (name, input) => request('tools/call', { name, arguments: input }) };
}

/** True if a process runs; one that nobody has waited for does not. */
export function isRunning(pid: number): boolean {
  const stat = readStat(pid);
  return stat !== undefined && !stat.hasEnded;
}

/** Ends a process that a test has started, in whatever state it is. */
export function end(pid: number): void {
  if (isRunning(pid)) process.kill(pid, 'SIGKILL');
}

/** The lines of the logs of all daemons. */
export function logOf(daemons: string): readonly string[] {
  if (!existsSync(daemons)) return [];
  const files = readdirSync(daemons).filter((name) => name.endsWith('.log'));
  return files.flatMap((name) => linesIn(path.join(daemons, name)));
}

function parseStatus(text: string): readonly DaemonStatus[] {
  return JSON.parse(text).daemons;
}

/** The processes of all daemons that have ever listened there. */
function daemonPids(daemons: string): readonly number[] {
  return logOf(daemons).flatMap((line) => {
    const { event, fields } = JSON.parse(line);
    return event === 'daemon.listening' && typeof fields.pid === 'number' ? [fields.pid] : [];
  });
}

function numbersIn(file: string): readonly number[] {
  return linesIn(file).map(Number);
}

function linesIn(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}
