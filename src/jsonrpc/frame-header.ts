import { limits } from '../core/limits.ts';

/** Header of one frame, as far as it has been read. */
export interface FrameHeader {
  length: number | undefined;
  bytes: number;
}

/**
 * Reads one line into a header; returns its fault, if any.
 *
 * | Line | Verdict |
 * |---|---|
 * | `Content-Length: 30`, `content-length: 30`, `Content-Length:30`, `Content-Length : 30`, value ` 30 ` or `030` | 30 |
 * | the same length twice | accepted |
 * | two different lengths | fault |
 * | `-1`, `+30`, `0`, `0x1e`, `30abc`, `3e1`, `1e3`, `30.0`, `30 30`, any non-digit, an empty value | fault |
 * | more than `limits.frame.body`, also with 400 digits | fault |
 * | `Content-Type` without charset, or with `utf-8`, `utf8`, in any case and quoted or not | accepted |
 * | `Content-Type` with another charset | fault |
 * | any other `Name: value` | ignored |
 * | a line that is not a field | fault |
 *
 * Lines may end in CR LF or LF: only the length determines the end of the body.
 */
export function readField(header: FrameHeader, line: string): string | undefined {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0)).trimEnd();
  if (!fieldName.test(name)) return 'a line in a header is no header field';
  const read = fields.get(name.toLowerCase());
  return read?.(header, line.slice(colon + 1).trim());
}

/** Returns whether a line between two frames begins a header; any other line is stray output. */
export function beginsHeader(line: string): boolean {
  return /^content-(?:length|type)[ \t]*:/i.test(line);
}

/** Returns whether a line contains a header: skipping the line as stray output would lose a message. */
export function hidesHeader(line: string): boolean {
  return /content-length[ \t]*:/i.test(line);
}

const fieldName = /^[!#$%&'*+.^_`|~\w-]+$/;

type FieldReader = (header: FrameHeader, value: string) => string | undefined;

const fields: ReadonlyMap<string, FieldReader> = new Map([
  ['content-length', readLength],
  ['content-type', readType],
]);

function readLength(header: FrameHeader, value: string): string | undefined {
  if (!/^\d+$/.test(value)) return 'Content-Length is not a whole number';
  const length = Number(value);
  if (length === 0) return 'Content-Length is 0';
  if (length > limits.frame.body) return `Content-Length is above ${limits.frame.body} bytes`;
  if (header.length !== undefined && header.length !== length) return 'a header has two lengths';
  header.length = length;
  return undefined;
}

function readType(_header: FrameHeader, value: string): string | undefined {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(value)?.[1]?.toLowerCase();
  const known = charset === undefined || charset === 'utf-8' || charset === 'utf8';
  return known ? undefined : 'the charset is not UTF-8';
}
