import { expect, test } from 'vitest';
import { dataAnswer } from '../../../../src/frontends/mcp/fast-path/fast-path.ts';
import type { Offer } from '../../../../src/frontends/mcp/offer.ts';

const serverInfo = { name: 'lspan', version: '1' };
const bare: Offer = {
  surface: 'lspan',
  identity: { capabilities: { tools: {} }, serverInfo },
  tools: [],
  prompts: [],
  resourceTemplates: [],
};
const offer: Offer = {
  ...bare,
  identity: { capabilities: { tools: {}, prompts: {}, resources: { subscribe: true } }, serverInfo },
};
const answer = (method: string, params?: object, from = offer) =>
  dataAnswer({ jsonrpc: '2.0', id: 1, method, ...(params && { params: { ...params } }) }, from);

const client = { name: 'test', version: '1' };
const handshake = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: client };
const claim = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': client,
  'io.modelcontextprotocol/clientCapabilities': {},
};

test.each([
  ['initialize', handshake],
  ['ping', undefined],
  ['tools/list', undefined],
  ['tools/list', {}],
  ['tools/list', { _meta: { progressToken: 0 } }],
  ['prompts/list', undefined],
  ['resources/list', {}],
  ['resources/templates/list', undefined],
  ['server/discover', { _meta: claim }],
  ['prompts/list', { _meta: claim }],
  ['resources/list', { _meta: claim }],
  ['resources/templates/list', { _meta: claim }],
  ['tools/list', { _meta: { ...claim, progressToken: 'a' } }],
])('%s with %j is answered from data', (method, params) => {
  expect(answer(method, params)).toBeDefined();
});

test.each([
  ['initialize', undefined],
  ['initialize', { ...handshake, protocolVersion: '2020-01-01' }],
  ['initialize', { ...handshake, capabilities: null }],
  ['initialize', { ...handshake, clientInfo: { name: 'test' } }],
  ['initialize', { ...handshake, more: 1 }],
  ['initialize', { ...handshake, _meta: claim }],
  ['tools/list', { cursor: 'a' }],
  ['tools/list', { cursor: 'a', _meta: claim }],
  ['tools/list', { _meta: { traceparent: 'a' } }],
  ['tools/list', { _meta: { ...claim, 'io.modelcontextprotocol/logLevel': 'debug' } }],
  ['server/discover', undefined],
  ['server/discover', { _meta: { ...claim, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } }],
  ['ping', { _meta: claim }],
  ['tools/call', { name: 'echo' }],
  ['tools/call', { name: 'echo', _meta: claim }],
  ['resources/list', { cursor: 'a' }],
  ['resources/read', { uri: 'lspan://diagnostics/a' }],
  ['prompts/get', { name: 'a' }],
  ['completion/complete', {}],
])('%s with %j is left to the SDK', (method, params) => {
  expect(answer(method, params)).toBeUndefined();
});

test.each(['prompts/list', 'resources/list', 'resources/templates/list'])(
  '%s is left to the SDK, which refuses it, where nothing of it is offered',
  (method) => {
    expect(answer(method, undefined, bare)).toBeUndefined();
  },
);
