import { describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { isMessage } from '../../src/frontends/mcp/parse-message.ts';
import { idOf, messageFault, readMessage } from '../../src/jsonrpc/message.ts';

const request = { jsonrpc: '2.0', id: 1, method: 'm' };
const { id: _, ...notification } = request;
const result = { jsonrpc: '2.0', id: 1, result: {} };
const error = { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no' } };

/** What a value is to a language server's peer, what is wrong with it to the letter, and whether MCP takes it. */
const verdicts: readonly (readonly [string, unknown, string, string | undefined, boolean])[] = [
  ['a request', request, 'request', undefined, true],
  ['a notification', notification, 'notification', undefined, true],
  ['a result', result, 'result', undefined, true],
  ['an error', error, 'error', undefined, true],
  ['an error without an id', { ...error, id: undefined }, 'invalid', undefined, true],
  ['a result that is no object', { ...result, result: 1 }, 'result', undefined, false],
  ['parameters by position', { ...request, params: [1] }, 'request', undefined, false],
  ['a list', [request], 'invalid', 'batch', false],
  ['null', null, 'invalid', 'no_object', false],
  ['no version', { id: 1, method: 'm' }, 'request', 'version', false],
  ['a method that is no text', { ...request, method: 7 }, 'invalid', 'method', false],
  ['nothing but an id', { jsonrpc: '2.0', id: 1 }, 'result', 'method', false],
  ['a further member', { ...request, more: 1 }, 'request', 'members', false],
  ['a result and an error', { ...result, ...error }, 'error', 'members', false],
  ['a request with a fraction as its id', { ...request, id: 1.5 }, 'request', 'id', false],
  ['a request with null as its id', { ...request, id: null }, 'invalid', 'id', false],
  ['a result without an id', { ...result, id: undefined }, 'invalid', 'id', false],
];

describe('a JSON value from a peer', () => {
  it.each(verdicts)('%s', (_name, value, kind, fault, isOfMcp) => {
    expect(readMessage(value).kind).toBe(kind);
    expect(messageFault(value)).toBe(fault);
    expect(isMessage(value)).toBe(isOfMcp);
  });

  it('has an id of any length, where nobody says how long one may be', () => {
    const id = 'x'.repeat(limits.rpc.id + 1);
    expect(messageFault({ ...request, id })).toBeUndefined();
    expect(messageFault({ ...request, id }, limits.rpc.id)).toBe('id');
    expect([idOf({ id }), idOf({ id }, limits.rpc.id)]).toEqual([id, undefined]);
  });
});
