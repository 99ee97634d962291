/**
 * Returns the beginning of a C text up to its code: comments and lines of the preprocessor. What is included there is read
 * once, and again if that beginning changes.
 */
export function preambleOf(text: string): string {
  for (let at = 0; ; ) {
    space.lastIndex = at;
    space.test(text);
    const start = space.lastIndex;
    if (text.startsWith('//', start)) at = endOfLine(text, start);
    else if (text.startsWith('/*', start)) at = endOfComment(text, start);
    else if (text.startsWith('#', start)) at = endOfDirective(text, start);
    else return text.slice(0, start);
  }
}

const space = /\s*/y;

/** Returns where a line ends that may be continued by a backslash. */
function endOfLine(text: string, start: number): number {
  lineEnds.lastIndex = start;
  return lineEnds.test(text) ? lineEnds.lastIndex : text.length;
}

const lineEnds = /(?<!\\\r?)\n/g;

function endOfComment(text: string, start: number): number {
  const end = text.indexOf('*/', start + 2);
  return end === -1 ? text.length : end + 2;
}

/** A line of the preprocessor also goes on over the lines of a comment in it. */
function endOfDirective(text: string, start: number): number {
  for (let at = start; ; ) {
    directiveEnds.lastIndex = at;
    const found = directiveEnds.exec(text)?.[0];
    if (found === undefined) return text.length;
    const { lastIndex } = directiveEnds;
    if (found === '\n') return lastIndex;
    if (found === '//') return endOfLine(text, lastIndex);
    at = found === '/*' ? endOfComment(text, lastIndex - 2) : lastIndex;
  }
}

const directiveEnds = /\\\r?\n|\/\*|\/\/|\n/g;
