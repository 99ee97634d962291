import { expect, it } from 'vitest';
import { echo, endpointOver, exchangeOf, messagesOf, modernExchange, openSession } from './ask-endpoint.ts';

const request = { jsonrpc: '2.0', id: 1 };

it.each([
  [{ sessions: true }, 'The parameters of initialize are not valid.'],
  [{ sessions: false }, '`params` is missing.'],
])('an initialize without params is refused in our own words, with %j', async (settings, message) => {
  const endpoint = endpointOver(echo, settings);
  const reply = await endpoint.serve(exchangeOf({ body: { ...request, method: 'initialize' } }));
  expect(await messagesOf(reply)).toMatchObject([{ id: 1, error: { code: -32602, message } }]);
  await endpoint.close();
});

it.each([
  [undefined, '`params` is missing.'],
  [{}, '`params.name` is missing.'],
  [{ name: 5 }, '`params.name` must be a text.'],
  [{ name: 'echo', arguments: '{}' }, '`params.arguments` must be an object.'],
  [{ name: 'ecko', arguments: {} }, 'Unknown tool: "ecko". Did you mean echo?'],
  [{ name: 'get_type_hierarchy' }, 'Unknown tool: "get_type_hierarchy". See tools/list.'],
])('a call with the params %j is refused in our own words', async (params, message) => {
  const endpoint = endpointOver(echo);
  const headers = { 'mcp-session-id': await openSession(endpoint) };
  const body = { ...request, method: 'tools/call', ...(params && { params }) };
  const reply = await endpoint.serve(exchangeOf({ body, headers }));
  expect(await messagesOf(reply)).toMatchObject([{ id: 1, error: { code: -32602, message } }]);
  const modern = await endpoint.serve(modernExchange({ ...body, params: params ?? {} }));
  expect(JSON.stringify(await messagesOf(modern))).not.toMatch(/expected|received|invalid_type/);
  await endpoint.close();
});

it('a cursor that is no text is refused in our own words', async () => {
  const endpoint = endpointOver(echo);
  const headers = { 'mcp-session-id': await openSession(endpoint) };
  const body = { ...request, method: 'tools/list', params: { cursor: 5 } };
  const reply = await endpoint.serve(exchangeOf({ body, headers }));
  const message = '`cursor` must be a text.';
  expect(await messagesOf(reply)).toMatchObject([{ id: 1, error: { code: -32602, message } }]);
  await endpoint.close();
});
