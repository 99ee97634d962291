import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished } from 'vitest';
import { type FakeScript, writeScript } from '../fake-server/script.ts';
import { question, temporaryFolder } from '../test-bridge.ts';

/** How the built program is started for a test. */
export interface LspanSetting {
  readonly script?: FakeScript;
  /** Seconds. */
  readonly deadline?: number;
  /** Words before the program, and before the one that sets its limits. */
  readonly before?: readonly string[];
  /** A descriptor in the place of stderr. */
  readonly stderr?: number;
}

/** The built program over a small project with a fake server, spoken to over MCP. */
export interface RunningLspan {
  readonly child: ChildProcess;
  readonly pid: number;
  call(tool: string, input: object): Promise<Answer>;
  /** Sets a limit of the running process, as `prlimit` names it. */
  limit(name: 'nofile' | 'nproc', soft: number): void;
}

interface Answer {
  readonly isError?: boolean;
  readonly structuredContent: { readonly error?: { readonly code: string; readonly message: string } };
}

/** Starts it, and shakes hands. */
export async function startLspan(setting: LspanSetting = {}): Promise<RunningLspan> {
  const { script = {}, deadline = 30, before = [], stderr = 'ignore' } = setting;
  const folder = temporaryFolder('lspan-itself-');
  // Some tests run it as another user.
  chmodSync(folder, 0o777);
  writeFileSync(path.join(folder, 'a.txt'), 'function alpha\n');
  writeFileSync(path.join(folder, 'b.txt'), 'alpha\n');
  const { args, entry, dispose } = writeScript(script);
  onTestFinished(dispose);
  chmodSync(path.dirname(args[1] ?? ''), 0o755);
  const config = path.join(temporaryFolder('lspan-config-'), 'config.json');
  chmodSync(path.dirname(config), 0o755);
  const home = temporaryFolder('lspan-home-');
  chmodSync(home, 0o777);
  writeFileSync(config, JSON.stringify({ deadline_s: deadline, servers: [entry] }));
  const flags = ['--workspace', folder, '--config', config, '--log-level', 'debug', '--output', 'both'];
  const words = [...before, process.execPath, bin, 'mcp', ...flags];
  const [program = '', ...rest] = words;
  const child = spawn(program, rest, {
    stdio: ['pipe', 'pipe', stderr],
    env: { PATH: process.env.PATH, HOME: home, TMPDIR: folder },
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  });
  const request = speak(child);
  const clientInfo = { name: 'test', version: '1' };
  await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  const pid = child.pid ?? Number.NaN;
  return {
    child,
    pid,
    call: (name, input) => request('tools/call', { name, arguments: input }),
    limit: (name, soft) => {
      const [file = '', ...words] = [...before, 'prlimit', '--pid', String(pid), `--${name}=${soft}:`];
      execFileSync(file, words);
    },
  };
}

/** Asks the question of the small project, and expects its right answer. */
export async function expectAnswer({ call }: RunningLspan): Promise<void> {
  expect(await call(question.tool, question.input)).toMatchObject({
    structuredContent: { complete: true, definitions: [{ file_path: 'a.txt', line: 1, character: 10 }] },
  });
}

const bin = path.resolve(import.meta.dirname, '../../dist/bin.js');

function speak(child: ChildProcess): (method: string, params: object) => Promise<Answer> {
  const waiting = new Map<unknown, (result: Answer) => void>();
  if (child.stdout)
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { id, result } = JSON.parse(line);
      waiting.get(id)?.(result);
    });
  let last = 0;
  return (method, params) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, resolve);
      child.once('exit', (code, signal) => reject(new Error(`lspan has ended: ${code ?? signal}`)));
      child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: last, method, params })}\n`);
    });
}

/** The highest number of a descriptor that a process has open. */
export function highestDescriptor(pid: number): number {
  return Math.max(...readdirSync(`/proc/${pid}/fd`).map(Number));
}
