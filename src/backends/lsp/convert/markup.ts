import { limits } from '../../../core/limits.ts';
import { object, text } from '../../../core/runtime/json.ts';

/**
 * Makes a server's Markdown harmless to clients that render it: no link runs a command or a script, no image
 * is fetched, and no HTML element that fetches or runs anything remains one. The text stays readable.
 */
export function inertMarkup(markdown: string): string {
  return markdown
    .replace(link, (whole, before: string, target: string) => (runs(target) ? `${before}#${target}` : whole))
    .replace(picture, '[')
    .replace(activeElement, '&lt;');
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
