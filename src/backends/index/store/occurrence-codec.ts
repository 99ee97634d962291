import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { limits } from '../../../core/limits.ts';
import type { NewDocument, StoredOccurrence } from './index-store.ts';

/** Writes occurrences, ordered by position, as numbers of variable length: about five bytes for each. */
export function encodeOccurrences(occurrences: readonly StoredOccurrence[]): Buffer {
  const bytes: number[] = [];
  writeOccurrences(bytes, occurrences);
  return Buffer.from(bytes);
}

/** Reads what `encodeOccurrences` wrote. */
export function decodeOccurrences(bytes: Uint8Array): readonly StoredOccurrence[] {
  return readOccurrences({ bytes, at: 0 });
}

/** Writes all that is named in a document, and its text. */
export function encodeContent({
  symbols,
  locals,
  text,
}: Pick<NewDocument, 'symbols' | 'locals' | 'text'>): Buffer {
  const bytes: number[] = [];
  writeNumber(bytes, symbols.length);
  const keys = Buffer.alloc(8 * symbols.length);
  for (const [index, { key, occurrences }] of symbols.entries()) {
    keys.writeBigInt64LE(key, 8 * index);
    writeOccurrences(bytes, occurrences);
  }
  writeNumber(bytes, locals.length);
  for (const occurrences of locals) writeOccurrences(bytes, occurrences);
  writeNumber(bytes, text === undefined ? 0 : 1);
  const parts = [Buffer.from(bytes), keys, Buffer.from(text ?? '', 'utf8')];
  const head = Buffer.alloc(4);
  head.writeUInt32LE(parts[0]?.length ?? 0);
  // Places take few bytes as they are; texts are worth the time.
  const form = Buffer.from([text === undefined ? forms.plain : forms.deflated]);
  if (text === undefined) return Buffer.concat([form, head, ...parts]);
  return Buffer.concat([form, deflateRawSync(Buffer.concat([head, ...parts]), { level: 1 })]);
}

/** How the content of a document is written: its first byte. */
const forms = { plain: 0, deflated: 1 };

/** Reads what `encodeContent` wrote. */
export function decodeContent(stored: Uint8Array): Pick<NewDocument, 'symbols' | 'locals' | 'text'> {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset + 1, Math.max(0, stored.length - 1));
  const all =
    stored[0] === forms.plain ? bytes : inflateRawSync(bytes, { maxOutputLength: 4 * limits.index.part });
  const end = 4 + all.readUInt32LE(0);
  const cursor: Cursor = { bytes: all.subarray(4, end), at: 0 };
  const count = readNumber(cursor);
  const symbols = Array.from({ length: count }, (_, index) => ({
    key: all.readBigInt64LE(end + 8 * index),
    occurrences: readOccurrences(cursor),
  }));
  const locals = Array.from({ length: readNumber(cursor) }, () => readOccurrences(cursor));
  const text = readNumber(cursor) === 1 ? all.toString('utf8', end + 8 * count) : undefined;
  return { symbols, locals, text };
}

interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
}

function writeOccurrences(bytes: number[], occurrences: readonly StoredOccurrence[]): void {
  writeNumber(bytes, occurrences.length);
  let line = 0;
  for (const { startLine, startColumn, endLine, endColumn, isDefinition } of occurrences) {
    const isOneLine = startLine === endLine;
    writeNumber(bytes, (startLine - line) * 4 + (isOneLine ? 0 : 2) + (isDefinition ? 1 : 0));
    writeNumber(bytes, startColumn);
    if (!isOneLine) writeNumber(bytes, endLine - startLine);
    writeNumber(bytes, isOneLine ? endColumn - startColumn : endColumn);
    line = startLine;
  }
}

function readOccurrences(cursor: Cursor): readonly StoredOccurrence[] {
  let line = 0;
  return Array.from({ length: readNumber(cursor) }, () => {
    const head = readNumber(cursor);
    const startLine = line + Math.floor(head / 4);
    const startColumn = readNumber(cursor);
    const endLine = startLine + (head & 2 ? readNumber(cursor) : 0);
    const last = readNumber(cursor);
    line = startLine;
    const endColumn = endLine === startLine ? startColumn + last : last;
    return { startLine, startColumn, endLine, endColumn, isDefinition: (head & 1) === 1 };
  });
}

function writeNumber(bytes: number[], value: number): void {
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  bytes.push(rest);
}

function readNumber(cursor: Cursor): number {
  let [value, scale] = [0, 1];
  for (;;) {
    const byte = cursor.bytes[cursor.at++] ?? 0;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return value;
    scale *= 128;
  }
}
