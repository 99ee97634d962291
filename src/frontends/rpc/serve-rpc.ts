import type { Readable } from 'node:stream';
import type { Bridge } from '../../bridge.ts';
import { limits } from '../../core/limits.ts';
import type { Log } from '../../core/log.ts';
import { FrameReader } from '../../jsonrpc/frame-reader.ts';
import { frameText } from '../../jsonrpc/frame-writer.ts';
import type { ProtocolOutput } from '../stdout.ts';
import { PendingBridge } from './pending-bridge.ts';
import { RpcSession } from './rpc-session.ts';

/** The settings of the channel. */
interface RpcSettings {
  readonly input: Readable;
  readonly output: ProtocolOutput;
  /** Opens the bridge, which the channel keeps. After a failure the next message tries again. */
  readonly open: () => Promise<Bridge>;
  readonly log: Log;
}

/** Why the channel ended: the host closed it, asked for shutdown, or broke the protocol. */
type RpcEnding =
  | { readonly kind: 'closed' }
  | { readonly kind: 'shutdown' }
  /** The reason is a sentence for a person. */
  | { readonly kind: 'fault'; readonly reason: string };

/** The parameters of `lsp/ready`. */
interface ReadyParams {
  readonly version: string;
  readonly workspaceRoots: readonly string[];
}

/** A JSON-RPC channel to the program that started lspan. */
export interface RpcChannel {
  start(): void;
  /** Sends `lsp/ready`, before any other notification. */
  ready(params: ReadyParams): void;
  /** Resolves once, with the first reason; an answer to `lsp/shutdown` has been written by then. */
  readonly ended: Promise<RpcEnding>;
  /** Stops reading, aborts requests in progress, and writes nothing more. */
  close(): Promise<void>;
  /** Settles when everything written has reached the host, or cannot. */
  drained(): Promise<void>;
}

/** Serves the host program, in JSON-RPC 2.0 with the frames of LSP. */
export function serveRpc(settings: RpcSettings): RpcChannel {
  return new Channel(settings);
}

class Channel implements RpcChannel {
  readonly ended: Promise<RpcEnding>;
  #end: (ending: RpcEnding) => void = () => {};
  readonly #settings: RpcSettings;
  readonly #output: FrameOutput;
  readonly #door: PendingBridge;
  readonly #conversation: RpcSession;
  readonly #reader: FrameReader;
  readonly #changed = new ChangedFiles((files) => this.#notify('lsp/diagnosticsChanged', { files }));
  /** The reasons why reading is paused. */
  readonly #holds = new Set<'large' | 'opening'>();
  /** Stops listening for changes. */
  #leave = () => {};
  #bridge: Bridge | undefined;
  #isReady = false;
  #hasEnded = false;
  #closed = false;

