import { describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { collectFrames, cut, frameOf } from './collect-frames.ts';

const hello = '{"id":1,"result":"hello, wörld 😀"}';
const helloValue: unknown = JSON.parse(hello);
const next = frameOf('{"next":true}');
const nextValue = { next: true };

describe('PRO-01 output without an end of header', () => {
  const endless: readonly [string, string][] = [
    ['has no line at all', 'x'],
    ['is all line ends', '\n'],
    ['is short lines', 'a line of a log\n'],
    ['is one endless length', 'Content-Length: 1'.padEnd(200, '1')],
    ['is one endless header of good fields', 'X-Field: 1\r\n'],
  ];
  it.each(endless)('is a fault at once, takes no memory, and is not read on when it %s', (name, text) => {
    const start = name.includes('good fields') ? 'Content-Length: 2\r\n' : '';
    const chunk = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)));
    const before = process.memoryUsage().arrayBuffers;
    const { reader, messages, faults } = collectFrames([Buffer.from(start), chunk, chunk]);
    expect(faults).toHaveLength(1);
    for (let sent = 0; sent < 100 << 20; sent += chunk.length) reader.push(chunk);
    expect(faults).toHaveLength(1);
    expect(messages).toEqual([]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1 << 20);
  });

  it('is a fault after the tolerance for stray output and the length of a header, byte by byte', () => {
    const most = limits.frame.strayBytes + limits.frame.header;
    expect(collectFrames(cut(Buffer.alloc(most, 'x'), 1)).faults).toEqual([]);
    expect(collectFrames(cut(Buffer.alloc(most + 1, 'x'), 1)).faults).toHaveLength(1);
  });

  it('is a fault with a code and a next step', () => {
    const [fault] = collectFrames([Buffer.alloc(1 << 20, 'x')]).faults;
    expect(fault).toMatchObject({ code: 'server_crashed', retryable: true });
    expect(fault?.message).toMatch(
      /^The language server fake broke the protocol: it wrote more than 100 lines/,
    );
    expect(fault?.nextStep).toBeTruthy();
  });

  it('leaves a header of exactly 8 KiB readable, and not one of a byte more', () => {
    const header = (size: number) => (length: number) => {
      const [start, end] = [`Content-Length: ${length}\r\nX-Pad: `, '\r\n\r\n'];
      return start + 'p'.repeat(size - start.length - end.length) + end;
    };
    const fits = collectFrames([frameOf(hello, header(limits.frame.header)), next]);
    expect(fits.messages).toEqual([helloValue, nextValue]);
    const tooLong = collectFrames([frameOf(hello, header(limits.frame.header + 1)), next]);
    expect(tooLong).toMatchObject({ messages: [], faults: [{ code: 'server_crashed' }] });
  });
});

describe('PRO-02 the truth table of Content-Length', () => {
  const accepted: readonly [string, (length: number) => string][] = [
    ['a plain number', (length) => `Content-Length: ${length}\r\n\r\n`],
    ['blanks around the number', (length) => `Content-Length:  \t${length} \r\n\r\n`],
    ['leading zeros', (length) => `Content-Length: 000${length}\r\n\r\n`],
    ['the same length twice', (length) => `Content-Length: ${length}\r\ncontent-length: 0${length}\r\n\r\n`],
    ['a name in lower case', (length) => `content-length: ${length}\r\n\r\n`],
    ['a name in upper case', (length) => `CONTENT-LENGTH: ${length}\r\n\r\n`],
    ['no space after the colon', (length) => `Content-Length:${length}\r\n\r\n`],
    ['a space before the colon', (length) => `Content-Length : ${length}\r\n\r\n`],
    ['bare line feeds', (length) => `Content-Length: ${length}\n\n`],
    ['mixed line ends', (length) => `Content-Length: ${length}\n\r\n`],
    ['unknown fields after it', (length) => `Content-Length: ${length}\r\nX-Other: a: b\r\n\r\n`],
    ['the type before it', (length) => `Content-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n`],
  ];
  it.each(accepted)('accepts %s', (_name, header) => {
    const { messages, faults } = collectFrames([Buffer.concat([frameOf(hello, header), next])]);
    expect(faults).toEqual([]);
    expect(messages).toEqual([helloValue, nextValue]);
  });

  const refused: readonly [string, (length: number) => string][] = [
    ...['-1', '0', '000', '0x1e', '30abc', '3e1', '1e3', '+30', '30.0', '30 30', '30,30', '', ' '].map(
      (value): [string, () => string] => [`the value "${value}"`, () => `Content-Length: ${value}\r\n\r\n`],
    ),
    ['400 digits', () => `Content-Length: ${'9'.repeat(400)}\r\n\r\n`],
    ['digits of another script', () => 'Content-Length: \u0663\u0660\r\n\r\n'],
    ['a length with a suffix', (length) => `Content-Length: ${length}abc\r\n\r\n`],
    [
      'two different lengths',
      (length) => `Content-Length: ${length}\r\nContent-Length: ${length + 1}\r\n\r\n`,
    ],
    ['a header without a length', () => 'Content-Type: application/vscode-jsonrpc\r\n\r\n'],
    ['no header at all', () => '\r\n'],
    ['another field instead of a length', () => 'X-Length: 30\r\n\r\n'],
    ['a header that ends without a blank line', (length) => `Content-Length: ${length}\r\n`],
    ['a line in a header that is no field', (length) => `Content-Length: ${length}\r\nINFO ready\r\n\r\n`],
    ['a folded field', (length) => `Content-Length: ${length}\r\n more: 1\r\n\r\n`],
    ['doubled carriage returns', (length) => `Content-Length: ${length}\r\r\n\r\r\n`],
    ['a header after other text on its line', (length) => `...Content-Length: ${length}\r\n\r\n`],
  ];
  it.each(refused)('refuses %s', (_name, header) => {
    const { messages, faults } = collectFrames([Buffer.concat([frameOf(hello, header), next, next])]);
    expect(messages).toEqual([]);
    expect(faults).toHaveLength(1);
  });
});

