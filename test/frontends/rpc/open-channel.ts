import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Bridge } from '../../../src/bridge.ts';
import { defaultConfig } from '../../../src/config/default-config.ts';
import { CallsInProgress } from '../../../src/core/runtime/calls-in-progress.ts';
import { type RpcChannel, serveRpc } from '../../../src/frontends/rpc/serve-rpc.ts';
import type { ProtocolOutput } from '../../../src/frontends/stdout.ts';
import type { HostApi } from '../../../src/tools/host/host-api.ts';
import { Happenings } from '../../happenings.ts';
import { frameOf } from '../../jsonrpc/collect-frames.ts';

/** A message of the channel, as a host reads it. */
export interface Told {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data: { readonly code: string; readonly next_step: string | null };
  };
}

/** A channel over memory, and what a host does and hears at its other end. */
export interface TestChannel {
  readonly channel: RpcChannel;
  readonly input: PassThrough;
  readonly told: Happenings<Told>;
  readonly logged: Happenings<{ readonly event: string; readonly fields: Readonly<Record<string, unknown>> }>;
  readonly output: MemoryOutput;
  /** Sends any value in a frame, with the version of JSON-RPC if it is an object. */
  send(...messages: readonly object[]): void;
  /** Sends a request, and resolves with its answer. */
  ask(method: string, params?: unknown, id?: string | number): Promise<Told>;
  /** Resolves with the answer of this id. */
  answerTo(id: string | number | null, nth?: number): Promise<Told>;
}

/** Opens one and starts it, for the length of a test. */
export function openChannel(open: Bridge | (() => Promise<Bridge>) = stubBridge()): TestChannel {
  const input = new PassThrough();
  const told = new Happenings<Told>();
  const logged: TestChannel['logged'] = new Happenings();
  const output = new MemoryOutput((message) => told.add(message));
  const channel = serveRpc({
    input,
    output,
    open: typeof open === 'function' ? open : async () => open,
    log: (_level, event, fields = {}) => logged.add({ event, fields }),
  });
  channel.start();
  onTestFinished(() => channel.close());
  const send = (...messages: readonly object[]) => {
    const frames = messages.map((one) => frameOf(JSON.stringify({ jsonrpc: '2.0', ...one })));
    input.write(Buffer.concat(frames));
  };
  const answerTo = (id: string | number | null, nth = 1) => told.nth((one) => one.id === id, nth);
  let lastId = 0;
  const ask = (method: string, params?: unknown, id: string | number = `ask-${++lastId}`) => {
    const answer = answerTo(id);
    send({ id, method, ...(params === undefined ? {} : { params }) });
    return answer;
  };
  return { channel, input, told, logged, output, send, ask, answerTo };
}

/** What a channel writes, read as a host reads it: by the lengths that are told, in bytes. */
export class MemoryOutput implements ProtocolOutput {
  /** What `queued` tells. */
  waiting = 0;
  /** Whether what is written stays here, as with a host that does not read. */
  isStuck = false;
  readonly #hear: (message: Told) => void;
  readonly #stuck: (() => void)[] = [];
  #fail: (error: Error) => void = () => {};

  constructor(hear: (message: Told) => void) {
    this.#hear = hear;
  }

  write(text: string, done: (error?: Error | null) => void): void {
    const take = () => {
      for (const message of messagesIn(Buffer.from(text))) this.#hear(message);
      done();
    };
    if (this.isStuck) this.#stuck.push(take);
    else take();
  }

  onError(listener: (error: Error) => void): void {
    this.#fail = listener;
  }

  queued(): number {
    return this.waiting;
  }

  /** The pipe breaks. */
  break(error: Error): void {
    this.#fail(error);
  }

  /** Takes what was stuck. */
  flow(): void {
    this.isStuck = false;
    for (const take of this.#stuck.splice(0)) take();
  }
}

function* messagesIn(bytes: Buffer): Generator<Told> {
  for (let at = 0; at < bytes.length; ) {
    const [whole = '', length] = /^Content-Length: (\d+)\r\n\r\n/.exec(bytes.toString('latin1', at)) ?? [];
    if (length === undefined) throw new Error(`No frame: ${bytes.toString('utf8', at)}`);
    const end = at + whole.length + Number(length);
    if (end > bytes.length) throw new Error('A frame is shorter than told.');
    yield JSON.parse(bytes.toString('utf8', at + whole.length, end));
    at = end;
  }
}

/** A bridge that knows nothing of its own. */
export function stubBridge(parts: Partial<Omit<Bridge, 'desk'>> & { desk?: Partial<HostApi> } = {}): Bridge {
  const { desk, ...rest } = parts;
  return {
    config: defaultConfig,
    calls: new CallsInProgress(),
    call: async (tool, args) => ({ text: `called ${tool}`, data: { args }, isError: false }),
    close: async () => {},
    ...rest,
    hostApi: { ...stubDesk, ...desk },
  };
}

const stubDesk: HostApi = {
  check: async (file) => ({ file, problems: [], doubts: [] }),
  problems: async () => ({ files: {}, complete: true, doubts: [] }),
  servers: async () => [],
  hold: () => {},
  onProblems: () => () => {},
};
