import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { cut, frameOf } from '../../jsonrpc/collect-frames.ts';
import { openChannel } from './open-channel.ts';

const status = frameOf('{"jsonrpc":"2.0","id":"after","method":"lsp/status"}');
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('TRN-27 a frame that is good but holds no request', () => {
  const bodies: readonly [string, string | Buffer, number][] = [
    ['no JSON', '{"jsonrpc":', -32700],
    ['text', 'hello', -32700],
    ['5 MiB of text', 'x'.repeat(5 << 20), -32700],
    ['5 MiB that begin like JSON', `{${'x'.repeat(5 << 20)}`, -32700],
    ['invalid UTF-8', Buffer.from('{"jsonrpc":"2.0","id":1,"method":"\xff"}', 'latin1'), -32700],
    ['half a character', Buffer.from([0x22, 0xf0, 0x9f, 0x22]), -32700],
    ['blanks', ' \r\n\t', -32700],
    ['a byte order mark', '\ufeff', -32700],
    ['NaN', 'NaN', -32700],
    ['two values', '{}{}', -32700],
    ['null', 'null', -32600],
    ['a number', '7', -32600],
    ['a text', '"lsp/status"', -32600],
    ['an object with nothing in it', '{}', -32600],
    ['an empty list', '[]', -32600],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"lsp/status"}]', -32600],
    ['10⁵ levels', deep(1e5), -32600],
    ['10⁶ levels', deep(1e6), -32600],
    [
      'levels in the parameters',
      `{"jsonrpc":"2.0","id":1,"method":"lsp/status","params":${deep(300)}}`,
      -32600,
    ],
    ['another version', '{"jsonrpc":"1.0","method":"lsp/status"}', -32600],
    ['no version', '{"method":"lsp/status"}', -32600],
    ['no method', '{"jsonrpc":"2.0"}', -32600],
    ['a method that is no text', '{"jsonrpc":"2.0","method":{}}', -32600],
    ['a further member', '{"jsonrpc":"2.0","method":"lsp/status","extra":1}', -32600],
    ['a member __proto__', '{"jsonrpc":"2.0","method":"lsp/status","__proto__":{"id":1}}', -32600],
    ['all in __proto__', '{"__proto__":{"jsonrpc":"2.0","id":1,"method":"lsp/status"}}', -32600],
  ];
  it.each(bodies)(
    'but %s is answered once, without an id, and the stream goes on',
    async (_name, body, code) => {
      const { input, answerTo, told } = openChannel();
      input.write(Buffer.concat([frameOf(body), status]));
      await answerTo('after');
      expect(told.all).toMatchObject([
        { jsonrpc: '2.0', id: null, error: { code, data: { code: 'invalid_input', retryable: false } } },
        { id: 'after', result: [] },
      ]);
      expect(told.all[0]?.error?.data.next_step).toMatch(/^Send /);
    },
  );

  it('is answered with its id where that can be read', async () => {
    const { input, answerTo } = openChannel();
    input.write(frameOf('{"id":4,"method":"lsp/status"}'));
    expect((await answerTo(4)).error).toMatchObject({ code: -32600, data: { code: 'invalid_input' } });
  });

  it.each(['{"jsonrpc":"2.0","id":1,"result":[]}', '{"jsonrpc":"2.0","id":null,"error":{"code":-32600}}'])(
    'but the answer %s is not answered, or two peers could go on for ever',
    async (body) => {
      const { input, answerTo, told } = openChannel();
      input.write(Buffer.concat([frameOf(body), status]));
      await answerTo('after');
      expect(told.all).toHaveLength(1);
    },
  );
});

describe('TRN-27 a good message', () => {
  it('may have a byte order mark, blank lines before its frame, and bare line feeds', async () => {
    const { input, told, answerTo } = openChannel();
    input.write('\r\n\n \n');
    input.write(
      frameOf(
        '\ufeff{"jsonrpc":"2.0","id":1,"method":"lsp/status"}',
        (length) => `content-length: ${length}\n\n`,
      ),
    );
    input.write(status);
    await answerTo('after');
    expect(told.all.map(({ id }) => id)).toEqual([1, 'after']);
  });

  it('may come byte by byte', async () => {
    const { input, answerTo } = openChannel();
    for (const byte of cut(status, 1)) input.write(byte);
    expect((await answerTo('after')).result).toEqual([]);
  });

  it('of 5 MiB is answered, and in its turn', async () => {
    const { send, told, answerTo } = openChannel();
    const text = 'é😀"\\\n'.repeat(1 << 19);
    send(
      { id: 1, method: 'lsp/checkFile', params: { filePath: 'a', text } },
      { id: 2, method: 'lsp/status' },
      { id: 3, method: 'lsp/call', params: { tool: 'x', arguments: { text } } },
      { id: 4, method: 'lsp/status' },
    );
    await answerTo(4);
    expect(told.all.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect((await answerTo(3)).result).toEqual({ text: 'called x', data: { args: { text } } });
  });
});

describe('TRN-27 a stream that cannot be trusted any more', () => {
  const broken: readonly [string, string | Buffer, RegExp][] = [
    ['messages in lines', '{"jsonrpc":"2.0","id":1,"method":"lsp/status"}\n', /is not a header/],
    ['a length that is none', 'Content-Length: many\r\n\r\n', /not a whole number/],
    ['a length of 0', 'Content-Length: 0\r\n\r\n', /is 0/],
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}', /two lengths/],
    ['a length above the limit', `Content-Length: ${limits.frame.body + 1}\r\n\r\n`, /above/],
    ['no length', 'Content-Type: a\r\n\r\n{}', /no Content-Length/],
    ['another charset', 'Content-Length: 2\r\nContent-Type: a; charset=utf-16\r\n\r\n{}', /charset/],
    ['a byte order mark before a header', '\ufeffContent-Length: 2\r\n\r\n{}', /start of its line/],
    ['no end of a header', `Content-Length: 2\r\n${'X-A: b\r\n'.repeat(2_000)}`, /longer than/],
    ['no end of a line', 'x'.repeat(1 << 20), /outside its messages/],
    ['blank lines without end', '\n'.repeat(1_000), /outside its messages/],
    ['a body longer than told', 'Content-Length: 2\r\n\r\n{}}\r\n', /is not a header/],
  ];
  it.each(broken)(
    'by %s ends the channel with a reason, and nothing after it is answered',
    async (_name, bytes, reason) => {
      const { input, channel, told, ask } = openChannel();
      await ask('lsp/status');
      input.write(bytes);
      input.write(status);
      const ending = await channel.ended;
      expect(ending).toMatchObject({ kind: 'fault' });
      const words = ending.kind === 'fault' ? ending.reason : '';
      expect(words).toMatch(reason);
      expect(words).toMatch(/^The host broke the protocol: .*\.$/);
      await new Promise(setImmediate);
      expect(told.all.filter(({ id }) => id === 'after')).toEqual([]);
    },
  );

  it('is told from one that waits: the end of a header may be long in coming', async () => {
    const { input, answerTo } = openChannel();
    input.write(status.subarray(0, 10));
    await new Promise(setImmediate);
    input.write(status.subarray(10));
    expect((await answerTo('after')).result).toEqual([]);
  });
});