describe('PRO-03 a length above the limit', () => {
  const header = (length: number) => Buffer.from(`Content-Length: ${length}\r\n\r\n`);

  it('is a fault at its header, before anything is allocated', () => {
    const before = process.memoryUsage().arrayBuffers;
    const { faults } = collectFrames([header(limits.frame.body + 1)]);
    expect(faults).toHaveLength(1);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1 << 20);
  });

  it('is none at the limit, where a body is read whole', async () => {
    const body = Buffer.alloc(limits.frame.body, 'a');
    body.write('"');
    body.write('"', body.length - 1);
    const collected = collectFrames([header(body.length), ...cut(body, 1 << 20), next]);
    const { messages, faults } = await collected.free();
    expect(faults).toEqual([]);
    expect(messages.map((message) => typeof message === 'string' && message.length)).toEqual([
      limits.frame.body - 2,
      false,
    ]);
  });
});

describe('PRO-04 a length that is wrong by one', () => {
  it.each([-1, 1])('is a fault at the next header when it is off by %i', (delta) => {
    const wrong = frameOf(hello, (length) => `Content-Length: ${length + delta}\r\n\r\n`);
    const { messages, faults } = collectFrames([next, Buffer.concat([wrong, next, next])]);
    expect(messages).toEqual([nextValue]);
    expect(faults).toHaveLength(1);
  });

  it('never loses a message in silence when the body ended in a blank', () => {
    const wrong = frameOf(`${hello} `, (length) => `Content-Length: ${length - 1}\r\n\r\n`);
    const { messages, faults } = collectFrames([Buffer.concat([wrong, next, next])]);
    expect(messages).toEqual([helloValue]);
    expect(faults).toHaveLength(1);
  });
});

describe('PRO-05 log lines on stdout', () => {
  const log = Buffer.from('INFO: starting up\nContent is good\r\n\n\x1b[31mred: 1\x1b[0m\n');

  it('are skipped and counted before, between and after frames', () => {
    const stream = Buffer.concat([log, next, log, next, next, log, next]);
    for (const size of [1, 7, stream.length]) {
      const { reader, messages, faults } = collectFrames(cut(stream, size));
      expect(faults).toEqual([]);
      expect(messages).toEqual(Array(4).fill(nextValue));
      expect(reader.strayLines).toBe(12);
    }
  });

  it('may be 100 between two frames, as often as there are frames, and not 101', () => {
    const lines = (count: number) => Buffer.from('a line of a log\n'.repeat(count));
    const often = Array.from({ length: 5 }, () => [lines(limits.frame.strayLines), next]).flat();
    const { reader, messages, faults } = collectFrames(often);
    expect(faults).toEqual([]);
    expect(messages).toHaveLength(5);
    expect(reader.strayLines).toBe(500);
    expect(collectFrames([lines(limits.frame.strayLines + 1), next])).toMatchObject({
      messages: [],
      faults: [{ code: 'server_crashed' }],
    });
  });

  it('may be 64 KiB between two frames, and not a byte more', () => {
    const line = (bytes: number) => Buffer.from(`${'x'.repeat(bytes - 1)}\n`);
    for (const size of [1, 4096, 1 << 20]) {
      const fits = Buffer.concat([line(1000), line(limits.frame.strayBytes - 1000), next]);
      expect(collectFrames(cut(fits, size))).toMatchObject({ messages: [nextValue], faults: [] });
      const tooLong = Buffer.concat([line(1000), line(limits.frame.strayBytes - 999), next]);
      expect(collectFrames(cut(tooLong, size)).faults).toHaveLength(1);
    }
  });
});

