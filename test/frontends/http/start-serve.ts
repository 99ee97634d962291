import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { servers as builtIn } from '../../../src/servers/index.ts';
import { type FakeScript, writeScript } from '../../fake-server/script.ts';
import type { Received } from '../../test-bridge.ts';

/** The built program. */
const bin = path.resolve(import.meta.dirname, '../../../dist/bin.js');

/** The two eras of MCP, as the official client is told to speak them. */
export const eras = [
  ['2025-11-25', { mode: 'legacy' }],
  ['2026-07-28', { mode: { pin: '2026-07-28' } }],
] as const;

export type Era = (typeof eras)[number][1];

/** How `lspan serve` is started for a test. */
export interface ServeSetting {
  readonly script?: FakeScript;
  readonly files?: Readonly<Record<string, string>>;
  /** Beside the server. */
  readonly config?: object;
  /** True if the configuration names the port. */
  readonly isPortConfigured?: boolean;
  /** Beside the workspace, the configuration and a port that is free. */
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** A request of one message, beside what is usual. */
export interface Asking {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder with a project, a configuration and a state of its own, in which the built program can be started. */
export class ServeFixture {
  readonly folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-serve-')));
  readonly root = path.join(this.folder, 'project');
  readonly tokenFile = path.join(this.folder, 'state/lspan/token');
  readonly flags: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** What the language server notes is here, and nothing else. */
  readonly notes = path.join(this.folder, 'notes');
  readonly #heard = path.join(this.notes, 'heard');
  readonly #dispose: () => void;
  readonly #port: readonly string[];
  readonly #started: RunningServe[] = [];