  constructor(settings: RpcSettings) {
    const { output, open, log } = settings;
    this.#settings = settings;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#output = new FrameOutput(output, this.#onFailure);
    this.#door = new PendingBridge(open, {
      opened: (bridge) => {
        this.#bridge = bridge;
        this.#follow();
      },
      full: (isFull) => this.#hold('opening', isFull),
    });
    this.#conversation = new RpcSession({
      door: this.#door,
      send: (message) => this.#output.send(message),
      leave: () => this.#finish({ kind: 'shutdown' }),
      log,
    });
    this.#reader = new FrameReader({
      message: (value) => this.#conversation.receive(value),
      refuse: (fault) => this.#conversation.refuse(fault),
      judge: (line) => (line.trim() === '' ? undefined : noHeader),
      hold: (isHeld) => this.#hold('large', isHeld),
      fault: (reason) => this.#fail(`The host broke the protocol: ${reason}.`),
    });
  }

  start(): void {
    const { input } = this.#settings;
    input.on('error', this.#onFailure).on('end', this.#onEnd).on('close', this.#onEnd);
    input.on('data', this.#onData);
  }

  ready(params: ReadyParams): void {
    this.#notify('lsp/ready', params);
    this.#isReady = true;
    this.#follow();
    // A host that only listens is notified of changes too. A request reports why the opening failed.
    this.#door
      .pass(() => {})
      .catch((error: unknown) => this.#settings.log('warn', 'rpc.no_bridge', { error }));
  }

  /** The error listeners stay: a late EPIPE must find one. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const { input } = this.#settings;
    input.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onEnd);
    input.pause();
    this.#reader.end();
    this.#leave();
    this.#changed.forget();
    this.#output.close();
    this.#conversation.close();
    this.#end({ kind: 'closed' });
  }

  drained(): Promise<void> {
    return this.#output.drained();
  }

  readonly #onData = (chunk: Buffer): void => this.#reader.push(chunk);

  /** A host that asked for shutdown may close the input at once, and still waits for the answer. */
  readonly #onEnd = (): void => {
    // Messages before the end are handled before it.
    this.#hasEnded = true;
    if (!this.#holds.has('large') && !this.#conversation.isLeaving) this.#finish({ kind: 'closed' });
  };

  readonly #onFailure = (error: NodeJS.ErrnoException): void => {
    if (error.code !== undefined && gone.has(error.code)) this.#finish({ kind: 'closed' });
    else this.#fail(`The connection to the host failed: ${error.message}.`);
  };

  #fail(reason: string): void {
    this.#finish({ kind: 'fault', reason });
  }

  #finish(ending: RpcEnding): void {
    this.#end(ending);
    void this.close();
  }

  #notify(method: string, params: unknown): void {
    this.#output.send({ method, params });
  }

  #hold(why: 'large' | 'opening', isHeld: boolean): void {
    if (isHeld) this.#holds.add(why);
    else this.#holds.delete(why);
    if (this.#hasEnded) this.#onEnd();
    if (this.#closed) return;
    if (this.#holds.size > 0) this.#settings.input.pause();
    else this.#settings.input.resume();
  }

  #follow(): void {
    const hostApi = this.#bridge?.hostApi;
    if (this.#isReady && !this.#closed && hostApi) {
      this.#leave = hostApi.onProblems((file) => this.#changed.note(file));
    }
  }
}

/** A host that sends its messages as lines would otherwise wait forever for an answer. */
const noHeader = 'a line between two messages is not a header such as "Content-Length: 2"';

/** The error codes of a host that has exited. */
const gone: ReadonlySet<string> = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED']);

/** Collects files whose diagnostics may have changed, so that a host gets few notifications. */
class ChangedFiles {
  readonly #tell: (files: readonly string[] | null) => void;
  /** `null` when any file may have changed. */
  #changed: Set<string> | null = new Set();
  #timer: NodeJS.Timeout | undefined;

  /** @param tell Gets files in alphabetical order, or `null` for any; at most once in `limits.rpc.gap`. */
  constructor(tell: (files: readonly string[] | null) => void) {
    this.#tell = tell;
  }

  /** Adds a file; `undefined` means any file. */
  note(file: string | undefined): void {
    if (file === undefined) this.#changed = null;
    else this.#changed?.add(file);
    if (this.#changed && this.#changed.size > limits.rpc.changedFiles) this.#changed = null;
    this.#timer ??= setTimeout(() => this.#flush(), limits.rpc.gap).unref();
  }

  /** Drops the collected files without a notification. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changed = new Set();
  }

  #flush(): void {
    const changed = this.#changed;
    this.forget();
    this.#tell(changed && [...changed].sort());
  }
}

/** Writes framed messages to a host; the queue for a host that does not read is bounded. */
class FrameOutput {
  readonly #output: ProtocolOutput;
  readonly #fail: (error: Error) => void;
  #lastWrite: Promise<void> = Promise.resolve();
  #closed = false;

  /** @param fail Called with why nothing can be written any more; may be called more than once. */
  constructor(output: ProtocolOutput, fail: (error: Error) => void) {
    this.#output = output;
    this.#fail = fail;
    output.onError(fail);
  }

  /** Writes a message; does nothing after `close`. */
  send(message: object): void {
    if (this.#closed) return;
    if (this.#output.queued() > limits.stdioQueue) {
      this.#fail(new Error(`it has left more than ${limits.stdioQueue} bytes unread`));
      return;
    }
    const text = frameText({ jsonrpc: '2.0', ...message });
    this.#lastWrite = new Promise((resolve) => {
      this.#output.write(text, (error) => {
        if (error) this.#fail(error);
        resolve();
      });
    });
  }

  close(): void {
    this.#closed = true;
  }

  /** Settles when everything written has reached the host, or cannot. */
  drained(): Promise<void> {
    return this.#lastWrite;
  }
}
