import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineReader } from '../../../../src/frontends/mcp/stdio/stdio-transport.ts';

function read(limit: number, chunks: readonly Buffer[]): string[] {
  const seen: string[] = [];
  const reader = new LineReader(limit, {
    onLine: (line) => seen.push(line.toString('latin1')),
    onTooLong: () => seen.push('<too long>'),
  });
  for (const chunk of chunks) reader.push(chunk);
  return seen;
}

test('however bytes are cut into chunks, the lines are the same', () => {
  const text = fc.array(fc.constantFrom(...Buffer.from('ab\n\r\u00ff')), { maxLength: 60 });
  fc.assert(
    fc.property(text, fc.array(fc.nat(60), { maxLength: 6 }), (bytes, cuts) => {
      const whole = Buffer.from(bytes);
      const edges = [
        0,
        ...cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b),
        whole.length,
      ];
      const chunks = edges.slice(1).map((end, index) => whole.subarray(edges[index], end));
      const lines = whole.toString('latin1').split('\n').slice(0, -1);
      const expected = lines.map((line) => (line.length > 5 ? '<too long>' : line));
      const unfinished = whole.subarray(whole.lastIndexOf(10) + 1).length > 5 ? ['<too long>'] : [];
      expect(read(5, chunks)).toEqual([...expected, ...unfinished]);
    }),
  );
});

test('a line of exactly the limit is read, one byte more is told once and skipped to its end', () => {
  expect(read(4, [Buffer.from('1234\n12345\n'), Buffer.from('12345'), Buffer.from('6789\nok\n')])).toEqual([
    '1234',
    '<too long>',
    '<too long>',
    'ok',
  ]);
});

test('many chunks of one line are not copied again and again', () => {
  const chunk = Buffer.alloc(16, 'x');
  const chunks = Array.from({ length: 200_000 }, () => chunk);
  expect(read(4_000_000, [...chunks, Buffer.from('\n')])[0]).toHaveLength(3_200_000);
});
