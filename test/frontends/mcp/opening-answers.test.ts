import { expect, test } from 'vitest';
import { openingAnswer } from '../../../src/frontends/mcp/opening-answers.ts';

const offer = { capabilities: { tools: {} }, serverInfo: { name: 'lspan', version: '1' }, tools: [] };
const answer = (method: string, params?: object) =>
  openingAnswer({ jsonrpc: '2.0', id: 1, method, ...(params && { params: { ...params } }) }, offer);

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
  ['server/discover', { _meta: claim }],
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
  ['resources/list', undefined],
])('%s with %j is left to the SDK', (method, params) => {
  expect(answer(method, params)).toBeUndefined();
});
