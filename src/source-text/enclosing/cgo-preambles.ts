/** The code of C in a file of Go. */
interface Preamble {
  readonly start: number;
  readonly end: number;
  /** Without the marks of the comments in which it stands, which are blanks here. */
  readonly code: string;
}

/** Returns the code of C of a file of Go for each `import "C"`: it is in the comments right above. */
export function cgoPreambles(text: string): readonly Preamble[] {
  return Array.from(text.matchAll(cgoImport), ({ index }) => {
    const end = beforeBreak(text, index);
    const lines: string[] = [];
    let start = end;
    for (
      let at = end, above = commentBefore(text, at);
      above !== undefined;
      above = commentBefore(text, at)
    ) {
      const isBlock = text.startsWith('/*', above);
      const code = isBlock
        ? `  ${text.slice(above + 2, at - 2)}  `
        : text.slice(above, at).replace('//', '  ');
      lines.push(code + text.slice(at, lines.length === 0 ? at : start));
      start = above;
      at = beforeBreak(text, start);
    }
    return { start, end, code: lines.reverse().join('') };
  });
}

const cgoImport = /(?:^|(?<=\*\/))[ \t]*(?:import[ \t]*(?:\([ \t]*)?)?"C"[ \t\r]*(?:[;)]|\/[/*]|$)/gm;

/** Returns the end of what stands before an offset on its line, or else on the line above. */
function beforeBreak(text: string, offset: number): number {
  let end = offset;
  while (end > 0 && ' \t\r'.includes(text[end - 1] ?? '')) end -= 1;
  if (text[end - 1] !== '\n') return end;
  end -= 1;
  while (end > 0 && ' \t\r'.includes(text[end - 1] ?? '')) end -= 1;
  return end;
}

/** Returns the start of the comment that ends at an offset. */
function commentBefore(text: string, end: number): number | undefined {
  if (end === 0) return undefined;
  const line = text.lastIndexOf('\n', end - 1) + 1;
  if (/^[ \t]*\/\//.test(text.slice(line, end))) return line;
  const opened = text.endsWith('*/', end) ? text.lastIndexOf('/*', end - 2) : -1;
  return opened === -1 ? undefined : opened;
}
