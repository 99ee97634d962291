import { limits } from '../../core/limits.ts';

/** Breaks a text into lines that fit a terminal. */
export function wrapped(text: string, width: number = limits.terminal.columns): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Lays out pairs in two columns that fit a terminal; the right one begins below a left one that is too long. */
export function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const { columns: all, left: most } = limits.terminal;
  const lengths = rows.map(([left]) => left.length).filter((length) => length <= most);
  const width = Math.max(0, ...lengths) + 4;
  return rows.flatMap(([left, right]) => {
    const [first = '', ...others] = wrapped(right, all - width);
    const isShort = left.length + 4 <= width;
    const beside = `  ${left}`.padEnd(width);
    const head = isShort
      ? [`${beside}${first}`]
      : [...wrapped(left, all - 2).map((line) => `  ${line}`), `${' '.repeat(width)}${first}`];
    return [...head, ...others.map((line) => `${' '.repeat(width)}${line}`)];
  });
}
