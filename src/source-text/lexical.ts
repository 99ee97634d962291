import { extname } from 'node:path';
import { limits } from '../core/limits.ts';
import { cgoPreambles } from './enclosing/cgo-preambles.ts';
import { type Template, templateAt } from './enclosing/templates.ts';

/** The lexical kind of a place in a text. */
export type Lexical = 'code' | 'comment' | 'string';

/**
 * Returns the lexical kinds at ascending offsets of a file's text. Only recognises the comments and strings of the
 * language, which is enough to explain why a word is not a use of a symbol.
 */
export function lexicalAt(file: string, text: string, offsets: readonly number[]): Lexical[] {
  const kept = patterns[languageOf(file, text)];
  if (!kept) return offsets.map(() => 'code');
  const tokens = new Tokens(kept, text);
  const ofC = file.endsWith('.go') ? kindsInPreambles(text, offsets) : undefined;
  let token = tokens.next();
  return offsets.map((offset) => {
    while (token && token.end <= offset) token = tokens.next();
    if (!token || token.start > offset) return 'code';
    if (token.isComment) return ofC?.get(offset) ?? 'comment';
    token.expressions ??= new FormatString(text, token.start);
    return token.expressions.hold(offset) ? 'code' : 'string';
  });
}

/** A comment or a string. */
interface Token extends Part {
  readonly isComment: boolean;
  expressions?: Expressions;
}

/** Tells at ascending offsets in a string whether they are in an expression. */
interface Expressions {
  hold(offset: number): boolean;
}

class Tokens {
  readonly #pattern: RegExp;
  readonly #text: string;
  /** A template that does not end would be read to the end of the text, and so would each after it. */
  #areTemplatesRead = true;

  constructor(pattern: string, text: string) {
    this.#pattern = new RegExp(pattern, 'g');
    this.#text = text;
  }

