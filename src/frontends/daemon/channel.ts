import { asLspanError, type ErrorCode, errorCodes, LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { CallInProgress, CallsInProgress } from '../../core/runtime/calls-in-progress.ts';
import type { CancelSignal } from '../../core/runtime/cancellation.ts';
import { list, object, text } from '../../core/runtime/json.ts';
import { onAbort } from '../../core/runtime/on-abort.ts';
import { isId, type RequestId } from '../../jsonrpc/message.ts';
import { type Frame, FrameSplitter, toFrame } from './frames.ts';

/** The bytes to and from the other side: a socket, or two streams that are used like one. */
export interface ChannelStream {
  /** Bytes that the other side has not taken yet. */
  readonly writableLength: number;
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  write(bytes: Buffer): unknown;
  end(): unknown;
  destroySoon(): unknown;
  destroy(): unknown;
}

/** Answers the requests of the other side. */
interface ChannelListener {
  /** Rejects with any failure, which the other side gets. */
  answer(method: string, params: unknown, request: ChannelRequest): Promise<unknown>;
}

/** A request of the other side. */
export interface ChannelRequest {
  readonly signal: CancelSignal;
  /** Says what the request waits for; absent if nobody wants to know. */
  readonly report: ((message: string) => void) | undefined;
}

/** Options of a request. */
export interface RequestOptions {
  readonly signal?: CancelSignal | undefined;
  readonly report?: ((message: string) => void) | undefined;
}

/** An answer with JSON that the other side need not parse to pass it on. */
export class AnswerWithJson {
  readonly value: unknown;
  readonly json: string;

  constructor(value: unknown, json: string) {
    this.value = value;
    this.json = json;
  }
}

/** Requests and answers in both directions on one stream, as messages like those of JSON-RPC. */
export class Channel {
  /** Resolves when the connection has ended, from either side, with why. */
  readonly closed: Promise<string>;
  readonly #stream: ChannelStream;
  readonly #listener: ChannelListener;
  readonly #pending = new Map<RequestId, Pending>();
  readonly #answering = new CallsInProgress({ most: limits.daemon.requestsOfClient });
  readonly #frames: FrameSplitter;
  #next = 0;
  #isClosed = false;
  #closesWhenIdle = false;
  #tellClosed: (why: string) => void = () => {};

  constructor(stream: ChannelStream, listener: ChannelListener) {
    this.#stream = stream;
    this.#listener = listener;
    this.closed = new Promise((resolve) => {
      this.#tellClosed = resolve;
    });
    this.#frames = new FrameSplitter({
      frame: (frame) => this.#receive(frame),
      fault: (reason) => this.close(`The other side broke the protocol: ${reason}.`),
    });
    stream.on('data', (chunk) => this.receive(chunk));
    stream.on('error', (error) => this.close(error.message));
    stream.on('close', () => this.close('The connection has ended.'));
  }

  /** Takes bytes of the other side, of a socket that gives them to nobody. */
  receive(bytes: Buffer): void {
    this.#frames.push(bytes);
  }

  /** The other side has proved who it is, and may send long messages. */
  trust(): void {
    this.#frames.trust();
  }

  /** Rejects with the error of the other side, or with one that `isConnectionEnd` knows if the connection ends first. */
  request(method: string, params: unknown, { signal, report }: RequestOptions = {}): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(connectionEnd('The connection has ended.'));
    this.#next += 1;
    const id = this.#next;
    const cancel = () => this.#send({ method: cancelMethod, params: { id } });
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, report, unhear: signal && onAbort(signal, cancel) });
      this.#send(report ? { id, method, params, isReported: true } : { id, method, params });
      if (signal?.aborted) cancel();
    });
  }

  /** Sends what needs no answer. */
  notify(method: string, params: unknown): void {
    this.#send({ method, params });
  }

  /** Called with the notifications of the other side. */
  onNotification: (method: string, params: unknown) => void = () => {};

  /** True if a request was not answered yet. */
  get isWaiting(): boolean {
    return this.#pending.size > 0;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Ends the connection once all of our requests are answered. */
  closeWhenIdle(): void {
    this.#closesWhenIdle = true;
    if (this.#pending.size === 0) this.close();
  }

  /** Ends the connection: requests of the other side are cancelled, and our own rejected. */
  close(why = 'The connection was closed.'): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#frames.end();
    this.#stream.end();
    this.#stream.destroySoon();
    void this.#answering.end(() => new LspanError('cancelled', 'The client has gone.'));
    for (const { reject, unhear } of this.#pending.values()) {
      unhear?.();
      reject(connectionEnd(why));
    }
    this.#pending.clear();
    this.#tellClosed(why);
  }

  #receive({ message, attached }: Frame): void {
    const { id, method, params, isReported, result, error } = object(message);
    if (typeof method !== 'string')
      this.#settle(id, error, attached === '' ? result : new AnswerWithJson(result, attached));
    else if (isId(id)) this.#answer({ id, method, params, isReported: isReported === true });
    else this.#hear(method, params);
  }

  /** Ends the wait for an answer. */
  #settle(id: unknown, error: unknown, result: unknown): void {
    const pending = this.#pendingFor(id);
    if (!pending || !isId(id)) return;
    this.#pending.delete(id);
    pending.unhear?.();
    if (error === undefined) pending.resolve(result);
    else pending.reject(errorIn(error));
    if (this.#closesWhenIdle && this.#pending.size === 0) this.close();
  }

  #answer({ id, method, params, isReported }: Asked): void {
    if (this.#answering.isFull) {
      this.#send({ id, error: wireError(new LspanError('busy', 'Too many calls are in progress.')) });
      return;
    }
    const call = this.#answering.add(new CallInProgress({ id }));
    const report = (message: string) => this.#send({ method: progressMethod, params: { id, message } });
    this.#listener.answer(method, params, { signal: call, report: isReported ? report : undefined }).then(
      (result = null) => {
        this.#answering.remove(call);
        if (result instanceof AnswerWithJson) this.#send({ id, result: result.value }, result.json);
        else this.#send({ id, result });
      },
      (thrown: unknown) => {
        this.#answering.remove(call);
        this.#send({ id, error: wireError(asLspanError(thrown)) });
      },
    );
  }

  #hear(method: string, params: unknown): void {
    const { id, message } = object(params);
    if (method === cancelMethod)
      this.#answering.find(id)?.abort(new LspanError('cancelled', 'The call was cancelled.'));
    else if (method === progressMethod) this.#pendingFor(id)?.report?.(text(message) ?? '');
    else this.onNotification(method, params);
  }

  #pendingFor(id: unknown): Pending | undefined {
    return isId(id) ? this.#pending.get(id) : undefined;
  }

  #send(message: object, attached?: string): void {
    if (this.#isClosed) return;
    if (this.#stream.writableLength > limits.daemon.unread) {
      this.close('The other side does not read.');
      // What waits to be sent would be kept for as long as the other side lives.
      this.#stream.destroy();
      return;
    }
    this.#stream.write(toFrame(message, attached));
  }
}

