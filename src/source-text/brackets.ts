/** Returns the offset of the bracket around the end of a text. */
export function enclosing(before: string): number | undefined {
  let depth = 0;
  for (let at = before.length - 1; at >= 0; at -= 1) {
    const character = before[at] ?? '';
    if (')]}'.includes(character)) depth += 1;
    else if ('([{'.includes(character)) {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return undefined;
}

/** Returns the offset of the bracket that closes the one around the beginning of a text. */
export function closing(rest: string): number | undefined {
  let depth = 0;
  for (let at = 0; at < rest.length; at += 1) {
    const character = rest[at] ?? '';
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return undefined;
}

/** Blanks comments, strings and templates of a script, and keeps every offset. */
export function codeOnly(text: string): string {
  return text.replaceAll(words, blank);
}

const words =
  /\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`/g;

/** Blanks what is in brackets, and keeps every offset. */
export function outermost(text: string, inner = brackets): string {
  let [before, after] = ['', text];
  while (before !== after) [before, after] = [after, after.replaceAll(inner, blank)];
  return after;
}

const brackets = /[{[(][^{}[\]()]*[)\]}]|<[^<>=;]*>/g;

function blank(part: string): string {
  return part.replaceAll(/[^\n]/g, ' ');
}
