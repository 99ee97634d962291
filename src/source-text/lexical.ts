import { extname } from 'node:path';

/** What a place in a text is to its language. */
export type Lexical = 'code' | 'comment' | 'string';

/**
 * What stands at some places of a file's text, given by their offsets in rising order. It is told by the comments and
 * strings of the language alone, which is enough to say why a word there is no use of a symbol.
 */
export function lexicalAt(file: string, text: string, offsets: readonly number[]): Lexical[] {
  const kept = patterns[extname(file).slice(1).toLowerCase()];
  if (!kept) return offsets.map(() => 'code');
  const pattern = new RegExp(kept, 'g');
  let match = pattern.exec(text);
  return offsets.map((offset) => {
    while (match && match.index + match[0].length <= offset) match = pattern.exec(text);
    if (!match || match.index > offset) return 'code';
    return match[1] === undefined ? 'string' : 'comment';
  });
}

const toEndOfLine = (mark: string) => `${mark}[^\\n]*`;
const between = (open: string, close: string) => `${open}[\\s\\S]*?(?:${close}|$)`;
/** One that is not closed ends with its line, so that an apostrophe does no more harm than that. */
const quoted = (mark: string) => `${mark}(?:\\\\[\\s\\S]|[^${mark}\\\\\\n])*${mark}?`;
const quotedLong = (mark: string) => `${mark}(?:\\\\[\\s\\S]|[^${mark}\\\\])*${mark}?`;

const slashes = toEndOfLine('\\/\\/');
const starred = between('\\/\\*', '\\*\\/');
const hash = toEndOfLine('#');
const dashes = toEndOfLine('--');
const single = quoted("'");
const double = quoted('"');
const marked = between('<!--', '-->');
const pythonLong = [between('"""', '"""'), between("'''", "'''")];
/** After what no division can follow; bounded, since one that is not closed is looked for again at every slash. */
const expression =
  '(?<=[(,=:\\[!&|?{};]\\s{0,9})\\/(?![/*])(?:\\\\.|\\[(?:\\\\.|[^\\]\\\\\\n]){0,99}\\]|[^/\\\\\\n[]){1,299}\\/';

/** The comments and strings of languages, by the extensions of their files. A string that holds a comment's mark comes first. */
const languages: readonly {
  readonly extensions: string;
  readonly comments: readonly string[];
  readonly strings: readonly string[];
}[] = [
  {
    extensions: 'ts mts cts tsx js mjs cjs jsx',
    comments: [slashes, starred],
    strings: [double, single, quotedLong('`'), expression],
  },
  {
    extensions: 'vue svelte astro',
    comments: [marked, slashes, starred],
    strings: [double, single, quotedLong('`')],
  },
  {
    extensions: 'java kt kts scala swift dart groovy gradle cs',
    comments: [slashes, starred],
    strings: [between('"""', '"""'), double, single],
  },
  {
    extensions: 'c h cc cpp cxx hh hpp hxx ipp inl cu cuh m mm proto zig prisma',
    comments: [slashes, starred],
    strings: [double, single],
  },
  {
    extensions: 'go',
    comments: [slashes, starred],
    strings: [double, between('`', '`'), "'(?:\\\\.[^'\\n]{0,9}|[^'\\\\\\n])'"],
  },
  // Neither a lifetime nor a label is a string.
  {
    extensions: 'rs',
    comments: [slashes, starred],
    strings: [between('r#"', '"#'), quotedLong('"'), "'(?:\\\\.[^'\\n]{0,9}|[^'\\\\\\n])'"],
  },
  { extensions: 'php', comments: [slashes, starred, hash], strings: [quotedLong('"'), quotedLong("'")] },
  { extensions: 'py pyi pyx', comments: [hash], strings: [...pythonLong, double, single] },
  {
    extensions: 'rb ex exs r jl pl pm nix tf',
    comments: [hash],
    strings: [quotedLong('"'), quotedLong("'")],
  },
  {
    extensions: 'sh bash zsh',
    comments: ['(?<![$\\w{])#[^\\n]*'],
    strings: [quotedLong('"'), between("'", "'")],
  },
  { extensions: 'yaml yml toml', comments: ['(?<=^|\\s)#[^\\n]*'], strings: [double, single] },
  { extensions: 'css', comments: [starred], strings: [double, single] },
  { extensions: 'scss less sass', comments: [slashes, starred], strings: [double, single] },
  { extensions: 'html htm xml', comments: [marked], strings: [] },
  { extensions: 'lua', comments: [between('--\\[\\[', '\\]\\]'), dashes], strings: [double, single] },
  { extensions: 'sql', comments: [dashes, starred], strings: [quotedLong("'")] },
  { extensions: 'hs elm', comments: [between('\\{-', '-\\}'), dashes], strings: [double] },
  { extensions: 'ml mli', comments: [between('\\(\\*', '\\*\\)')], strings: [quotedLong('"')] },
  { extensions: 'f f90 f95 f03 f08 for', comments: [toEndOfLine('!')], strings: [double, single] },
  { extensions: 'clj cljs edn el lisp', comments: [toEndOfLine(';')], strings: [quotedLong('"')] },
];

/** By extension, with the comments as the only group. */
const patterns: Readonly<Record<string, string>> = Object.fromEntries(
  languages.flatMap(({ extensions, comments, strings }) =>
    extensions.split(' ').map((name) => [name, [`(${comments.join('|')})`, ...strings].join('|')]),
  ),
);
