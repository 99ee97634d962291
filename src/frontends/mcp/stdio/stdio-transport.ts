import type { Readable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { limits } from '../../../core/limits.ts';
import { isRecord, object } from '../../../core/runtime/json.ts';
import { SerialisedJson } from '../../../core/runtime/serialised-json.ts';
import { rpcCodes } from '../../../jsonrpc/message.ts';
import type { ProtocolOutput } from '../../stdout.ts';
import { type ParseFault, parseMessage } from '../parse-message.ts';

/**
 * MCP messages over two byte streams, such as stdin and stdout, one per line. A line that is not a message is
 * answered with an error and the stream goes on: the SDK's own skips it silently, and ends at a long line.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #input: Readable;
  readonly #output: ProtocolOutput;
  readonly #lines = new LineReader(limits.stdioLine, {
    onLine: (line) => this.#receive(line),
    onTooLong: () => this.#refuse(tooLong),
  });
  /** Resolves when either side has ended the connection. */
  readonly closed: Promise<void>;
  #tellClosed: () => void = () => {};
  #lastWrite: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(input: Readable, output: ProtocolOutput) {
    this.#input = input;
    this.#output = output;
    this.closed = new Promise((resolve) => {
      this.#tellClosed = resolve;
    });
  }

  async start(): Promise<void> {
    this.#input.on('data', this.#onData).on('end', this.#onEnd).on('close', this.#onEnd);
    this.#input.on('error', this.#onFailure);
    this.#output.onError(this.#onFailure);
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#write(message);
  }

  /** The error listeners stay: a late EPIPE must find one. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#input.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onEnd);
    this.#input.pause();
    this.onclose?.();
    this.#tellClosed();
  }

  /** Settles when everything sent so far has reached the client, or cannot. */
  async drained(): Promise<void> {
    await this.#lastWrite.catch(() => {});
  }

  readonly #onData = (chunk: Buffer): void => this.#lines.push(chunk);

  readonly #onEnd = (): void => void this.close();

  readonly #onFailure = (error: Error): void => {
    if (this.#closed) return;
    this.onerror?.(error);
    void this.close();
  };

  #receive(line: Buffer): void {
    if (this.#closed) return;
    const parsed = parseMessage(line);
    if (parsed.kind === 'message') this.onmessage?.(parsed.message);
    else if (parsed.kind === 'fault') this.#refuse(parsed.fault);
  }

  #refuse({ code, message, id }: ParseFault): void {
    if (this.#closed) return;
    this.onerror?.(new Error(`A line of input was refused: ${message}`));
    this.#write({ jsonrpc: '2.0', id: id ?? null, error: { code, message } }).catch(this.#onFailure);
  }

  #write(message: object): Promise<void> {
    if (this.#closed) return Promise.reject(new Error('The connection is closed.'));
    if (this.#output.queued() > limits.stdioQueue) {
      const error = new Error(`The client has left more than ${limits.stdioQueue} bytes unread.`);
      this.#onFailure(error);
      return Promise.reject(error);
    }
    this.#lastWrite = new Promise((resolve, reject) => {
      this.#output.write(lineOf(message), (error) => (error ? reject(error) : resolve()));
    });
    return this.#lastWrite;
  }
}

/** Returns a message as a line. Data that is JSON already is put in its place unread. */
function lineOf(message: object): string {
  const { result } = object(message);
  const data = isRecord(result) ? result.structuredContent : undefined;
  if (!(data instanceof SerialisedJson)) return `${JSON.stringify(message)}\n`;
  const around = JSON.stringify({ ...message, result: { ...object(result), structuredContent: 0 } });
  // In a text, a quotation mark follows a backslash: after a comma it begins the name of a member.
  const at = around.indexOf(',"structuredContent":0') + ',"structuredContent":'.length;
  return `${around.slice(0, at)}${data.json}${around.slice(at + 1)}\n`;
}

const tooLong: ParseFault = {
  code: rpcCodes.invalidRequest,
  message: `The line is longer than ${limits.stdioLine} bytes.`,
};

const newline = 0x0a;

/** The events of a line reader. */
interface LineEvents {
  onLine(line: Buffer): void;
  /** Called once per line; the rest of the line is skipped without being kept. */
  onTooLong(): void;
}

/** Splits bytes into lines in linear time, and never holds more than one line's limit. */
export class LineReader {
  readonly #limit: number;
  readonly #events: LineEvents;
  #parts: Buffer[] = [];
  #held = 0;
  #skipping = false;

  constructor(limit: number, events: LineEvents) {
    this.#limit = limit;
    this.#events = events;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#hold(chunk.subarray(start, end));
      this.#endLine();
      start = end + 1;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
  }

  #hold(part: Buffer): void {
    if (this.#skipping) return;
    this.#held += part.length;
    this.#parts.push(part);
    if (this.#held <= this.#limit) return;
    this.#skipping = true;
    this.#forget();
    this.#events.onTooLong();
  }

  #endLine(): void {
    const parts = this.#parts;
    const skipped = this.#skipping;
    this.#skipping = false;
    this.#forget();
    if (!skipped) this.#events.onLine(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts));
  }

  #forget(): void {
    this.#parts = [];
    this.#held = 0;
  }
}
