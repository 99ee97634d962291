import type { Socket } from 'node:net';
import { asLspanError, type ErrorCode, errorCodes, LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { CallInProgress, CallsInProgress } from '../../core/runtime/calls-in-progress.ts';
import type { CancelSignal } from '../../core/runtime/cancellation.ts';
import { list, object, text } from '../../core/runtime/json.ts';
import { onAbort } from '../../core/runtime/on-abort.ts';
import { FrameReader } from '../../jsonrpc/frame-reader.ts';
import { encodeFrame } from '../../jsonrpc/frame-writer.ts';
import { isId, type RequestId, readMessage } from '../../jsonrpc/message.ts';

/** Answers the requests of the other side. */
interface ChannelListener {
  /** Rejects with any failure, which the other side gets. */
  answer(method: string, params: unknown, request: ChannelRequest): Promise<unknown>;
}

/** A request of the other side. */
export interface ChannelRequest {
  readonly signal: CancelSignal;
  /** Says what the request waits for. */
  report(message: string): void;
}

/** Options of a request. */
export interface RequestOptions {
  readonly signal?: CancelSignal | undefined;
  readonly report?: ((message: string) => void) | undefined;
}

/** Requests and answers in both directions on one socket, in frames of JSON-RPC. */
export class Channel {
  /** Resolves when the connection has ended, from either side, with why. */
  readonly closed: Promise<string>;
  readonly #socket: Socket;
  readonly #listener: ChannelListener;
  readonly #pending = new Map<RequestId, Pending>();
  readonly #answering = new CallsInProgress({ most: limits.daemon.requestsOfClient });
  readonly #reader: FrameReader;
  #next = 0;
  #isClosed = false;
  #closesWhenIdle = false;
  #tellClosed: (why: string) => void = () => {};

  constructor(socket: Socket, listener: ChannelListener) {
    this.#socket = socket;
    this.#listener = listener;
    this.closed = new Promise((resolve) => {
      this.#tellClosed = resolve;
    });
    this.#reader = new FrameReader({
      message: (value) => this.#receive(value),
      judge: (line) => (line.trim() === '' ? undefined : 'it sends what is no message'),
      hold: (isHeld) => void (isHeld ? socket.pause() : socket.resume()),
      fault: (reason) => this.close(`The other side broke the protocol: ${reason}.`),
    });
    socket.on('data', (chunk) => this.#reader.push(chunk));
    socket.on('error', (error) => this.close(error.message));
    socket.on('close', () => this.close('The connection has ended.'));
  }

  /** Rejects with the error of the other side, or with one that `isConnectionEnd` knows if the connection ends first. */
  request(method: string, params: unknown, { signal, report }: RequestOptions = {}): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(connectionEnd('The connection has ended.'));
    this.#next += 1;
    const id = this.#next;
    return new Promise((resolve, reject) => {
      const cancel = () => this.#send({ method: cancelMethod, params: { id } });
      const unhear = signal && onAbort(signal, cancel);
      const settle = (end: () => void) => {
        unhear?.();
        this.#pending.delete(id);
        end();
        if (this.#closesWhenIdle && this.#pending.size === 0) this.close();
      };
      this.#pending.set(id, {
        resolve: (result) => settle(() => resolve(result)),
        reject: (error) => settle(() => reject(error)),
        report,
      });
      this.#send({ id, method, params });
      if (signal?.aborted) cancel();
    });
  }

  /** Sends what needs no answer. */
  notify(method: string, params: unknown): void {
    this.#send({ method, params });
  }

  /** Called with the notifications of the other side. */
  onNotification: (method: string, params: unknown) => void = () => {};

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
    this.#reader.end();
    this.#socket.end();
    this.#socket.destroySoon();
    void this.#answering.end(() => new LspanError('cancelled', 'The client has gone.'));
    for (const { reject } of [...this.#pending.values()]) reject(connectionEnd(why));
    this.#tellClosed(why);
  }

  #receive(value: unknown): void {
    const message = readMessage(value);
    if (message.kind === 'request') this.#answer(message.id, message.method, message.params);
    else if (message.kind === 'notification') this.#hear(message.method, message.params);
    else if (message.kind === 'result') this.#pendingFor(message.id)?.resolve(message.result);
    else if (message.kind === 'error') this.#pendingFor(message.id)?.reject(errorIn(message.error.data));
  }

  #answer(id: RequestId, method: string, params: unknown): void {
    if (this.#answering.isFull) {
      this.#send({ id, error: wireError(new LspanError('busy', 'Too many calls are in progress.')) });
      return;
    }
    const call = new CallInProgress({ id });
    const report = (message: string) => this.#send({ method: progressMethod, params: { id, message } });
    const work = () => this.#listener.answer(method, params, { signal: call, report });
    this.#answering.run(call, work).then(
      (result = null) => this.#send({ id, result }),
      (thrown: unknown) => this.#send({ id, error: wireError(asLspanError(thrown)) }),
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

  #send(message: object): void {
    if (this.#isClosed) return;
    if (this.#socket.writableLength > limits.daemon.unread) {
      this.close('The other side does not read.');
      // What waits to be sent would be kept for as long as the other side lives.
      this.#socket.destroy();
      return;
    }
    this.#socket.write(encodeFrame({ jsonrpc: '2.0', ...message }));
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
}

const cancelMethod = '$/cancel';

const progressMethod = '$/progress';

/** Returns an error as it is sent. */
function wireError({ code, message, nextStep, retryable, candidates, cause }: LspanError): object {
  const why = code === 'internal' && cause instanceof Error ? `${message} (${cause.message})` : message;
  return { code: -32000, message: why, data: { code, message: why, nextStep, retryable, candidates } };
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