/** True for the error of a request whose connection ended before the answer. */
export function isConnectionEnd(thrown: unknown): thrown is LspanError {
  return thrown instanceof LspanError && thrown.cause === ended;
}

const ended = Symbol('the connection has ended');

function connectionEnd(why: string): LspanError {
  return new LspanError('server_crashed', why, { cause: ended });
}

interface Pending extends Pick<RequestOptions, 'report'> {
  resolve(result: unknown): void;
  reject(error: Error): void;
  /** Stops listening for the cancellation. */
  readonly unhear: (() => void) | undefined;
}

interface Asked {
  readonly id: RequestId;
  readonly method: string;
  readonly params: unknown;
  readonly isReported: boolean;
}

const cancelMethod = '$/cancel';

const progressMethod = '$/progress';

/** Returns an error as it is sent. */
function wireError({ code, message, nextStep, retryable, candidates, cause }: LspanError): object {
  const why = code === 'internal' && cause instanceof Error ? `${message} (${cause.message})` : message;
  return { code, message: why, nextStep, retryable, candidates };
}

/** Returns the error that was sent. */
function errorIn(data: unknown): LspanError {
  const { code, message, nextStep, retryable, candidates } = object(data);
  return new LspanError(isErrorCode(code) ? code : 'internal', text(message) ?? 'The daemon failed.', {
    ...(typeof nextStep === 'string' && { nextStep }),
    ...(typeof retryable === 'boolean' && { retryable }),
    ...(Array.isArray(candidates) && { candidates: list(candidates) }),
  });
}

function isErrorCode(code: unknown): code is ErrorCode {
  return errorCodes.some((one) => one === code);
}
