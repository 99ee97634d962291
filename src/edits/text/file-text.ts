import { isUtf8 } from 'node:buffer';

/** The content of a text file; a byte order mark is not part of the text. */
export interface FileText {
  readonly text: string;
  readonly hasBom: boolean;
}

/** Why bytes are not text. */
export type NoText = 'binary' | 'not_utf8';

/** Decodes the bytes of a file, or returns why they are not text. */
export function fileTextOf(bytes: Buffer): FileText | NoText {
  if (bytes.includes(0)) return 'binary';
  if (!isUtf8(bytes)) return 'not_utf8';
  const hasBom = bytes.subarray(0, bom.length).equals(bom);
  return { text: bytes.toString('utf8', hasBom ? bom.length : 0), hasBom };
}

/** Encodes a text as the bytes of a file. */
export function encodedText({ text, hasBom }: FileText): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  return hasBom ? Buffer.concat([bom, bytes]) : bytes;
}

/** Returns what makes a text impossible in a text file, if anything. */
export function faultOfText(text: string): string | undefined {
  if (text.includes('\0')) return 'a NUL character';
  return /\p{Surrogate}/u.test(text) ? 'half of a surrogate pair' : undefined;
}

/** Turns a byte order mark that a change put at the start of the text into `hasBom`. */
export function withoutBom(now: FileText, before: FileText): FileText {
  const added = now.text.startsWith(mark) && !before.text.startsWith(mark);
  return added ? { text: now.text.slice(mark.length), hasBom: true } : now;
}

const mark = '\uFEFF';
const bom = Buffer.from(mark, 'utf8');