  next(): Token | undefined {
    const match = this.#pattern.exec(this.#text);
    if (!match) return undefined;
    const { index: start, 0: all, 1: comment } = match;
    const token = { start, end: start + all.length, isComment: comment !== undefined };
    if (!this.#areTemplatesRead || all[0] !== '`' || !all.includes('${')) return token;
    const template = templateAt(this.#text, start);
    this.#areTemplatesRead = template !== undefined;
    if (!template) return token;
    this.#pattern.lastIndex = template.end;
    return { ...token, end: template.end, expressions: new TemplateExpressions(template) };
  }
}

class TemplateExpressions implements Expressions {
  readonly #strings: Template['strings'];
  #next = 0;

  constructor({ strings }: Template) {
    this.#strings = strings;
  }

  hold(offset: number): boolean {
    while ((this.#strings[this.#next]?.end ?? Number.POSITIVE_INFINITY) <= offset) this.#next += 1;
    return (this.#strings[this.#next]?.start ?? 0) > offset;
  }
}

/** A part of a text. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/** Returns the comments of a file's text around ascending offsets, each once. */
export function commentsAround(file: string, text: string, offsets: readonly number[]): readonly Part[] {
  const kept = patterns[languageOf(file, text)];
  if (!kept || offsets.length === 0) return [];
  const found: Part[] = [];
  const left = offsets.values();
  let next = left.next();
  for (const { index, 0: match, 1: comment } of text.matchAll(new RegExp(kept, 'g'))) {
    const [start, end] = [index, index + match.length];
    while (!next.done && next.value < start) next = left.next();
    if (next.done) break;
    if (comment !== undefined && next.value < end) found.push({ start, end });
  }
  return found;
}

/** Returns the strings and comments of a file's text that go over several lines, in order. */
export function textAcrossLines(file: string, text: string): readonly Part[] {
  const kept = patterns[languageOf(file, text)];
  if (!kept || !mayGoOn(text)) return [];
  return [...text.matchAll(new RegExp(kept, 'g'))].flatMap(({ index, 0: match }) =>
    match.includes('\n') ? [{ start: index, end: index + match.length }] : [],
  );
}

/**
 * Returns the extension of a file's language: that of what a template makes, one for each kind of assembler, and for a script
 * without one that of what runs it.
 */
function languageOf(file: string, text: string): string {
  const extension = extname(file.replace(/\.in$/i, '')).slice(1).toLowerCase();
  if (extension === '') return scripts.find(([runner]) => runner.test(text))?.[1] ?? '';
  return extension === 's' && areaOfKeil.test(text) ? 'asm' : extension;
}

/** What the first lines of scripts name, and the extension of its language. */
const scripts = [
  [/^#![^\n]{0,200}\b(?:ba|da|k|z)?sh\b/, 'sh'],
  [/^#![^\n]{0,200}\bpython/, 'py'],
  [/^#![^\n]{0,200}\bphp/, 'php'],
] as const;

/** Begins a section in the assembler of ARM, whose files are called like those of the GNU assembler. */
const areaOfKeil = /^[ \t]+AREA[ \t]/m;

/** Returns the kinds of those offsets that are in the code of C above an `import "C"` of Go. */
function kindsInPreambles(text: string, offsets: readonly number[]): ReadonlyMap<number, Lexical> {
  const found = new Map<number, Lexical>();
  const left = offsets.values();
  let next = left.next();
  for (const { start, end, code } of cgoPreambles(text)) {
    const inside: number[] = [];
    for (; !next.done && next.value < end; next = left.next())
      if (next.value >= start) inside.push(next.value - start);
    for (const [index, kind] of kindsInC(code, inside).entries())
      found.set(start + (inside[index] ?? 0), kind);
  }
  return found;
}

function kindsInC(code: string, offsets: readonly number[]): readonly Lexical[] {
  const own = new Map<string, boolean>();
  return lexicalAt('preamble.c', code, offsets).map((kind, index) => {
    const at = offsets[index] ?? 0;
    const word = /^\w*/.exec(code.slice(at, at + limits.mentions.quoted))?.[0] ?? '';
    const isOwn = own.get(word) ?? isDefinedIn(code, word);
    own.set(word, isOwn);
    return isOwn ? 'comment' : kind;
  });
}

/** Returns whether a text of C defines a function, which is then no other file's. */
function isDefinedIn(code: string, word: string): boolean {
  return word !== '' && new RegExp(`\\b${word}\\s{0,50}${parameters}\\s{0,50}\\{`).test(code);
}

const parameters = '\\((?:[^;{}()]|\\([^;{}()]{0,100}\\)){0,500}\\)';

/** True if a text may have a string over several lines, or a comment whose lines begin with anything. */
function mayGoOn(text: string): boolean {
  return /"""|'''/.test(text) || goesOnInStars(text) || goesOnInBackquotes(text);
}

function goesOnInStars(text: string): boolean {
  for (let open = text.indexOf('/*'); open !== -1; ) {
    const end = text.indexOf('\n', open);
    if (end === -1) return false;
    nextStar.lastIndex = end + 1;
    if (!nextStar.test(text)) return true;
    open = text.indexOf('/*', end);
  }
  return false;
}

const nextStar = /\s*\*/y;

function goesOnInBackquotes(text: string): boolean {
  for (let open = text.indexOf('`'); open !== -1; ) {
    const close = text.indexOf('`', open + 1);
    const end = text.indexOf('\n', open);
    if (close === -1 || (end !== -1 && end < close)) return true;
    open = text.indexOf('`', close + 1);
  }
  return false;
}

/** Tells it of a string of Python, `{…}` in an f-string, and of a template that does not end. */
class FormatString implements Expressions {
  readonly #text: string;
  readonly #isTemplate: boolean;
  #at: number;
  #depth = 0;

  constructor(text: string, start: number) {
    this.#text = text;
    const isFormat = /(?<![\w])(?:[fFtT][rR]?|[rR][fFtT])$/.test(text.slice(Math.max(0, start - 3), start));
    this.#isTemplate = text[start] === '`';
    this.#at = this.#isTemplate || isFormat ? start + 1 : Number.POSITIVE_INFINITY;
  }

  hold(offset: number): boolean {
    for (; this.#at < offset; this.#at += 1) this.#step();
    return this.#depth > 0;
  }

  #step(): void {
    const [text, at] = [this.#text, this.#at];
    const character = text[at];
    const isDoubled = !this.#isTemplate && character === '{' && text[at + 1] === '{';
    if (this.#depth === 0 && (character === '\\' || isDoubled)) this.#at += 1;
    else if (
      character === '{' &&
      (this.#depth > 0 || !this.#isTemplate || /(?<!\\)\$$/.test(text.slice(at - 2, at)))
    )
      this.#depth += 1;
    else if (character === '}' && this.#depth > 0) this.#depth -= 1;
  }
}

const toEndOfLine = (mark: string) => `${mark}[^\\n]*`;
const between = (open: string, close: string) => `${open}[\\s\\S]*?(?:${close}|$)`;
/** An unclosed string ends with its line, so that an apostrophe does little harm. */
const quoted = (mark: string) => `${mark}(?:\\\\[\\s\\S]|[^${mark}\\\\\\n])*${mark}?`;
const quotedLong = (mark: string) => `${mark}(?:\\\\[\\s\\S]|[^${mark}\\\\])*${mark}?`;

/** A string in which a backslash is a backslash; its end repeats the mark of its begin. */
const raw = (open: string, close: string) => `(?<!\\w)${between(open, close)}`;

/** A mark with nothing but blanks before it on its line; looked for behind the mark, so that blanks alone cost nothing. */
const atBegin = (mark: string) => `${mark}(?<=(?:^|\\n)[ \\t]{0,200}${mark})`;

const slashes = toEndOfLine('\\/\\/');
const starred = between('\\/\\*', '\\*\\/');
const hash = toEndOfLine('#');
const dashes = toEndOfLine('--');
const single = quoted("'");
const double = quoted('"');
/** Between the digits of a number, an apostrophe separates them. */
const apostrophed = `(?<!(?<![\\w'])[0-9][\\w']{0,60})${single}`;
const marked = between('<!--', '-->');
const pythonLong = [between('"""', '"""'), between("'''", "'''")];
/** A regular expression, where no division is possible; bounded, since an unclosed one is retried at every slash. */
const expression =
  '(?<=(?:[(,=:\\[!&|?{};]|=>|(?<![.$\\w])(?:return|typeof|case|of|in|do|else|void|throw|yield|await))\\s{0,9})\\/(?![/*])(?:\\\\.|\\[(?:\\\\.|[^\\]\\\\\\n]){0,99}\\]|[^/\\\\\\n[]){1,299}\\/';

/** In assembler of ARM it also begins a number, and in that of C a line of the preprocessor. */
const hashOfAssembler = toEndOfLine(
  '#(?:(?<=(?:^|\\n)[ \\t]{0,200}#)(?![ \\t]{0,200}(?:include|import|define|undef|if|ifn?def|elif|else|endif|pragma)\\b)|(?<!(?:#|(?:^|\\n)[ \\t]{0,200})#)(?=[ \\t]))',
);
/** Elsewhere on a line it separates statements of the GNU assembler. */
const semicolonAtBegin = toEndOfLine(`${atBegin(';')}(?<!\\\\\\r?\\n[ \\t]{0,200};)`);

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
    extensions: 'java kt kts scala groovy gradle',
    comments: [slashes, starred],
    strings: [between('"""', '"""'), double, single],
  },
  {
    extensions: 'swift',
    comments: [slashes, starred],
    strings: [raw('(?<mark>#{1,9})"', '"\\k<mark>'), between('"""', '"""'), double, single],
  },
  {
    extensions: 'dart',
    comments: [slashes, starred],
    strings: [raw('r(?<mark>"""|\'\'\'|["\'])', '\\k<mark>'), between('"""', '"""'), double, single],
  },
  {
    extensions: 'cs',
    comments: [slashes, starred],
    strings: ['(?<!\\w)\\$?@\\$?"(?:[^"]|"")*"?', between('"""', '"""'), double, single],
  },
  {
    extensions:
      'c h cc cpp cxx hh hpp hxx ipp inl cu cuh m mm proto zig prisma y yy ypp tcc def inc xs i swg',
    comments: [slashes, starred],
    strings: [raw('(?:u8|[uUL])?R"(?<mark>[^\\s()\\\\"]{0,16})\\(', '\\)\\k<mark>"'), double, apostrophed],
  },
  // The patterns of a lexer have single quotes, and marks of comments, in their brackets.
  {
    extensions: 'l ll lex re rl',
    comments: [toEndOfLine(atBegin('\\/\\/')), between(atBegin('\\/\\*'), '\\*\\/')],
    strings: [],
  },
  {
    extensions: 's sx',
    comments: [slashes, starred, hashOfAssembler, toEndOfLine('(?<!@)@+(?=[ \\t])'), semicolonAtBegin],
    strings: ["'\"'?", double],
  },
  {
    extensions: 'asm nasm',
    comments: [slashes, starred, hashOfAssembler, toEndOfLine(';')],
    strings: [double, single],
  },
  // A name may be in quotes.
  {
    extensions: 'map ver vers version ld lds sym syms exp symbols',
    comments: [starred, toEndOfLine(atBegin('#'))],
    strings: [],
  },
  {
    extensions: 'go',
    comments: [slashes, starred],
    strings: [double, between('`', '`'), "'(?:\\\\.[^'\\n]{0,9}|[^'\\\\\\n])'"],
  },
  // The pattern of characters excludes lifetimes and labels.
  {
    extensions: 'rs',
    comments: [slashes, starred],
    strings: [
      raw('[bc]?r(?<mark>#{0,255})"', '"\\k<mark>'),
      quotedLong('"'),
      "'(?:\\\\.[^'\\n]{0,9}|[^'\\\\\\n])'",
    ],
  },
  { extensions: 'php', comments: [slashes, starred, hash], strings: [quotedLong('"'), quotedLong("'")] },
  { extensions: 'py pyi pyx pxd pxi pyw', comments: [hash], strings: [...pythonLong, double, single] },
  {
    extensions: 'rb ex exs r jl pl pm nix tf',
    comments: [hash],
    strings: [quotedLong('"'), quotedLong("'")],
  },
  {
    extensions: 'sh bash bats ksh zsh',
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
