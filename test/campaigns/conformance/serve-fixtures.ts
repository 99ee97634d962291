// The door, the tokens and the endpoint of lspan, with the fixtures of the suite behind them. Origins are its arguments.
import { readFileSync } from 'node:fs';
import { openHttpServer } from '../../../src/frontends/http/http-server.ts';
import { openTokenStore } from '../../../src/frontends/http/token-store.ts';
import { Endpoint } from '../../../src/frontends/mcp/http/endpoint.ts';
import { fixtureServer } from './fixture-server.ts';

serve(process.argv.slice(2)).catch((error) => {
  console.error(error);
  process.exitCode = 1;
});

async function serve(origins: readonly string[]): Promise<void> {
  const log = (level: string, event: string, fields?: object) => {
    if (level === 'error') process.stderr.write(`${JSON.stringify({ event, ...fields })}\n`);
  };
  const tokens = openTokenStore({ environment: process.env, roots: [], log });
  const endpoint = new Endpoint({
    make: () => ({ server: fixtureServer(), close: () => {} }),
    sessions: true,
    log,
  });
  const door = await openHttpServer({
    host: '127.0.0.1',
    port: 0,
    endpoint: '/mcp',
    origins,
    sessions: true,
    tokens,
    serve: endpoint.serve,
    metrics: () => '',
    log,
  });
  tokens.onRevoked(endpoint.forget);
  const [token] = readFileSync(tokens.file, 'utf8').split('\n');
  process.stdout.write(`${JSON.stringify({ port: door.port, token })}\n`);

  process.once('SIGTERM', async () => {
    await Promise.all([endpoint.close(), door.close()]);
    tokens.close();
  });
}
