import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Duplex } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { alive } from '../../../src/platform/processes/process-facts.ts';
import { servers as builtIn } from '../../../src/servers/index.ts';
import { type FakeScript, writeScript } from '../../fake-server/script.ts';
import { Happenings } from '../../test-bridge.ts';

/** The built program. */
export const bin = path.resolve(import.meta.dirname, '../../../dist/bin.js');

/** How `lspan host` is started for a test. */
export interface HostSetting {
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Additional environment. Default: the variable of the fixture. */
  readonly bootstrap?: string | undefined;
  /** Words before the program, such as a shell that redirects descriptors. */
  readonly through?: readonly string[];
  /** Descriptors from 3. Default: pipes for 3 and 4. */
  readonly beyond?: readonly ('pipe' | 'ignore' | number | Duplex)[];
  readonly stdin?: 'pipe' | 'ignore';
  readonly cwd?: string;
}

/** A message of either channel. */
export interface Message {
  readonly jsonrpc: string;
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A project with its own state folder, and a fake server that the variable configures. */
export class HostFixture {
  readonly folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-host-')));
  readonly root = path.join(this.folder, 'project');
  readonly config: object;
  readonly environment: NodeJS.ProcessEnv;
  readonly #dispose: () => void;
  readonly #started: RunningHost[] = [];

  constructor(script: FakeScript = {}) {
    mkdirSync(this.root);
    writeFileSync(path.join(this.root, 'a.txt'), 'function alpha\nalpha beta\n');
    writeFileSync(path.join(this.root, 'b.txt'), 'alpha is used\nfunction beta\n');
    const { entry, dispose } = writeScript(script);
    this.#dispose = dispose;
    const fake = { ...entry, ready: 'immediate' };
    this.config = { servers: [fake], disabled_servers: builtIn.map(({ id }) => id) };
    this.environment = {
      PATH: process.env.PATH,
      HOME: this.folder,
      TMPDIR: this.folder,
      XDG_STATE_HOME: path.join(this.folder, 'state'),
    };
  }

  /** Value of the variable. */
  get bootstrap(): string {
    return JSON.stringify({ workspaceRoot: this.root, config: this.config });
  }

  start(setting: HostSetting = {}): RunningHost {
    const { flags = [], environment = {}, through = [], beyond = ['pipe', 'pipe'], stdin = 'pipe' } = setting;
    const bootstrap = 'bootstrap' in setting ? setting.bootstrap : this.bootstrap;
    const [program = '', ...words] = [...through, process.execPath, bin, 'host', ...flags];
    const child = spawn(program, words, {
      cwd: setting.cwd ?? this.folder,
      env: { ...this.environment, LSP_BOOTSTRAP: bootstrap, ...environment },
      stdio: [stdin, 'pipe', 'pipe', ...beyond],
    });
    const running = new RunningHost(child);
    this.#started.push(running);
    return running;
  }

  /** Runs it to its end, for starts that fail. */
  async refused(setting: HostSetting = {}): Promise<Refused> {
    const { exit, log, stdout } = this.start(setting);
    const { code } = await exit;
    return { code, log, stdout: stdout() };
  }

  /** Ends all started processes. */
  async close(): Promise<void> {
    for (const { child } of this.#started)
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await Promise.all(this.#started.map(({ exit }) => exit));
    this.#dispose();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

interface Refused {
  readonly code: number | null;
  readonly log: readonly string[];
  readonly stdout: string;
}

/** A running `lspan host` with both channels. */
export class RunningHost {
  readonly child: ChildProcess;
  readonly exit: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** Every line of stderr. */
  readonly log: string[] = [];
  /** Messages received over RPC, in order. */
  readonly rpc = new Happenings<Message>();
  /** Messages received over MCP, in order. */
  readonly mcp = new Happenings<Message>();
  #frames = Buffer.alloc(0);
  #all = '';
  #last = 0;

  constructor(child: ChildProcess) {
    this.child = child;
    this.exit = once(child, 'close').then(([code, signal]) => ({ code, signal }));
    child.stdin?.on('error', () => {});
    child.stdout?.on('data', (chunk: Buffer) => this.#read(chunk));
    if (child.stderr) createInterface({ input: child.stderr }).on('line', (line) => this.log.push(line));
    for (const stream of this.#pair()) stream.on('error', () => {});
    const [, output] = this.#pair();
    if (output) createInterface({ input: output }).on('line', (line) => this.mcp.add(JSON.parse(line)));
  }

  get ready(): Promise<Message> {
    return this.rpc.nth(({ method }) => method === 'lsp/ready');
  }

  readonly stdout = (): string => this.#all;

  /** Bytes of stdout that are not complete frames. */
  get rest(): string {
    return this.#frames.toString();
  }

  /** Sends a frame. */
  send(message: object): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.child.stdin?.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  async ask(method: string, params?: object): Promise<Message> {
    this.#last += 1;
    const id = this.#last;
    this.send({ id, method, ...(params && { params }) });
    return this.rpc.nth((message) => message.id === id);
  }

  /** Sends a raw line or a message over MCP. */
  tell(message: object | string | Buffer): void {
    const isRaw = typeof message === 'string' || Buffer.isBuffer(message);
    this.input.write(isRaw ? message : `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  async askMcp(id: number | string, method: string, params: object = {}): Promise<Message> {
    this.tell({ id, method, params });
    return this.mcp.nth((message) => message.id === id);
  }

  async initialize(): Promise<Message> {
    const clientInfo = { name: 'test', version: '1' };
    return this.askMcp('init', 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  }

  get input(): Duplex {
    const [input] = this.#pair();
    if (!input) throw new Error('There is no descriptor 3.');
    return input;
  }

  get output(): Duplex {
    const [, output] = this.#pair();
    if (!output) throw new Error('There is no descriptor 4.');
    return output;
  }

  /** Returns the process id of the fake server, once it has answered. */
  async server(): Promise<number> {
    await this.ask('lsp/call', {
      tool: 'find_definition',
      arguments: { file_path: 'b.txt', line: 1, character: 1 },
    });
    const { result } = await this.ask('lsp/call', { tool: 'get_server_status' });
    return Number(/"pid":(\d+)/.exec(JSON.stringify(result))?.[1]);
  }

  /** Channels 3 and 4, if they are pipes to the test. */
  #pair(): Duplex[] {
    return this.child.stdio.slice(3, 5).flatMap((stream) => (stream instanceof Duplex ? [stream] : []));
  }

  #read(chunk: Buffer): void {
    this.#all += chunk.toString('latin1');
    this.#frames = Buffer.concat([this.#frames, chunk]);
    for (;;) {
      const [header, length] = /^Content-Length: (\d+)\r\n\r\n/.exec(this.#frames.toString('latin1')) ?? [];
      const end = (header?.length ?? 0) + Number(length);
      if (header === undefined || this.#frames.length < end) return;
      this.rpc.add(JSON.parse(this.#frames.subarray(header.length, end).toString()));
      this.#frames = this.#frames.subarray(end);
    }
  }
}

/** Transport of the official client over two streams. */
export function lineTransport(host: RunningHost): Transport {
  const transport: Transport = {
    async start() {
      createInterface({ input: host.output }).on('line', (line) => transport.onmessage?.(JSON.parse(line)));
    },
    async send(message: JSONRPCMessage) {
      host.tell(message);
    },
    async close() {
      transport.onclose?.();
    },
  };
  return transport;
}

/** Resolves when a process is gone. */
export const gone = (pid: number) => expect.poll(() => alive(pid)).toBe(false);
