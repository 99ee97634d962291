/** Cuts a text to so many bytes, the mark of the cut included. */
export function cutBytes(text: string, bytes: number): string {
  if (fitsBytes(text, bytes)) return text;
  return `${headOf(text, bytes - Buffer.byteLength(cutMark))}${cutMark}`;
}

const cutMark = '\n… cut here: raise max_tokens for more.';

/** Cuts a line to so many bytes. */
export function cutLine(text: string, bytes: number): string {
  return fitsBytes(text, bytes) ? text : `${headOf(text, bytes - 3)}…`;
}

function fitsBytes(text: string, bytes: number): boolean {
  return text.length <= bytes && Buffer.byteLength(text) <= bytes;
}

function headOf(text: string, bytes: number): string {
  const most = Math.max(0, bytes);
  // Every UTF-16 unit takes at least one byte, so the rest of a long text need not be encoded.
  const kept = Buffer.from(text.slice(0, most), 'utf8').subarray(0, most);
  // Drops a character that the cut has split.
  return new TextDecoder().decode(kept).replace(/\ufffd$/, '');
}

/** Cuts the strings and lists of data until its JSON fits into so many bytes, or nothing more can be cut. */
export function clipData(data: object, bytes: number): object {
  for (const [length, items] of clipSizes) {
    const clipped = clip(data, length, items);
    if (Buffer.byteLength(JSON.stringify(clipped)) <= bytes) return Object(clipped);
  }
  return Object(clip(data, 24, 1));
}

/** Lengths of strings and of lists, tried in this order. */
const clipSizes = [
  [4_000, 100],
  [1_000, 30],
  [300, 10],
  [100, 3],
] as const;

function clip(value: unknown, length: number, items: number): unknown {
  if (typeof value === 'string') return cutLine(value, length);
  if (Array.isArray(value)) return value.slice(0, items).map((item) => clip(item, length, items));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, clip(field, length, items)]));
}
