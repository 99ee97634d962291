import fc from 'fast-check';
import { expect, it } from 'vitest';
import { collectFrames } from './collect-frames.ts';
import { readReference, refused } from './reference-reader.ts';

const body = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify({ value, text: '😀é字"\\' })),
  fc.constantFrom('', '{', '\ufeff{}', '{} '),
);
const name = fc.constantFrom(
  'Content-Length',
  'content-length',
  'CONTENT-LENGTH',
  'Content-Length ',
  'X-Length',
);
const blanks = fc.constantFrom('', ' ', '  ', '\t');
const lineEnd = fc.constantFrom('\r\n', '\r\n', '\r\n', '\n', '\r\r\n');
const delta = fc.constantFrom(0, 0, 0, 0, 0, 0, 1, -1);
const suffix = fc.constantFrom('', '', '', '', '', '', 'abc', 'e1', '.0');
const extra = fc.constantFrom(
  '',
  '',
  '',
  'X-A: b',
  'Content-Type: a/b; charset=utf-8',
  'Content-Type: a; charset=utf-16',
  'oops',
);
const frame = fc
  .tuple(body, name, blanks, lineEnd, delta, suffix, extra)
  .map(([text, key, blank, end, off, tail, field]) => {
    const bytes = Buffer.from(text);
    const fields = [`${key}:${blank}${bytes.length + off}${tail}`, ...(field === '' ? [] : [field])];
    return Buffer.concat([Buffer.from(fields.map((line) => line + end).join('') + end), bytes]);
  });
const good = body.map((text) => {
  const bytes = Buffer.from(text === '' || text === '{' ? 'null' : text);
  return Buffer.concat([Buffer.from(`Content-Length: ${bytes.length}\r\n\r\n`), bytes]);
});
const noise = fc.oneof(
  fc
    .constantFrom('INFO ready\n', '\n', 'a: b\r\n', '...', 'Content-Length\n', 'Content-Length: 3', '\r')
    .map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
);
const part = fc.oneof(
  { weight: 8, arbitrary: good },
  { weight: 3, arbitrary: frame },
  { weight: 2, arbitrary: noise },
);

it('PRO-32 a reader that gets any stream in any chunks agrees with a plain reference on the whole', () => {
  const seed = Number(process.env.LSPAN_SEED ?? Date.now() % 2 ** 31);
  console.info(`frame-reader.differential seed: ${seed}`);
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });
  const agrees = fc.property(fc.array(part, { maxLength: 8 }), sizes, (parts, cuts) => {
    const stream = Buffer.concat(parts);
    for (const goesOn of [false, true]) {
      const { messages, faults } = collectFrames(inChunks(stream, cuts), goesOn ? refused : undefined);
      expect({ messages, isFault: faults.length > 0 }).toEqual(readReference(stream, goesOn));
      expect(faults.length).toBeLessThanOrEqual(1);
    }
  });
  fc.assert(agrees, { seed, numRuns: 3000 });
});

function* inChunks(stream: Buffer, sizes: readonly number[]): Generator<Buffer> {
  let at = 0;
  for (let turn = 0; at < stream.length; turn++) {
    const end = at + (sizes[turn % sizes.length] ?? 1);
    yield stream.subarray(at, end);
    at = end;
  }
}
