import { extname } from 'node:path';

/** The lexical kind of a place in a text. */
export type Lexical = 'code' | 'comment' | 'string';

/**
 * Returns the lexical kinds at ascending offsets of a file's text. Only recognises the comments and strings of the
 * language, which is enough to explain why a word is not a use of a symbol.
 */
export function lexicalAt(file: string, text: string, offsets: readonly number[]): Lexical[] {
  const kept = patterns[languageExtension(file)];
  if (!kept) return offsets.map(() => 'code');
  const pattern = new RegExp(kept, 'g');
  let match = pattern.exec(text);
  return offsets.map((offset) => {
    while (match && match.index + match[0].length <= offset) match = pattern.exec(text);
    if (!match || match.index > offset) return 'code';
    if (match[1] !== undefined) return 'comment';
    return isInterpolated(text, match.index, offset) ? 'code' : 'string';
  });
}

/** Returns the strings and comments of a file's text that go over several lines, in order. */
export function textAcrossLines(
  file: string,
  text: string,
): readonly { readonly start: number; readonly end: number }[] {
  const kept = patterns[languageExtension(file)];
  if (!kept || !mayGoOn(text)) return [];
  return [...text.matchAll(new RegExp(kept, 'g'))].flatMap(({ index, 0: match }) =>
    match.includes('\n') ? [{ start: index, end: index + match.length }] : [],
  );
}

/** The template of a file has its language. */
function languageExtension(file: string): string {
  return extname(file.replace(/\.in$/i, '')).slice(1).toLowerCase();
}

/** True if a text may have a string over several lines, or a comment whose lines begin with anything. */
function mayGoOn(text: string): boolean {
  return longText.test(text) || goesOnInBackquotes(text);
}

const longText = /"""|'''|\/\*[^\n]*\n(?!\s*\*)/;

function goesOnInBackquotes(text: string): boolean {
  for (let open = text.indexOf('`'); open !== -1; ) {
    const close = text.indexOf('`', open + 1);
    const end = text.indexOf('\n', open);
    if (close === -1 || (end !== -1 && end < close)) return true;
    open = text.indexOf('`', close + 1);
  }
  return false;
}

/** True if an offset in a string is inside an expression: `${…}` in backquotes, `{…}` in an f-string of Python. */
function isInterpolated(text: string, start: number, offset: number): boolean {
  const isTemplate = text[start] === '`';
  const isFormat =
    !isTemplate && /(?<![\w])(?:[fFtT][rR]?|[rR][fFtT])$/.test(text.slice(Math.max(0, start - 3), start));
  if (!isTemplate && !isFormat) return false;
  let depth = 0;
  for (let at = start + 1; at < offset; at += 1) {
    const character = text[at];
    if (depth === 0 && character === '\\') at += 1;
    else if (depth === 0 && isFormat && character === '{' && text[at + 1] === '{') at += 1;
    else if (character === '{' && (depth > 0 || isFormat || /(?<!\\)\$$/.test(text.slice(at - 2, at))))
      depth += 1;
    else if (character === '}' && depth > 0) depth -= 1;
  }
  return depth > 0;
}

const toEndOfLine = (mark: string) => `${mark}[^\\n]*`;
const between = (open: string, close: string) => `${open}[\\s\\S]*?(?:${close}|$)`;
/** An unclosed string ends with its line, so that an apostrophe does little harm. */
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
/** A regular expression, where no division is possible; bounded, since an unclosed one is retried at every slash. */
const expression =
  '(?<=[(,=:\\[!&|?{};]\\s{0,9})\\/(?![/*])(?:\\\\.|\\[(?:\\\\.|[^\\]\\\\\\n]){0,99}\\]|[^/\\\\\\n[]){1,299}\\/';

/** By file extension. The match that begins first wins, so that a comment mark within a string begins no comment. */
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
    extensions:
      'c h cc cpp cxx hh hpp hxx ipp inl cu cuh m mm proto zig prisma y yy ypp tcc def inc xs i swg',
    comments: [slashes, starred],
    strings: [double, single],
  },
  // The patterns of a lexer have single quotes, and marks of comments, in their brackets.
  {
    extensions: 'l ll lex re rl',
    comments: [toEndOfLine('(?<=(?:^|\\n)[ \\t]*)\\/\\/'), between('(?<=(?:^|\\n)[ \\t]*)\\/\\*', '\\*\\/')],
    strings: [],
  },
  { extensions: 's asm', comments: [slashes, starred], strings: [double] },
  {
    extensions: 'go',
    comments: [slashes, starred],
    strings: [double, between('`', '`'), "'(?:\\\\.[^'\\n]{0,9}|[^'\\\\\\n])'"],
  },
  // The pattern of characters excludes lifetimes and labels.
  {
    extensions: 'rs',
    comments: [slashes, starred],
    strings: [between('r#"', '"#'), quotedLong('"'), "'(?:\\\\.[^'\\n]{0,9}|[^'\\\\\\n])'"],
  },
  { extensions: 'php', comments: [slashes, starred, hash], strings: [quotedLong('"'), quotedLong("'")] },
  { extensions: 'py pyi pyx pxd pxi pyw', comments: [hash], strings: [...pythonLong, double, single] },
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

/** Patterns by extension, with the comments as the only group. */
const patterns: Readonly<Record<string, string>> = Object.fromEntries(
  languages.flatMap(({ extensions, comments, strings }) =>
    extensions.split(' ').map((name) => [name, [`(${comments.join('|')})`, ...strings].join('|')]),
  ),
);
