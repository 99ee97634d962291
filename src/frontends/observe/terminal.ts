import type { WriteStream } from 'node:tty';
import { limits } from '../../core/limits.ts';
import { visibleLine } from '../../core/wording/visible.ts';

/** Returns a text in a style, where that can be shown. */
export type Paint = (style: 'red' | 'yellow' | 'green' | 'bold' | 'dim', text: string) => string;

const codes = { red: 31, yellow: 33, green: 32, bold: 1, dim: 2 } as const;

/** Returns how to colour what is written to a stream: only on a terminal, and not against the user's will. */
export function paintFor(
  stream: Pick<WriteStream, 'isTTY'>,
  { NO_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
): Paint {
  // https://no-color.org says that every value counts but an empty one.
  const isColoured = stream.isTTY && !NO_COLOR && TERM !== 'dumb';
  return (style, text) => (isColoured ? `\u001b[${codes[style]}m${text}\u001b[0m` : text);
}

/** A line that says what is waited for, and goes when it is over. */
export interface ProgressLine {
  show(text: string): void;
  clear(): void;
}

/** Returns a line of progress on a terminal; without one nothing is shown. */
export function progressLine(
  stream: Pick<WriteStream, 'isTTY' | 'columns' | 'write'>,
  { TERM }: Readonly<Record<string, string | undefined>>,
): ProgressLine {
  if (!stream.isTTY || TERM === 'dumb') return { show: () => {}, clear: () => {} };
  const erase = '\r\u001b[K';
  return {
    show: (text) => {
      const shown = visibleLine(`… ${text}`).slice(0, Math.max(0, stream.columns - 1));
      stream.write(`${erase}${shown}`);
    },
    clear: () => void stream.write(erase),
  };
}

/** Shows what is waited for, once that has taken long enough to wonder. */
export function waitingLine(
  stream: Pick<WriteStream, 'isTTY' | 'columns' | 'write'>,
  environment: Readonly<Record<string, string | undefined>>,
  initial: string,
): ProgressLine {
  const line = progressLine(stream, environment);
  let told = initial;
  let isShown = false;
  const timer = setTimeout(() => {
    isShown = true;
    line.show(told);
  }, limits.terminal.silence).unref();
  return {
    show: (text) => {
      told = text;
      if (isShown) line.show(text);
    },
    clear: () => {
      clearTimeout(timer);
      if (isShown) line.clear();
      isShown = false;
    },
  };
}
