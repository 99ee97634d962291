import { brokenProtocol } from '../../src/backends/lsp/protocol/connection.ts';
import type { LspanError } from '../../src/core/errors.ts';
import { FrameReader } from '../../src/jsonrpc/frame-reader.ts';

/** What a frame reader made of some bytes. */
export interface Collected {
  readonly reader: FrameReader;
  readonly messages: unknown[];
  readonly faults: LspanError[];
  /** Each time that bytes were to wait, or to come again. */
  readonly holds: boolean[];
  /** Resolves with the same when no large body is being parsed any more. */
  free(): Promise<Collected>;
}

/**
 * Pushes chunks into a new reader and collects what it delivers.
 * @param refuse What stands for a body that is no message, where the stream is to go on after it.
 */
export function collectFrames(chunks: Iterable<Buffer>, refuse?: unknown): Collected {
  const messages: unknown[] = [];
  const faults: LspanError[] = [];
  const holds: boolean[] = [];
  let freed = () => {};
  const reader = new FrameReader({
    message: (value) => messages.push(value),
    ...(refuse === undefined ? {} : { refuse: () => messages.push(refuse) }),
    fault: (reason) => faults.push(brokenProtocol('fake', reason)),
    hold: (isHeld) => {
      holds.push(isHeld);
      // What waited is read right after, which may be the next large body.
      if (!isHeld) setImmediate(() => freed());
    },
  });
  for (const chunk of chunks) reader.push(chunk);
  const isFree = () => holds.at(-1) !== true;
  const collected: Collected = {
    reader,
    messages,
    faults,
    holds,
    free: () =>
      new Promise((resolve) => {
        freed = () => isFree() && resolve(collected);
        freed();
      }),
  };
  return collected;
}

/** The bytes of a frame with this body, its header made by `header`. */
export function frameOf(
  body: string | Buffer,
  header: (length: number) => string = (length) => `Content-Length: ${length}\r\n\r\n`,
): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([Buffer.from(header(bytes.length), 'latin1'), bytes]);
}

/** Cuts bytes after every `size` of them. */
export function* cut(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
