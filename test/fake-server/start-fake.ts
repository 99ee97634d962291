import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import type { ByteChannel } from '../../src/backends/lsp/protocol/byte-channel.ts';
import { Connection, type ConnectionOwner } from '../../src/backends/lsp/protocol/connection.ts';
import type { LspanError } from '../../src/core/errors.ts';
import { type FakeLog, type FakeScript, writeScript } from './script.ts';

/** A fake server that runs, with a connection to it and what came over it. */
export interface StartedFake {
  readonly connection: Connection;
  readonly wire: ByteChannel;
  readonly child: ChildProcess;
  readonly notifications: readonly { readonly method: string; readonly params: unknown }[];
  /** The fault of the connection, when it comes. */
  readonly fault: Promise<LspanError>;
  /** The code and the signal that the process ended with. */
  readonly exited: Promise<readonly [number | null, NodeJS.Signals | null]>;
  /** Resolves with the parameters of the first notification of a method, which may have come already. */
  heard(method: string): Promise<unknown>;
  request(method: string, params?: unknown): Promise<unknown>;
  initialize(rootUri?: string | null): Promise<unknown>;
  log(): Promise<FakeLog>;
  stop(): Promise<void>;
}

export interface FakeOptions {
  /** How requests of the server are answered; with `null` when absent. */
  readonly answer?: ConnectionOwner['answer'];
  readonly stderr?: 'inherit' | 'pipe';
  /** What is started instead of the script. */
  readonly command?: readonly string[];
}

/** Starts the fake server as a child process and connects to it, with no more between than a pipe. */
export function startFake(script: FakeScript = {}, options: FakeOptions = {}): StartedFake {
  const { command, args, dispose } = writeScript(script);
  const [program = command, ...rest] = options.command ?? [command, ...args];
  const child = spawn(program, rest, { stdio: ['pipe', 'pipe', options.stderr ?? 'inherit'] });
  const exited = once(child, 'exit').then(([code, signal]) => [code, signal] as const);
  const wire = wireOver(child);
  const notifications: { method: string; params: unknown }[] = [];
  const events = new EventEmitter();
  const { promise: fault, resolve } = withResolver<LspanError>();
  const connection = new Connection(wire, {
    server: 'fake',
    answer: options.answer ?? (() => null),
    hear: (method, params) => {
      notifications.push({ method, params });
      events.emit(method, params);
    },
    fault: resolve,
  });
  const request = (method: string, params?: unknown) =>
    connection.request(method, params, AbortSignal.timeout(30_000));
  return {
    connection,
    wire,
    child,
    notifications,
    fault,
    exited,
    heard: async (wanted) => {
      const known = notifications.find(({ method }) => method === wanted);
      return known ? known.params : (await once(events, wanted))[0];
    },
    request,
    initialize: (rootUri = null) => request('initialize', { processId: null, rootUri, capabilities: {} }),
    log: async () => readLog(await request('fake/log')),
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
      dispose();
    },
  };
}

function wireOver({ stdin, stdout }: ChildProcess): ByteChannel {
  if (!stdin || !stdout) throw new Error('The fake server has no pipes.');
  // A server that died while we wrote is seen by its exit.
  stdin.on('error', () => {});
  return {
    write: (bytes) => void stdin.write(bytes),
    onData: (listener) => void stdout.on('data', listener),
  };
}

function withResolver<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

function readLog(log: unknown): FakeLog {
  if (!isLog(log)) throw new Error('The fake server gave no log.');
  return log;
}

function isLog(log: unknown): log is FakeLog {
  return (
    typeof log === 'object' && log !== null && 'received' in log && 'answers' in log && 'complaints' in log
  );
}
