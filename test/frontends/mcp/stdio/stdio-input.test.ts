import { afterAll, describe, expect, test } from 'vitest';
import { limits } from '../../../../src/core/limits.ts';
import { Fixture } from '../start-frontend.ts';

const fixture = new Fixture();
afterAll(() => fixture.close());

const ping = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`;
const padded = (length: number) => {
  const head = '{"jsonrpc":"2.0","id":7,"method":"ping","params":{"_meta":{"pad":"';
  const tail = '"}}}';
  return `${head}${'x'.repeat(length - head.length - tail.length)}${tail}\n`;
};

/** One bad line, the errors that it must give, and both before and after the handshake. */
const bad: readonly (readonly [string, string | Buffer, readonly number[]])[] = [
  ['a line of 5 MiB', `"${'x'.repeat(5 * 1024 ** 2)}"\n`, [-32600]],
  ['a line of one byte more than the limit', padded(limits.stdioLine + 1), [-32600]],
  ['invalid UTF-8', Buffer.from([0x7b, 0xc3, 0x28, 0x0a]), [-32700]],
  ['a byte order mark before a message', `\ufeff{"jsonrpc":"2.0","method":"notifications/x"}\n`, []],
  ['a carriage return before the newline', '{"jsonrpc":"2.0","method":"notifications/x"}\r\n', []],
  ['blank lines', '\n\r\n   \n\n', []],
  ['a JSON list', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n', [-32600]],
  ['null', 'null\n', [-32600]],
  ['a number', '17\n', [-32600]],
  ['broken JSON', '{"jsonrpc": \n', [-32700]],
  ['a depth of 100,000', `${'['.repeat(100_000)}${']'.repeat(100_000)}\n`, [-32600]],
  ['a depth of 100,000 in a message', `{"a":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_001)}\n`, [-32600]],
];

describe.each(bad)('TRN-27 %s', (_, line, codes) => {
  test('is answered once, and the stream goes on, before and after the handshake', async () => {
    const frontend = fixture.start();
    frontend.send(line);
    await frontend.initialize();
    await frontend.request(1, 'tools/list');
    frontend.send(line);
    expect(await frontend.call(2, 'echo')).toHaveProperty('result.content');
    const errors = frontend.messages().filter((message) => 'error' in message);
    expect(errors).toEqual([...codes, ...codes].map((code) => errorOf(code)));
    frontend.child.stdin?.end();
    expect(await frontend.exit).toEqual({ code: 0, signal: null });
  });
});

test('TRN-27 a line of exactly the limit is read', async () => {
  const frontend = fixture.start();
  await frontend.initialize();
  frontend.send(padded(limits.stdioLine));
  expect(await frontend.answer(7)).toHaveProperty('result');
});

test('TRN-27 a long line is refused before its end comes, and its end is not waited for with memory', async () => {
  const frontend = fixture.start();
  frontend.send('x'.repeat(limits.stdioLine + 1));
  expect(await frontend.answer(null)).toEqual(errorOf(-32600));
  frontend.send('x'.repeat(limits.stdioLine));
  frontend.send(`\n${ping(1)}`);
  expect(await frontend.answer(1)).toHaveProperty('result');
  expect(frontend.messages().filter((message) => 'error' in message)).toHaveLength(1);
});

test('TRN-27 a message without its newline is waited for', async () => {
  const frontend = fixture.start();
  await frontend.initialize();
  const [head, tail] = [ping(1).slice(0, 9), ping(1).slice(9)];
  frontend.send(`${ping(0)}${head}`);
  await frontend.answer(0);
  frontend.send(tail);
  expect(await frontend.answer(1)).toHaveProperty('result');
});

function errorOf(code: number) {
  return { jsonrpc: '2.0', id: null, error: { code, message: expect.any(String) } };
}
