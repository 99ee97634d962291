/** As much of a text as fits into so many bytes, the word that it was cut included. */
export function cutBytes(text: string, bytes: number): string {
  if (fitsBytes(text, bytes)) return text;
  return `${headOf(text, bytes - Buffer.byteLength(cutMark))}${cutMark}`;
}

const cutMark = '\n… cut here: raise max_tokens for more.';

/** As much of a line as fits into so many bytes. */
export function cutLine(text: string, bytes: number): string {
  return fitsBytes(text, bytes) ? text : `${headOf(text, bytes - 3)}…`;
}

function fitsBytes(text: string, bytes: number): boolean {
  return text.length <= bytes && Buffer.byteLength(text) <= bytes;
}

function headOf(text: string, bytes: number): string {
  const most = Math.max(0, bytes);
  // Every unit of a text takes a byte at least, so nobody has to look at the rest of a long one.
  const kept = Buffer.from(text.slice(0, most), 'utf8').subarray(0, most);
  // A character that the cut went through is left out.
  return new TextDecoder().decode(kept).replace(/\ufffd$/, '');
}

/** Data whose strings and lists are cut until its JSON fits into so many bytes, or nothing more can be cut. */
export function clipData(data: object, bytes: number): object {
  for (const [length, items] of clippings) {
    const clipped = clip(data, length, items);
    if (Buffer.byteLength(JSON.stringify(clipped)) <= bytes) return Object(clipped);
  }
  return Object(clip(data, 24, 1));
}

/** Ever shorter strings, and ever shorter lists. */
const clippings = [
  [4_000, 100],
  [1_000, 30],
  [300, 10],
  [100, 3],
] as const;

function clip(value: unknown, length: number, items: number): unknown {
  if (typeof value === 'string') return cutLine(value, length);
  if (Array.isArray(value)) return value.slice(0, items).map((held) => clip(held, length, items));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, clip(held, length, items)]));
}
