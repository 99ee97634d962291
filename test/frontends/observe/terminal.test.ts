import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { waitingLine } from '../../../src/frontends/observe/terminal.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function terminal(isTTY: boolean) {
  const written: string[] = [];
  const write = (text: string) => written.push(text) > 0;
  return { stream: { isTTY, columns: 40, write }, written };
}

describe('what is waited for', () => {
  it('is shown after a second, then each time that it changes, and removed at the end', () => {
    const { stream, written } = terminal(true);
    const line = waitingLine(stream, {}, 'waiting for find_references');
    vi.advanceTimersByTime(999);
    expect(written).toEqual([]);
    vi.advanceTimersByTime(1);
    line.show('typescript: loading the project');
    line.clear();
    const erase = '\r\u001b[K';
    expect(written).toEqual([
      `${erase}… waiting for find_references`,
      `${erase}… typescript: loading the project`,
      erase,
    ]);
  });

  it('is not shown if it takes less, and nothing is written without a terminal', () => {
    const { stream, written } = terminal(true);
    const line = waitingLine(stream, {}, 'waiting');
    line.show('loading');
    line.clear();
    vi.advanceTimersByTime(5000);
    expect(written).toEqual([]);
    const pipe = terminal(false);
    waitingLine(pipe.stream, {}, 'waiting');
    vi.advanceTimersByTime(5000);
    expect(pipe.written).toEqual([]);
  });
});
