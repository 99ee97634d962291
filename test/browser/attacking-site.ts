import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createRelay } from 'node:net';
import path from 'node:path';

/** What a page found out by one attempt. */
export interface Finding {
  readonly name: string;
  /** What it could read. */
  readonly read: string;
  readonly error?: string;
}

/** What a page is told before it begins. */
interface PageSetting {
  /** Where lspan is, as the page names it. */
  readonly door: string;
  readonly token: string;
  /** Where findings go. */
  readonly home: string;
  /** Whether the name of the page leads to lspan once it is loaded. */
  readonly turns: boolean;
  readonly next: string | undefined;
}

/** A site of pages that attack, and a name whose address it changes under the eyes of the browser. */
export interface AttackingSite {
  /** The first page; it leads to the others. */
  readonly first: string;
  readonly origins: readonly string[];
  /** How the browser is told where names lead. */
  readonly resolving: string;
  /** What the pages found, by their origins, once the last has told. */
  readonly found: Promise<ReadonlyMap<string, readonly Finding[]>>;
  close(): void;
}

/** Starts it against lspan at a port, whose token it knows; one page has the origin that `allow` asks to be allowed. */
export async function startAttackingSite(allow: (origin: string) => Promise<Target>): Promise<AttackingSite> {
  const script = readFileSync(path.join(import.meta.dirname, 'attempts.js'), 'utf8');
  const found = new Map<string, readonly Finding[]>();
  const pages = new Map<string, PageSetting>();
  let isTurned = false;
  let tell = (_all: ReadonlyMap<string, readonly Finding[]>) => {};
  const told = new Promise<ReadonlyMap<string, readonly Finding[]>>((resolve) => {
    tell = resolve;
  });
  const routes: Readonly<Record<string, Route>> = {
    '/': ({ headers }, response) => {
      const setting = JSON.stringify(pages.get(`http://${headers.host}`));
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(`<!doctype html><body><script>window.setting = ${setting}</script>
        <script type="module" src="/attempts.js"></script></body>`);
    },
    '/attempts.js': (_request, response) =>
      response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(script),
    '/turn': (_request, response) => {
      isTurned = true;
      response.end();
    },
    '/found': (_request, response, body) => {
      const { page, findings } = JSON.parse(body);
      found.set(page, findings);
      response.end();
      if (found.size === pages.size) tell(found);
    },
    '/lead': (_request, response, _body, to) => response.writeHead(307, { Location: to }).end(),
    '/policy': (_request, response, _body, to) => {
      const policy = `script-src 'none'; report-uri ${to}`;
      response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Security-Policy': policy });
      response.end('<script>refused</script>');
    },
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://site');
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      body += chunk;
    });
    const route = routes[pathname] ?? ((_request, other) => other.writeHead(404).end());
    // Kept open, a connection would lead on to where the name led before.
    response.setHeader('Connection', 'close');
    request.on('end', () => route(request, response, body, searchParams.get('to') ?? ''));
  });
  const port = await listening(server.listen(0, '127.0.0.1'));
  const { port: lspan, token } = await allow(`http://localhost:${port}`);
  const relay = createRelay((socket) => {
    socket.on('error', () => socket.destroy());
    // Not before something is asked: browsers connect ahead, and such a connection would lead to where the name led then.
    socket.once('data', (asked) => {
      const onward = connect(isTurned ? lspan : port, '127.0.0.1');
      onward.write(asked);
      socket.pipe(onward).pipe(socket);
      socket.on('close', () => onward.destroy());
      onward.on('error', () => socket.destroy());
    });
  });
  // The same port on another address, so that only the address of the name changes and never the origin.
  await listening(relay.listen(lspan, '127.0.0.2'));
  const origins = [
    `http://attacker.example:${port}`,
    `http://localhost:${port}`,
    `http://rebound.example:${lspan}`,
  ];
  origins.forEach((origin, index) => {
    const turns = index === 2;
    const door = turns ? origin : `http://127.0.0.1:${lspan}`;
    pages.set(origin, { door, token, home: `http://127.0.0.1:${port}`, turns, next: origins[index + 1] });
  });
  return {
    first: origins[0] ?? '',
    origins,
    resolving: 'MAP attacker.example 127.0.0.1, MAP rebound.example 127.0.0.2',
    found: told,
    close: () => {
      relay.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

/** What is attacked. */
export interface Target {
  readonly port: number;
  readonly token: string;
}

type Route = (request: IncomingMessage, response: ServerResponse, body: string, to: string) => void;

async function listening(server: ReturnType<typeof createRelay>): Promise<number> {
  await once(server, 'listening');
  return portOf(server.address());
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : Number.NaN;
}
