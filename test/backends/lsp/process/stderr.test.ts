import { describe, expect, it, vi } from 'vitest';
import { plainText, StderrLog, StderrRing } from '../../../../src/backends/lsp/process/stderr.ts';
import { limits } from '../../../../src/core/limits.ts';

describe('the ring of last words', () => {
  const ringOf = (...chunks: string[]) => {
    const ring = new StderrRing();
    for (const chunk of chunks) ring.append(Buffer.from(chunk));
    return ring;
  };

  it('gives the last lines, those cut across chunks too', () => {
    expect(ringOf('on', 'e\ntwo\n\nth', 'ree').tail(2)).toEqual(['two', 'three']);
  });

  it('keeps the last 64 KiB, in however many chunks they came', () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index}`);
    const pieces = ringOf(...lines.map((line) => `${line}\n`));
    const whole = ringOf(`${lines.join('\n')}\n`);
    expect(pieces.tail(3)).toEqual(lines.slice(-3));
    expect(whole.tail(20_000)).toEqual(pieces.tail(20_000));
    expect(lines.slice(-pieces.tail(20_000).length)).toEqual(pieces.tail(20_000));
  });

  it('cuts a line that never ends', () => {
    expect(ringOf('x'.repeat(limits.stderrRing * 2 + 7)).tail(5)).toEqual([
      `${'x'.repeat(limits.stderrLine)}…`,
    ]);
  });

  it('says nothing when nothing was said', () => {
    expect(ringOf().tail(5)).toEqual([]);
  });
});

describe('plain text', () => {
  it.each([
    ['\x1b[31;1mred\x1b[0m', 'red'],
    ['\x1b]8;;http://x\x07link\x1b]8;;\x1b\\', 'link'],
    ['10%\r20%\r\n', '10%\n20%\n'],
    ['a\0b\x07c\x9fd\te', 'abcd\te'],
    ['half \x1b', 'half '],
    ['half \x1b\nnext', 'half \nnext'],
    ['half \x1b]8;;\nnext', 'half \nnext'],
    ['half \x1b[3', 'half [3'],
  ])('of %j is %j', (output, shown) => {
    expect(plainText(output)).toBe(shown);
  });
});

describe('the log of stderr', () => {
  it('PRC-09 tells at most 200 lines a second, and how much it left out', () => {
    const log = vi.fn();
    let now = 0;
    const stderr = new StderrLog(log, 7, () => now);
    stderr.append(Buffer.from('line\n'.repeat(limits.stderrLinesPerSecond + 3)));
    expect(log).toHaveBeenCalledTimes(limits.stderrLinesPerSecond);
    expect(log).toHaveBeenLastCalledWith('debug', 'server_stderr', { pid: 7, text: 'line' });
    now = 1_000;
    stderr.append(Buffer.from('more\n'));
    expect(log.mock.calls.slice(-2)).toEqual([
      ['debug', 'server_stderr_skipped', { pid: 7, bytes: 15 }],
      ['debug', 'server_stderr', { pid: 7, text: 'more' }],
    ]);
  });

  it('joins lines that come in pieces, and keeps little of one that does not end', () => {
    const log = vi.fn();
    const stderr = new StderrLog(log, 7, () => 0);
    stderr.append(Buffer.from('he'));
    stderr.append(Buffer.from(`llo\n${'x'.repeat(100_000)}`));
    stderr.append(Buffer.from('y\nnext\n'));
    expect(log.mock.calls.map(([, , fields]) => fields.text)).toEqual([
      'hello',
      'x'.repeat(limits.stderrLine),
      'next',
    ]);
  });
});