describe('PRO-06 the borders of chunks', () => {
  const stream = Buffer.concat([frameOf(hello), Buffer.from('a log\n'), frameOf(hello), next]);
  const expected = [helloValue, helloValue, nextValue];

  it('make no difference wherever a stream is cut in two', () => {
    for (let at = 0; at <= stream.length; at++) {
      const { messages, faults } = collectFrames([stream.subarray(0, at), stream.subarray(at)]);
      expect(faults).toEqual([]);
      expect(messages).toEqual(expected);
    }
  });

  it('make no difference for chunks of any one size, from a byte up', () => {
    for (let size = 1; size <= stream.length; size++) {
      expect(collectFrames(cut(stream, size)).messages).toEqual(expected);
    }
  });

  it('make no difference for 1000 messages in one chunk, which come in order', () => {
    const bodies = Array.from({ length: 1000 }, (_, index) => ({ index, text: '😀é字' }));
    const bytes = Buffer.concat(bodies.map((body) => frameOf(JSON.stringify(body))));
    expect(collectFrames([bytes]).messages).toEqual(bodies);
    expect(collectFrames(cut(bytes, 3)).messages).toEqual(bodies);
  });

  it('leave a message untouched by what happens to the chunk afterwards', () => {
    const chunk = frameOf(hello);
    const { messages } = collectFrames([chunk]);
    chunk.fill(0);
    expect(messages).toEqual([helloValue]);
  });
});

