import { FrameReader } from '../../src/backends/lsp/frame-reader.ts';
import type { LspanError } from '../../src/core/errors.ts';

/** What a frame reader made of some bytes. */
export interface Collected {
  readonly reader: FrameReader;
  readonly messages: unknown[];
  readonly faults: LspanError[];
}

/** Pushes chunks into a new reader and collects what it delivers. */
export function collectFrames(chunks: Iterable<Buffer>): Collected {
  const messages: unknown[] = [];
  const faults: LspanError[] = [];
  const reader = new FrameReader('fake', {
    message: (value) => messages.push(value),
    fault: (error) => faults.push(error),
  });
  for (const chunk of chunks) reader.push(chunk);
  return { reader, messages, faults };
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
