/**
 * What a snippet would write if nothing was typed at its stops: `f(${1:a}, $2)$0` is `f(a, )`. What is no snippet after
 * all stays as it is.
 * https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#snippet_syntax
 */
export function plainSnippet(snippet: string): string {
  let plain = '';
  /** How many placeholders are open. */
  let open = 0;
  for (let at = 0; at < snippet.length; ) {
    const rest = snippet.slice(at, at + longestMark);
    const mark = marks.find(({ pattern }) => pattern.test(rest));
    const found = mark?.pattern.exec(rest);
    if (mark && found) {
      plain += mark.writes(found);
      open += mark.opens ?? 0;
      at += found[0].length;
    } else {
      if (snippet[at] === '}' && open > 0) open -= 1;
      else plain += snippet[at];
      at += 1;
    }
  }
  return plain;
}

/** No mark is looked for beyond this. */
const longestMark = 500;

/** What may stand in a snippet, what is longest first. */
const marks: readonly {
  readonly pattern: RegExp;
  readonly writes: (found: RegExpExecArray) => string;
  readonly opens?: number;
}[] = [
  { pattern: /^\\([\\$}|,])/, writes: ([, escaped = '']) => escaped },
  // The first of several choices.
  {
    pattern: /^\$\{\d+\|((?:\\.|[^\\,|])*)(?:,(?:\\.|[^\\|])*)?\|\}/,
    writes: ([, first = '']) => first.replace(/\\(.)/g, '$1'),
  },
  { pattern: /^\$\{\w+:/, writes: () => '', opens: 1 },
  { pattern: /^\$\{\w+(?:\/(?:\\.|[^\\}])*)?\}/, writes: () => '' },
  { pattern: /^\$\w+/, writes: () => '' },
];
