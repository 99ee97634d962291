// Streams of a language server, good and bad, from a seed.

/** A function that gives a whole number from 0 up to another, the same ones for the same seed. */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** Some frames and what may stand between them, most of them good. */
export function randomStream(random) {
  const parts = Array.from({ length: 1 + random(6) }, () => {
    const kind = random(13);
    if (kind < 8) return frame(body(random));
    return kind < 11 ? oddFrame(random) : Buffer.from(pick(random, noises), 'latin1');
  });
  return Buffer.concat(parts);
}

/** Changes some bytes of a stream: of any value, of those that matter, away, twice, or from elsewhere in it. */
export function mutate(stream, random) {
  let bytes = stream;
  for (let turn = 1 + random(4); turn > 0; turn -= 1) {
    const [at, length] = [random(bytes.length + 1), 1 + random(12)];
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
    const change = [
      () => [before, Buffer.of(random(256)), after.subarray(1)],
      () => [before, Buffer.from(pick(random, tokens), 'latin1'), after],
      () => [before, Buffer.from(pick(random, tokens), 'latin1'), after.subarray(length)],
      () => [before, after.subarray(length)],
      () => [before, after.subarray(0, length), after],
      () => [before, bytes.subarray(random(bytes.length + 1)).subarray(0, length * 4), after],
      () => [before],
    ][random(7)];
    bytes = Buffer.concat(change());
  }
  return bytes;
}

function frame(text) {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from(`Content-Length: ${bytes.length}\r\n\r\n`), bytes]);
}

function oddFrame(random) {
  const bytes = Buffer.from(pick(random, oddBodies) ?? body(random));
  const length = `${bytes.length + pick(random, [0, 0, 0, 0, 1, -1])}${pick(random, ['', '', '', '', 'abc', 'e1', '.0'])}`;
  const end = pick(random, ['\r\n', '\r\n', '\r\n', '\n', '\r\r\n']);
  const name = pick(random, ['Content-Length', 'content-length', 'Content-Length ', 'X-Length']);
  const fields = [`${name}:${pick(random, ['', ' ', '  ', '\t'])}${length}`, ...pick(random, extras)];
  return Buffer.concat([Buffer.from(fields.map((field) => field + end).join('') + end), bytes]);
}

function body(random) {
  const id = pick(random, ['1', '"1"', 'null', '1.5', '{}', '[]', '9007199254740993', '1e400', '-0', 'true']);
  const value = pick(random, [
    'null',
    '[]',
    '{}',
    '"😀é字\\\\\\""',
    '[[{"a":[1,2.5e-7]}]]',
    '{"__proto__":{"x":1}}',
    '-1',
    '""',
  ]);
  return pick(random, [
    `{"jsonrpc":"2.0","id":${id},"result":${value}}`,
    `{"jsonrpc":"2.0","id":${id},"error":${value}}`,
    `{"jsonrpc":"2.0","id":${id},"method":"a/b","params":${value}}`,
    `{"jsonrpc":"2.0","method":${value},"params":${value}}`,
    `{"id":${id},"id":2,"result":${value},"error":${value},"method":null}`,
    value,
  ]);
}

function pick(random, choices) {
  return choices[random(choices.length)];
}

const oddBodies = [undefined, undefined, '', '{', '\ufeff{}', '{} ', ' null', 'x', '"\ud800"'];
const extras = [
  [],
  [],
  [],
  ['X-A: b'],
  ['Content-Type: a/b; charset=utf-8'],
  ['Content-Type: a; charset=utf-16'],
  ['Content-Length: 2'],
  ['oops'],
];
const noises = [
  'INFO ready\n',
  '\n',
  'a: b\r\n',
  '...',
  'Content-Length\n',
  'Content-Length: 3',
  '\r',
  '\xff\x80\n',
  '\0',
];
const tokens = [
  'Content-Length: ',
  'content-type:',
  'charset=',
  'utf-16',
  ';',
  '"',
  '\r\n',
  '\r\n\r\n',
  '\n',
  '\r',
  ':',
  '0',
  '9',
  '99999999',
  '-',
  ' ',
  '\t',
  '{',
  '}',
  '[',
  ']',
  '\\',
  '\\u0000',
  '\xef\xbb\xbf',
  '\xf0\x9f',
  '\x80',
  '\xff',
  '\0',
  '1e400',
  '"__proto__":',
];
