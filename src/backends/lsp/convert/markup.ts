import { limits } from '../../../core/limits.ts';
import { object, text } from '../../../core/runtime/json.ts';

/**
 * Makes a server's Markdown harmless to clients that render it: no link runs a command or a script, no image
 * is fetched, and no HTML element that fetches or runs anything remains one. The text stays readable.
 */
export function inertMarkup(markdown: string): string {
  const text = markdown
    .replace(link, (whole, before: string, target: string) => (runs(target) ? `${before}#${target}` : whole))
    .replace(picture, '[');
  return text.search(activeElement) < 0 ? text : withInertElements(text);
}

/** Code in a fence is shown as it is, so nothing in it has to be changed. */
function withInertElements(markdown: string): string {
  const lines = markdown.split('\n');
  const code = fencedLines(lines);
  const texts = lines.map((line, index) => (code.has(index) ? codeMark : line)).join('\n');
  const inert = texts.replace(activeElement, '&lt;').split('\n');
  return lines.map((line, index) => (code.has(index) ? line : inert[index])).join('\n');
}

/** Stands for a line of code, so that no element is seen to begin before and to end behind it. */
const codeMark = '<';

/**
 * Returns the numbers of the lines in fences that every renderer takes for fences: not indented, closed, and without
 * HTML, other fences or containers before them, in which they would be something else.
 * https://spec.commonmark.org/0.31.2/#fenced-code-blocks
 */
function fencedLines(lines: readonly string[]): ReadonlySet<number> {
  const code = new Set<number>();
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const [, marks] = /^(`{3,})[^`<]*$/.exec(line) ?? [];
    if (marks === undefined && doubtful.test(line)) break;
    if (marks === undefined) continue;
    const end = lines.findIndex((other, index) => index > at && closes(other, marks.length));
    if (end < 0) break;
    for (let inside = at + 1; inside < end; inside += 1) code.add(inside);
    at = end;
  }
  return code;
}

const doubtful = /<|~~~|```|^ {0,3}>/;

function closes(line: string, length: number): boolean {
  return /^`+[ \t]*$/.test(line) && line.trimEnd().length >= length;
}

/** `[text](target)`, `[label]: target`, `<target>` and `href="target"`. The pattern scans no part twice. */
const link = /(\]\(\s*<?|\]:\s*<?|<|\bhref\s*=\s*["']?)([^\s<>"'()]+)/gi;

/** `![text](target)` becomes a link, which is not followed automatically. */
const picture = /!\[(?=[^[\]]*\][([])/g;

/** Start of an element that fetches or runs something, or has a handler; not a type like `Array<object>`. */
const activeElement =
  /<(?=\/?(?:script|iframe)\b|(?:img|image|svg|video|audio|source|track|object|embed|frame|style|link|meta|base|form|input|button|body|math)[\s/][^<>]*=|[a-z][\w-]*[\s/][^<>]*\bon\w+\s*=)/gi;

/** Returns whether a link runs something. Renderers decode references and escapes before the scheme. */
function runs(target: string): boolean {
  const plain = target
    .slice(0, limits.spelling)
    .replace(/&#x([0-9a-f]+);?/gi, (_, code: string) => character(Number.parseInt(code, 16)))
    .replace(/&#(\d+);?/g, (_, code: string) => character(Number(code)))
    .replace(/&colon;/gi, ':')
    .replace(/&(?:tab|newline);/gi, '')
    .replace(/[\\\x00-\x20]/g, '');
  return /^(?:command|javascript|vbscript|data):/i.test(plain);
}

function character(code: number): string {
  return code <= 0x7f ? String.fromCharCode(code) : '';
}

/** Reads documentation that is a string or MarkupContent; `undefined` if there is none. */
export function readDocumentation(value: unknown): string | undefined {
  const whole = text(value) ?? text(object(value).value);
  const shown = whole?.slice(0, limits.completions.text).trim();
  return shown ? inertMarkup(shown) : undefined;
}
