/**
 * A text in which whatever looks like a bearer token is hidden. A token of ours is 43 characters of base64url; one
 * without both capital and small letters comes once in billions, so words and hashes of that length can stay.
 */
export function withoutTokens(text: string): string {
  return text
    .replace(presented, '$1 [redacted]')
    .replace(run, (found) => (isMixed(found) ? '[redacted]' : found));
}

const presented = /\b(bearer)\s+[^\s"',;]+/gi;

const run = /(?<![\w-])[\w-]{43}(?![\w-])/g;

function isMixed(text: string): boolean {
  return /[A-Z]/.test(text) && /[a-z]/.test(text);
}
