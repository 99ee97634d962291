/**
 * Makes links in a server's Markdown lead nowhere that would run a command of an editor:
 * whoever shows the text to a person must not lead them to start anything. What was linked stays readable.
 */
export function inertMarkup(markdown: string): string {
  return markdown.replace(link, (whole, before: string, target: string) =>
    isCommand(target) ? `${before}#${target}` : whole,
  );
}

/** `[text](target)`, `[label]: target`, `<target>` and `href="target"`. No part of it is looked at twice. */
const link = /(\]\(\s*<?|\]:\s*<?|<|\bhref\s*=\s*["']?)([^\s<>"'()]+)/gi;

/** Whoever renders it decodes references to characters and escapes before looking at the scheme. */
function isCommand(target: string): boolean {
  const plain = target
    .slice(0, longestSpelling)
    .replace(/&#x([0-9a-f]+);?/gi, (_, code: string) => character(Number.parseInt(code, 16)))
    .replace(/&#(\d+);?/g, (_, code: string) => character(Number(code)))
    .replace(/&colon;/gi, ':')
    .replace(/[\\\x00-\x1f]/g, '');
  return /^command:/i.test(plain);
}

/** Of `command:`, each character as a reference. */
const longestSpelling = 200;

function character(code: number): string {
  return code <= 0x7f ? String.fromCharCode(code) : '';
}
