/** What a stream means: its messages, and whether it ended in a fault. */
export interface Verdict {
  readonly messages: readonly unknown[];
  readonly isFault: boolean;
}

/** What stands for a body that is no message, where the stream goes on after it. */
export const refused = 'refused';

/**
 * The rules of the frame reader on a whole stream at once, as plainly as they can be said, but for the limits.
 * @param goesOn Whether a body that is no message is only refused.
 */
export function readReference(stream: Buffer, goesOn = false): Verdict {
  const messages: unknown[] = [];
  let at = 0;
  try {
    for (;;) {
      const frame = nextFrame(stream, at);
      if (frame === undefined) return { messages, isFault: false };
      const isWhole = frame.end <= stream.length;
      if (!isWhole && (goesOn || canBegin(stream, frame.start))) return { messages, isFault: false };
      const message = messageIn(stream.subarray(frame.start, frame.end));
      if (message === undefined && !goesOn) throw new Error('no message');
      messages.push(message === undefined ? refused : message.value);
      at = frame.end;
    }
  } catch {
    return { messages, isFault: true };
  }
}

function canBegin(stream: Buffer, at: number): boolean {
  return /^[ \t\r\n{["\-\dtfn\u00ef]?$/.test(stream.toString('latin1', at, at + 1));
}

function messageIn(body: Buffer): { readonly value: unknown } | undefined {
  if (!canBegin(body, 0)) return undefined;
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) };
  } catch {
    return undefined;
  }
}

function nextFrame(stream: Buffer, from: number): { start: number; end: number } | undefined {
  const lengths = new Set<number>();
  let isHeader = false;
  for (let at = from, feed = stream.indexOf('\n', at); feed !== -1; feed = stream.indexOf('\n', at)) {
    const line = stream.toString('latin1', at, feed).replace(/\r$/, '');
    at = feed + 1;
    const isStart = /^content-(length|type)[ \t]*:/i.test(line);
    if (isHeader && line === '') return { start: at, end: at + only(lengths) };
    isHeader ||= isStart;
    if (isHeader) readLine(line, lengths);
    else if (/content-length[ \t]*:/i.test(line)) throw new Error('a header inside a line');
  }
  return undefined;
}

function readLine(line: string, lengths: Set<number>): void {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+)\s*:\s*([\s\S]*?)\s*$/.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new Error('no field');
  const [, charset = 'utf8'] = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(value) ?? [];
  if (/^content-type$/i.test(name) && !/^utf-?8$/i.test(charset)) throw new Error('not UTF-8');
  if (!/^content-length$/i.test(name)) return;
  if (!/^\d+$/.test(value) || Number(value) === 0 || Number(value) > 64 << 20) throw new Error('no length');
  lengths.add(Number(value));
  if (lengths.size > 1) throw new Error('two lengths');
}

function only(lengths: Set<number>): number {
  const [length] = lengths;
  if (length === undefined) throw new Error('no length');
  return length;
}
