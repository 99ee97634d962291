import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** A message or an event as it came, parsed from one line. */
export type Entry = Record<string, unknown>;

/** The bundled frontend with a stub bridge, in a folder of its own. */
export class Fixture {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'lspan-mcp-'));
  readonly #started: Frontend[] = [];

  constructor() {
    const build = path.join(import.meta.dirname, 'fixture/build.js');
    const { status, stderr } = spawnSync(process.execPath, [build, this.folder], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`The fixture could not be built: ${stderr}`);
  }

  get command(): readonly [string, string] {
    return [process.execPath, path.join(this.folder, 'bin.js')];
  }

  start(settings: object = {}, environment: Record<string, string> = {}, nodeFlags: string[] = []): Frontend {
    const [node, bin] = this.command;
    const child = spawn(node, [...nodeFlags, bin, JSON.stringify(settings)], {
      stdio: 'pipe',
      env: { ...process.env, ...environment },
    });
    const frontend = new Frontend(child);
    this.#started.push(frontend);
    return frontend;
  }

  /** Ends everything that a test left running. */
  async close(): Promise<void> {
    for (const { child } of this.#started) if (child.exitCode === null) child.kill('SIGKILL');
    await Promise.all(this.#started.map((frontend) => frontend.exit));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A running frontend, spoken to in raw lines. */
export class Frontend {
  readonly child: ChildProcess;
  readonly exit: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** Every line of stdout. */
  readonly output: string[] = [];
  /** Every line of stderr. */
  readonly log: string[] = [];
  readonly #events = new EventEmitter();

  constructor(child: ChildProcess & { stdout: NodeJS.ReadableStream; stderr: NodeJS.ReadableStream }) {
    this.child = child;
    this.#collect(child.stdout, this.output);
    this.#collect(child.stderr, this.log);
    child.stdin?.on('error', () => {});
    this.exit = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  }

  send(message: object | string | Buffer): void {
    const raw = typeof message === 'string' || Buffer.isBuffer(message);
    this.child.stdin?.write(raw ? message : `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  request(id: number | string, method: string, params?: object): Promise<Entry> {
    this.send({ id, method, ...(params && { params }) });
    return this.answer(id);
  }

  call(id: number, name: string, args: object = {}, meta?: object): Promise<Entry> {
    return this.request(id, 'tools/call', { name, arguments: args, ...(meta && { _meta: meta }) });
  }

  answer(id: number | string | null): Promise<Entry> {
    return this.#find(this.output, (entry) => entry.id === id && !('method' in entry));
  }

  message(method: string): Promise<Entry> {
    return this.#find(this.output, (entry) => entry.method === method);
  }

  /** What the stub bridge tells of itself. */
  stub(event: string): Promise<Entry> {
    return this.#find(this.log, (entry) => entry.stub === event);
  }

  logged(event: string): Promise<Entry> {
    return this.#find(this.log, (entry) => entry.event === event);
  }

  messages(): Entry[] {
    return this.output.map((line) => JSON.parse(line));
  }

  async initialize(client = 'test', capabilities: object = {}): Promise<Entry> {
    const clientInfo = { name: client, version: '1' };
    const answer = await this.request('init', 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities,
      clientInfo,
    });
    this.send({ method: 'notifications/initialized' });
    return answer;
  }

  async #find(lines: readonly string[], wanted: (entry: Entry) => boolean): Promise<Entry> {
    for (let seen = 0; ; ) {
      for (; seen < lines.length; seen++) {
        const entry = parse(lines[seen] ?? '');
        if (entry && wanted(entry)) return entry;
      }
      await once(this.#events, 'line');
    }
  }

  #collect(stream: NodeJS.ReadableStream, lines: string[]): void {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      this.#events.emit('line');
    });
  }
}

function parse(line: string): Entry | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
