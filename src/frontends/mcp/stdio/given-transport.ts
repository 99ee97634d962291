import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import type { McpTransport } from '../mcp-transport.ts';
import { isMessage } from '../parse-message.ts';

/** Adapts a transport of the caller to the SDK. A value that is not a message is not passed on. */
export class GivenTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Resolves when it has closed, from either side. */
  readonly closed: Promise<void>;
  readonly #given: McpTransport;
  #closing: Promise<void> | undefined;

  constructor(given: McpTransport) {
    this.#given = given;
    const { onclose, onerror } = given;
    this.closed = new Promise((resolve) => {
      given.onclose = () => {
        resolve();
        onclose?.call(given);
        this.onclose?.();
      };
    });
    given.onerror = (error) => {
      onerror?.call(given, error);
      this.onerror?.(error);
    };
    given.onmessage = (message: unknown) => {
      if (isMessage(message)) this.onmessage?.(message);
      else this.onerror?.(new Error('The client sent what is no JSON-RPC 2.0 message.'));
    };
  }

  start(): Promise<void> {
    return this.#given.start();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#given.send(message);
  }

  close(): Promise<void> {
    this.#closing ??= this.#given.close();
    return this.#closing;
  }
}