  constructor({
    script = {},
    files = project,
    config = {},
    environment = {},
    flags = [],
    isPortConfigured = false,
  }: ServeSetting = {}) {
    this.#port = isPortConfigured ? [] : ['--port', '0'];
    mkdirSync(this.root);
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(this.root, name), text);
    const { entry, dispose } = writeScript({ log: this.#heard, ...script });
    this.#dispose = dispose;
    const fake = { ...entry, ready: 'immediate' };
    const disabled = builtIn.map(({ id }) => id);
    const file = path.join(this.folder, 'config.json');
    writeFileSync(file, JSON.stringify({ servers: [fake], disabled_servers: disabled, ...config }));
    this.flags = ['--workspace', this.root, '--config', file, ...flags];
    this.environment = {
      PATH: process.env.PATH,
      HOME: this.folder,
      TMPDIR: this.folder,
      XDG_STATE_HOME: path.join(this.folder, 'state'),
      ...environment,
    };
  }

  /** Starts it on a free port, unless the flags name another; resolves when it says where it listens. */
  async start(...flags: readonly string[]): Promise<RunningServe> {
    const words = [bin, 'serve', ...this.#port, ...this.flags, '--log-level', 'debug', ...flags];
    const child = spawn(process.execPath, words, {
      cwd: this.root,
      env: this.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const running = new RunningServe(child, this);
    this.#started.push(running);
    await running.listening;
    return running;
  }

  /** Runs another command of the built program beside it, to its end. */
  run(...words: readonly string[]): Promise<Ended> {
    return this.tell('', ...words);
  }

  /** The same, with something to read. */
  async tell(input: string, ...words: readonly string[]): Promise<Ended> {
    const options = { cwd: this.root, env: this.environment };
    const running = promisify(execFile)(process.execPath, [bin, ...words], options);
    running.child.stdin?.end(input);
    return running.then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );
  }

  get token(): string {
    return readFileSync(this.tokenFile, 'utf8').trim();
  }

  /** What the language servers have read so far. */
  received(): readonly Received[] {
    if (!existsSync(this.#heard)) return [];
    const lines = readFileSync(this.#heard, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line));
  }

  text(file: string): string {
    return readFileSync(path.join(this.root, file), 'utf8');
  }

  /** Ends everything that was started. */
  async close(): Promise<void> {
    await Promise.all(this.#started.map((one) => one.stop()));
    this.#dispose();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Two files that use each other's words. */
const project = { 'a.txt': 'function alpha\nalpha beta\n', 'b.txt': 'alpha is used\nfunction beta\n' };

/** A running `lspan serve`. */
export class RunningServe {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly output: string[] = [];
  readonly log: string[] = [];
  readonly listening: Promise<void>;
  readonly exit: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  url = '';
  readonly #fixture: ServeFixture;

  constructor(
    child: ChildProcess & { stdout: NodeJS.ReadableStream; stderr: NodeJS.ReadableStream },
    fixture: ServeFixture,
  ) {
    this.child = child;
    this.pid = child.pid ?? Number.NaN;
    this.#fixture = fixture;
    this.exit = once(child, 'close').then(([code, signal]) => ({ code, signal }));
    createInterface({ input: child.stderr }).on('line', (line) => this.log.push(line));
    this.listening = new Promise((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        this.output.push(line);
        this.url ||= /http:\/\/\S+/.exec(line)?.[0] ?? '';
        if (line.startsWith('The bearer token')) resolve();
      });
      this.exit.then(({ code }) => reject(new Error(`It ended with ${code}: ${this.log.join('\n')}`)));
    });
  }

  get token(): string {
    return this.#fixture.token;
  }

  /** Posts one message. */
  post(message: object, { token = this.token, headers = {}, signal }: Asking = {}): Promise<Response> {
    return fetch(this.url, {
      method: 'POST',
      headers: { ...this.#headers(token), 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      ...(signal && { signal }),
    });
  }

  /** Any other request of the endpoint, or of a path beside it. */
  ask(
    method: 'GET' | 'DELETE',
    { token = this.token, headers = {}, signal }: Asking = {},
    at = '',
  ): Promise<Response> {
    const url = at === '' ? this.url : new URL(at, this.url);
    return fetch(url, {
      method,
      headers: { ...this.#headers(token), ...headers },
      ...(signal && { signal }),
    });
  }

  /** Opens a session of the 2025 era and gives the headers of what follows in it. */
  async session(token = this.token): Promise<Record<string, string>> {
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const opened = await this.post({ id: 'init', method: 'initialize', params }, { token });
    await opened.text();
    const headers = {
      'Mcp-Session-Id': opened.headers.get('mcp-session-id') ?? '',
      'MCP-Protocol-Version': '2025-11-25',
    };
    await this.post({ method: 'notifications/initialized' }, { token, headers });
    return headers;
  }

  /** Posts a request of the 2026 era. */
  modern(
    id: number | string,
    method: string,
    params: Readonly<Record<string, unknown>> = {},
    asking: Asking = {},
  ): Promise<Response> {
    const { body, headers } = modernRequest(id, method, params);
    return this.post(body, { ...asking, headers: { ...headers, ...asking.headers } });
  }

  /** The official client, connected. */
  async connect(versionNegotiation: Era, { token = this.token, name = 'test' } = {}): Promise<Client> {
    const client = new Client({ name, version: '1' }, { versionNegotiation });
    const requestInit = { headers: { Authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(this.url), { requestInit }));
    return client;
  }

  /** Resolves when so many messages of a method have reached the language servers, with all of them. */
  heard(method: string, times = 1): Promise<readonly Received[]> {
    return new Promise((resolve) => {
      const look = () => {
        const found = this.#fixture.received().filter((one) => one.method === method);
        if (found.length < times) return;
        watcher.close();
        resolve(found);
      };
      const watcher = watch(this.#fixture.notes, look);
      look();
    });
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGKILL');
    await this.exit;
  }

  #headers(token: string): Record<string, string> {
    return { Authorization: `Bearer ${token}`, Accept: 'application/json, text/event-stream' };
  }
}

/** A request of the 2026 era: its body, and the headers that mirror it. */
export function modernRequest(
  id: number | string,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
) {
  const { _meta: added = {}, ...rest } = params;
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
    ...(typeof added === 'object' && added),
  };
  const { name = params.uri } = params;
  return {
    body: { id, method, params: { ...rest, _meta: meta } },
    headers: {
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(typeof name === 'string' && { 'Mcp-Name': name }),
    },
  };
}

/** The messages of an answer: one in JSON, or those of its events, once it has ended. */
export async function messagesOf(response: Response): Promise<Message[]> {
  const text = await response.text();
  if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
    return text === '' ? [] : [JSON.parse(text)];
  return [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data));
}

/** The answer among the messages of a response: a notification may come before it. */
export async function answerOf(response: Response): Promise<Message | undefined> {
  return (await messagesOf(response)).find(({ method }) => method === undefined);
}

/** A message as it came. */
export interface Message {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}
