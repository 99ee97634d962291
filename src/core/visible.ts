/**
 * Makes characters visible that could hide or forge text: control characters but for tab and newline,
 * bidirectional and zero-width ones, tags, and halves of surrogate pairs.
 */
export function visible(text: string): string {
  return isHiding(text) ? text.replace(everyHidden, show) : text;
}

/** The same for every string in a value as it goes out in JSON, whose names are our own; itself where nothing hides. */
export function visibleData(value: unknown): unknown {
  return anyHiding(value) ? shownData(value) : value;
}

function shownData(value: unknown): unknown {
  if (typeof value === 'string') return visible(value);
  if (Array.isArray(value)) return value.map(shownData);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, shownData(held)]));
}

function anyHiding(value: unknown): boolean {
  if (typeof value === 'string') return isHiding(value);
  if (Array.isArray(value)) return value.some(anyHiding);
  return typeof value === 'object' && value !== null && Object.values(value).some(anyHiding);
}

/** Most text is plain ASCII, which the first, cheap look tells. */
function isHiding(text: string): boolean {
  return notPlain.test(text) && hidden.test(text);
}

const notPlain = /[^\t\n\x20-\x7e]/;
const source =
  '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb]|[\\u{e0000}-\\u{e007f}]|\\p{Surrogate}';
const hidden = new RegExp(source, 'u');
const everyHidden = new RegExp(source, 'gu');

function show(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
