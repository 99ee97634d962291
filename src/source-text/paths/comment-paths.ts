import { extname } from 'node:path';
import { commentsAround, type Lexical, lexicalAt } from '../lexical.ts';

/**
 * Like `lexicalAt`, but what names a file for the compiler in a comment of TypeScript or JavaScript is a string: the
 * types and imports of JSDoc, and `/// <reference path="…" />`.
 */
export function kindsOfPaths(file: string, text: string, offsets: readonly number[]): Lexical[] {
  const kinds = lexicalAt(file, text, offsets);
  if (!script.test(extname(file))) return kinds;
  const inComments = offsets.filter((_, index) => kinds[index] === 'comment');
  const named = commentsAround(file, text, inComments).flatMap(({ start, end }) =>
    filesNamedIn(text.slice(start, end), start),
  );
  let next = 0;
  return kinds.map((kind, index) => {
    const offset = offsets[index] ?? 0;
    while ((named[next]?.end ?? Number.POSITIVE_INFINITY) <= offset) next += 1;
    return kind === 'comment' && (named[next]?.start ?? Number.POSITIVE_INFINITY) <= offset ? 'string' : kind;
  });
}

const script = /^\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/i;

interface Named {
  readonly start: number;
  readonly end: number;
}

function filesNamedIn(comment: string, start: number): readonly Named[] {
  if (comment.startsWith('///')) {
    const [whole, , path = ''] = reference.exec(comment) ?? [];
    return whole === undefined ? [] : [endingAt(start + whole.length - 1, path)];
  }
  return comment.startsWith('/**') ? filesNamedInJsDoc(comment, start) : [];
}

const reference =
  /^\/\/\/[ \t]{0,99}<reference[ \t]{1,99}(?:path|types)[ \t]{0,9}=[ \t]{0,9}(["'])([^"'\n]{1,500})\1/;

function filesNamedInJsDoc(comment: string, start: number): readonly Named[] {
  const named: Named[] = [];
  let [tag, depth] = ['', 0];
  for (const { index, 0: whole, groups = {} } of comment.matchAll(partOfJsDoc)) {
    const { path, opening = '', brace, tag: begun = '' } = groups;
    if (path !== undefined) {
      if (isForCompiler(opening, tag, depth)) named.push(endingAt(start + index + whole.length - 1, path));
    } else if (brace !== undefined) {
      depth += brace === '{' ? 1 : -1;
    } else {
      tag = begun;
      depth = comment[index - 1] === '{' ? 1 : 0;
    }
  }
  return named;
}

/** Samples of code are no types, and an import that is mentioned outside of braces is only text. */
function isForCompiler(opening: string, tag: string, depth: number): boolean {
  if (opening.startsWith('@')) return true;
  if (opening.startsWith('from')) return tag === 'import';
  return tag !== 'example' && (depth > 0 || bare.has(tag));
}

const partOfJsDoc =
  /(?<opening>(?<=[\s*])@import[\s*]{1,99}|\bfrom[\s*]{0,99}|(?<!@)\bimport[\s*]{0,9}\([\s*]{0,99})(?<quote>["'`])(?<path>[^"'`\n]{1,500})\k<quote>|(?<=[\s*{])@(?<tag>\w{1,80})|(?<brace>[{}])/g;

/** Tags whose type needs no braces. */
const bare: ReadonlySet<string> = new Set(['type', 'this', 'enum']);

function endingAt(end: number, path: string): Named {
  return { start: end - path.length, end };
}
