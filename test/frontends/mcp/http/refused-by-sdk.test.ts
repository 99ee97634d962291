import { expect, it } from 'vitest';
import {
  echo,
  endpointOver,
  exchangeOf,
  initialize,
  messagesOf,
  modernExchange,
  openSession,
} from './ask-endpoint.ts';

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const odd = { accept: 'Application/JSON; q=0.9, TEXT/event-stream', 'content-type': 'Application/Json' };

it('what the door has let in is let in by the SDK too, in whatever letters it names types', async () => {
  const endpoint = endpointOver(echo, { plain: false });
  const opened = await endpoint.serve(exchangeOf({ body: initialize, headers: odd }));
  expect(opened.status).toBe(200);
  const headers = { ...odd, 'mcp-session-id': opened.headers?.['Mcp-Session-Id'] };
  expect((await endpoint.serve(exchangeOf({ body: list, headers }))).status).toBe(200);
  const stream = await endpoint.serve(
    exchangeOf({ method: 'GET', headers: { ...headers, accept: 'Text/Event-Stream' } }),
  );
  expect(stream.status).toBe(200);
  expect((await endpoint.serve(modernExchange(list, { headers: odd }))).status).toBe(200);
  await endpoint.close();
});

it('an id that the SDK refused is free again', async () => {
  const endpoint = endpointOver(echo);
  const headers = { 'mcp-session-id': await openSession(endpoint) };
  const again = await endpoint.serve(exchangeOf({ body: { ...initialize, id: 1 }, headers }));
  expect(again.status).toBe(400);
  const reply = await endpoint.serve(exchangeOf({ body: list, headers }));
  expect(await messagesOf(reply)).toMatchObject([{ id: 1, result: { tools: expect.any(Array) } }]);
  await endpoint.close();
});

it('TRN-14 an initialize that the SDK refuses opens no session', async () => {
  const endpoint = endpointOver(echo, { plain: false });
  const headers = { 'content-type': 'text/plain' };
  const refused = await endpoint.serve(exchangeOf({ body: initialize, headers }));
  expect([refused.status, endpoint.sessions]).toEqual([415, 0]);
  await endpoint.close();
});
