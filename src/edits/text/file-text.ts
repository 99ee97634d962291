import { isUtf8 } from 'node:buffer';

/** What a text file holds; the byte order mark, if any, is no part of the text. */
export interface FileText {
  readonly text: string;
  readonly hasBom: boolean;
}

/** Why bytes are no text. */
export type NoText = 'binary' | 'not_utf8';

/** Reads the bytes of a file as text, or says why they are none. */
export function fileTextOf(bytes: Buffer): FileText | NoText {
  if (bytes.includes(0)) return 'binary';
  if (!isUtf8(bytes)) return 'not_utf8';
  const hasBom = bytes.subarray(0, bom.length).equals(bom);
  return { text: bytes.toString('utf8', hasBom ? bom.length : 0), hasBom };
}

/** The bytes of a text file. */
export function encodedText({ text, hasBom }: FileText): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  return hasBom ? Buffer.concat([bom, bytes]) : bytes;
}

/** What a text holds that no text file can, if it does. */
export function faultOfText(text: string): string | undefined {
  if (text.includes('\0')) return 'a NUL character';
  return /\p{Surrogate}/u.test(text) ? 'half of a surrogate pair' : undefined;
}

/** The same text where a byte order mark at its beginning, put there with the rest, is told apart from it. */
export function withoutBom(now: FileText, before: FileText): FileText {
  const added = now.text.startsWith(mark) && !before.text.startsWith(mark);
  return added ? { text: now.text.slice(mark.length), hasBom: true } : now;
}

const mark = '\uFEFF';
const bom = Buffer.from(mark, 'utf8');
