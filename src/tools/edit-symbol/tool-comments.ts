import { extname } from 'node:path';

/** Returns whether a comment line is about the whole file, and not about the declaration below it. */
export function isAboutFile(path: string, text: string, line: number): boolean {
  if (text.startsWith('#!')) return line === 0;
  const ending = extname(path);
  if (isPython.test(ending) && line < 2 && /^\s*#.{0,80}?\bcoding[:=]/.test(text)) return true;
  return aboutFile.some(([endings, comment]) => endings.test(ending) && comment.test(text));
}

/** Returns whether a comment line is for a compiler or a linter: no other text replaces it. */
export function isDirective(path: string, text: string): boolean {
  const ending = extname(path);
  return directives.some(([endings, comment]) => endings.test(ending) && comment.test(text));
}

const isPython = /^\.pyi?$/;

/** The endings of a language's files, and what begins a comment in it. */
type CommentBegin = readonly [endings: RegExp, comment: RegExp];

const aboutFile: readonly CommentBegin[] = [
  [/^\.rs$/, /^\s*\/[/*]!/],
  [
    /^\.[cm]?[jt]sx?$/,
    /^\s*(?:\/\/\/\s{0,9}<|\/\/\s{0,9}@ts-(?:no)?check\b|\/\*{1,2}\s{0,9}(?:eslint(?!-disable-(?:next-)?line)|globals?\s|@jsx|@flow\b))/,
  ],
  // Settings of a checker, such as `# mypy: strict`; on a line of their own they hold to the end of the block.
  [isPython, /^\s*#\s{0,9}[a-z\d]{2,12}:\s?(?:strict|basic|standard|noqa|(?!disable-next)[a-z-]{1,30}\s?=)/],
];

const directives: readonly CommentBegin[] = [
  // https://go.dev/doc/comment#syntax, and `//export` of cgo.
  [/^\.go$/, /^\s*\/\/(?:[a-z0-9]+:[a-z0-9]|(?:export|extern) |nolint\b)/],
  [
    /^\.[cm]?[jt]sx?$/,
    /^\s*\/[/*]\s{0,9}(?:@ts-(?:ignore|expect-error)\b|eslint-disable-next-line\b|prettier-ignore\b|biome-ignore\b|(?:istanbul|c8|v8) ignore\b)/,
  ],
  [isPython, /^\s*#\s{0,9}(?:type|fmt|pragma|yapf|isort|pylint):/],
  [/^\.(?:[ch]|cc|cpp|cxx|hh|hpp|hxx)$/, /^\s*\/[/*]\s{0,9}(?:NOLINTNEXTLINE\b|clang-format )/],
];
