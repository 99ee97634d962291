import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { silent } from '../../../src/core/log.ts';
import type { Serve } from '../../../src/frontends/http/exchange.ts';
import {
  type HttpServer,
  type HttpServerOptions,
  openHttpServer,
} from '../../../src/frontends/http/http-server.ts';

/** A door in front of a stub, which is closed when the test has ended. */
export interface TestDoor extends HttpServer {
  readonly host: string;
  /** The exchanges that were let in, in order. */
  readonly served: Parameters<Serve>[0][];
  /** Makes a token hold no more. */
  revoke(holder: string): void;
  /** A POST that is let in, with other headers or another body where given; `null` leaves a header out. */
  post(headers?: Record<string, string | null>, body?: string): string;
  get(path: string, headers?: Record<string, string | null>): string;
  /** Sends bytes on a connection of its own and gives what came back until the door closed it. */
  exchange(bytes: string | Buffer): Promise<string>;
  connect(): Promise<Socket>;
  /** Sends bytes and gives the connection once an answer has begun to come, of which nothing is read. */
  connectUnread(bytes: string): Promise<Socket>;
}

/** Opens a door whose stub answers `{"ok":true}`; the tokens are `one` and `two`. */
export async function startDoor(settings: Partial<HttpServerOptions> = {}): Promise<TestDoor> {
  const served: Parameters<Serve>[0][] = [];
  const listeners = new Set<(holder: string) => void>();
  const revoked = new Set<string>();
  const door = await openHttpServer({
    host: '127.0.0.1',
    port: 0,
    endpoint: '/mcp',
    origins: [],
    sessions: true,
    metrics: () => 'up 1\n',
    log: silent,
    tokens: {
      tokenIdOf: (given) => (['one', 'two'].includes(given) && !revoked.has(given) ? given : undefined),
      confirmed: () => undefined,
      onRevoked: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      close: () => {},
    },
    ...settings,
    serve: (exchange) => {
      served.push(exchange);
      return (
        settings.serve?.(exchange) ?? Promise.resolve({ status: 200, headers: json, body: '{"ok":true}' })
      );
    },
  });
  onTestFinished(() => door.close());
  const host = settings.host ?? '127.0.0.1';
  const usual = { Host: `${host === '::1' ? '[::1]' : host}:${door.port}`, Authorization: 'Bearer one' };
  const open = async () => {
    const socket = connect({ host, port: door.port });
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  return {
    ...door,
    host,
    served,
    revoke: (holder) => {
      revoked.add(holder);
      for (const listener of listeners) listener(holder);
    },
    post: (headers, body = '{"jsonrpc":"2.0","id":1,"method":"ping"}') =>
      message('POST /mcp', {
        ...usual,
        ...posted,
        'Content-Length': `${Buffer.byteLength(body)}`,
        ...headers,
      }) + body,
    get: (path, headers) => message(`GET ${path}`, { ...usual, Accept: 'text/event-stream', ...headers }),
    connect: open,
    connectUnread: async (bytes) => {
      // On a busy machine a short limit closes a connection before its first request is read.
      for (;;) {
        const socket = await open();
        socket.on('error', () => {}).write(bytes);
        await new Promise((resolve) => socket.once('readable', resolve).once('close', resolve));
        if (socket.readableLength > 0) return socket;
      }
    },
    exchange: async (bytes) => {
      const socket = await open();
      socket.write(bytes);
      return readAll(socket);
    },
  };
}

/** Expects of something that happens at the other end of a connection, however busy the machine is. */
export function eventually<T>(read: () => T) {
  return expect.poll(read, { interval: 2 });
}

/** Everything that comes on a connection until its other end closes it. */
export function readAll(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket
      .on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1');
      })
      .on('error', () => {})
      .on('close', () => resolve(text));
  });
}

/** Waits until what has come on a connection holds a text, and gives all of it. */
export function readUntil(socket: Socket, wanted: string | RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const take = (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (typeof wanted === 'string' ? !text.includes(wanted) : !wanted.test(text)) return;
      socket.off('data', take).off('close', gone);
      resolve(text);
    };
    const gone = () => reject(new Error(`closed after ${JSON.stringify(text)}`));
    socket.on('data', take).on('close', gone);
  });
}

/** The status codes of all answers in what came on a connection. */
export function statuses(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
}

/** The head of a request. */
export function message(start: string, headers: Record<string, string | null>): string {
  const lines = Object.entries(headers).filter(([, value]) => value !== null);
  return `${start} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

const json = { 'Content-Type': 'application/json' };
const posted = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