describe('PRO-07 a body that is not UTF-8', () => {
  const wrong: readonly [string, readonly number[]][] = [
    ['a stray continuation byte', [0x80]],
    ['a byte that never occurs', [0xff]],
    ['an overlong form', [0xc0, 0xaf]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['a code point past the last', [0xf4, 0x90, 0x80, 0x80]],
    ['a character that is cut off', [0xf0, 0x9f, 0x98]],
  ];
  it.each(wrong)('is a fault for %s, and no U+FFFD comes through', (_name, bytes) => {
    const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')]);
    const { messages, faults } = collectFrames([next, frameOf(body), next]);
    expect(messages).toEqual([nextValue]);
    expect(faults).toHaveLength(1);
    expect(faults[0]?.message).toContain('not valid UTF-8');
  });

  it('is none for U+FFFD itself', () => {
    expect(collectFrames([frameOf('"\ufffd"')]).messages).toEqual(['\ufffd']);
  });
});

describe('PRO-08 marks and names of the encoding', () => {
  it('accepts a byte order mark before the body', () => {
    expect(collectFrames([frameOf(`\ufeff${hello}`), next]).messages).toEqual([helloValue, nextValue]);
  });

  const types: readonly [string, boolean][] = [
    ['application/vscode-jsonrpc', true],
    ['application/vscode-jsonrpc; charset=utf-8', true],
    ['application/vscode-jsonrpc; charset=utf8', true],
    ['application/vscode-jsonrpc;charset="UTF-8"', true],
    ['application/json; version=1; Charset = utf-8', true],
    ['application/vscode-jsonrpc; charset=utf-16', false],
    ['application/vscode-jsonrpc; charset=utf-16le', false],
    ['application/vscode-jsonrpc; charset="latin1"', false],
    ['application/vscode-jsonrpc; charset=', false],
  ];
  it.each(types)('reads the type "%s" as accepted: %s', (type, accepted) => {
    const frame = frameOf(hello, (length) => `Content-Length: ${length}\r\nContent-Type: ${type}\r\n\r\n`);
    const { messages, faults } = collectFrames([frame]);
    expect(messages).toEqual(accepted ? [helloValue] : []);
    expect(faults).toHaveLength(accepted ? 0 : 1);
  });
});

describe('the body of a message', () => {
  const nested = (levels: number, [open, close]: string = '[]') =>
    `${(open ?? '').repeat(levels)}${(close ?? '').repeat(levels)}`;

  it('may nest 256 levels and not 257', () => {
    expect(collectFrames([frameOf(nested(limits.frame.depth))]).faults).toEqual([]);
    expect(collectFrames([frameOf(nested(limits.frame.depth + 1))]).faults).toHaveLength(1);
    const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    expect(collectFrames([frameOf(objects(limits.frame.depth))]).faults).toEqual([]);
    expect(collectFrames([frameOf(objects(limits.frame.depth + 1))]).faults).toHaveLength(1);
  });

  it('of 100,000 levels is a fault', () => {
    expect(collectFrames([frameOf(nested(100_000))]).faults[0]?.message).toContain('nests deeper than 256');
  });

  it('has brackets in strings that do not count as levels, whatever is escaped', () => {
    const values = [
      '['.repeat(1000),
      '\\"'.repeat(500),
      `\\${'{'.repeat(500)}"`,
      `"${'['.repeat(500)}`,
      '字['.repeat(400),
    ];
    expect(collectFrames([frameOf(JSON.stringify(values))]).messages).toEqual([values]);
  });

  it('has levels after a string that count', () => {
    const body = `["a\\\\",${nested(limits.frame.depth)}]`;
    expect(collectFrames([frameOf(body)]).faults).toHaveLength(1);
  });

  it.each(['{', 'hello', '{"a":1}}', '{"a":1}{"b":2}', '[1,]', 'NaN', ' '])(
    'is a fault when it is %s',
    (body) => {
      const { messages, faults } = collectFrames([frameOf(body), next]);
      expect(messages).toEqual([]);
      expect(faults).toHaveLength(1);
    },
  );

  it('may be any JSON value with blanks around it', () => {
    expect(collectFrames(['null', '3', '[]', ' {} \r\n'].map((body) => frameOf(body))).messages).toEqual([
      null,
      3,
      [],
      {},
    ]);
  });

  it('with the key __proto__ changes no prototype', () => {
    const [message] = collectFrames([frameOf('{"__proto__":{"polluted":true}}')]).messages;
    expect(Object.getPrototypeOf(message)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

it('a reader that was ended delivers nothing more, also from the chunk at hand', () => {
  const { reader, messages } = collectFrames([next, next.subarray(0, 5)]);
  reader.end();
  reader.push(next.subarray(5));
  expect(messages).toEqual([nextValue]);
});

describe('RES-01 a large body', () => {
  const items = Array.from({ length: 40_000 }, (_, index) => ({ index, text: 'some words' }));
  const large = frameOf(JSON.stringify({ items }));

  it('is parsed in slices, and what came after it is heard after it', async () => {
    expect(large.length).toBeGreaterThan(limits.frame.atOnce);
    const collected = collectFrames([next, large, next, large, next]);
    expect(collected.reader.large).toBe(1);
    expect(collected.messages).toHaveLength(1);
    expect(collected.holds).toEqual([true]);
    const { messages, faults, holds } = await collected.free();
    expect(faults).toEqual([]);
    expect(messages.map((message) => JSON.stringify(message).length > 1_000)).toEqual([
      false,
      true,
      false,
      true,
      false,
    ]);
    expect(messages[1]).toEqual({ items });
    // Between the two nothing is free: who acts on the end of the bytes then would overtake the second.
    expect(holds).toEqual([true, true, false]);
  });

  it('lets other work go on meanwhile', async () => {
    const collected = collectFrames([frameOf(JSON.stringify(Array.from({ length: 10 }, () => items)))]);
    let turns = 0;
    const count = () => {
      turns += 1;
      if (collected.messages.length === 0) setImmediate(count);
    };
    count();
    await collected.free();
    expect(turns).toBeGreaterThan(2);
  });

  it.each([
    ['no JSON', `{"a":[${'1,'.repeat(200_000)}]}`, /not JSON/],
    ['RES-03 too deep', `${'[1,'.repeat(150_000)}1${']'.repeat(150_000)}`, /fake .*deeper than 256/],
  ])('is a fault where it is %s, after which nothing comes', async (_name, body, told) => {
    const { messages, faults } = await collectFrames([next, frameOf(body), next]).free();
    expect(messages).toHaveLength(1);
    expect(faults.map(({ message }) => message)).toEqual([expect.stringMatching(told)]);
  });

  it('is not delivered once the reader has ended', async () => {
    const collected = collectFrames([large, next]);
    collected.reader.end();
    const { messages, faults } = await collected.free();
    expect({ messages, faults }).toEqual({ messages: [], faults: [] });
  });
});
