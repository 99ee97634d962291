import { expect, test } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { parseMessage } from '../../../src/frontends/mcp/parse-message.ts';

const nested = (depth: number) =>
  `{"jsonrpc":"2.0","method":"m","params":{"a":${'['.repeat(depth - 2)}${']'.repeat(depth - 2)}}}`;

test.each([
  ['a request', '{"jsonrpc":"2.0","id":1,"method":"ping"}'],
  ['a request with a string id', '{"jsonrpc":"2.0","id":"a","method":"ping","params":{}}'],
  ['a notification', '{"jsonrpc":"2.0","method":"notifications/initialized"}'],
  ['a result', '{"jsonrpc":"2.0","id":1,"result":{}}'],
  ['an error', '{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}'],
  ['a progress token', '{"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":{"progressToken":"t"}}}'],
  ['brackets in strings', `{"jsonrpc":"2.0","id":1,"method":"${'['.repeat(300)}\\"{"}`],
  ['a byte order mark first', '\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}'],
  ['a carriage return last', '{"jsonrpc":"2.0","id":1,"method":"ping"}\r'],
  [`nesting of ${limits.stdioDepth} levels`, nested(limits.stdioDepth)],
])('%s is a message', (_, line) => {
  expect(parseMessage(Buffer.from(line)).kind).toBe('message');
});

test.each([
  ['text', 'hello', -32700, undefined],
  ['broken JSON', '{"jsonrpc":"2.0",', -32700, undefined],
  ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), -32700, undefined],
  ['a list', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, undefined],
  ['null', 'null', -32600, undefined],
  ['a number', '42', -32600, undefined],
  ['a string', '"x"', -32600, undefined],
  ['no version', '{"id":1,"method":"ping"}', -32600, 1],
  ['another version', '{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600, 1],
  ['a method that is no string', '{"jsonrpc":"2.0","id":"a","method":7}', -32600, 'a'],
  ['neither method nor result', '{"jsonrpc":"2.0","id":1}', -32600, 1],
  ['parameters by position', '{"jsonrpc":"2.0","id":1,"method":"m","params":[1]}', -32600, 1],
  ['a null id', '{"jsonrpc":"2.0","id":null,"method":"m"}', -32600, undefined],
  ['a broken id', '{"jsonrpc":"2.0","id":1.5,"method":"m"}', -32600, undefined],
  ['a further field', '{"jsonrpc":"2.0","id":1,"method":"m","more":1}', -32600, 1],
  [
    'a broken progress token',
    '{"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":{"progressToken":{}}}}',
    -32600,
    1,
  ],
  [`nesting of ${limits.stdioDepth + 1} levels`, nested(limits.stdioDepth + 1), -32600, undefined],
  ['a depth bomb', '['.repeat(100_000), -32600, undefined],
])('%s is a fault', (_, line, code, id) => {
  const parsed = parseMessage(Buffer.from(line));
  expect(parsed).toMatchObject({ kind: 'fault', fault: { code } });
  expect(parsed.kind === 'fault' && parsed.fault.id).toBe(id);
});

test.each(['', ' ', '\r', '\ufeff', '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}'])(
  'the line %j is passed over',
  (line) => {
    expect(parseMessage(Buffer.from(line))).toEqual({ kind: 'nothing' });
  },
);
