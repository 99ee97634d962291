import { limits } from '../../core/limits.ts';
import { protocolRevision } from '../daemon/hello.ts';

/** What lspan says first at the far end: which program it is. The form of the line never changes. */
export interface Greeting {
  readonly revision: number;
  readonly version: string;
  /** Different for every build. */
  readonly build: string;
}

/** Returns the first line of lspan at the far end, before any frame. */
export function greetingLine({ version, build }: Omit<Greeting, 'revision'>): string {
  return `${word} ${protocolRevision} ${version} ${build}\n`;
}

/**
 * Finds the greeting in the first bytes of the far end. A shell that starts there may write lines of its own before, as the
 * files that it reads tell it to.
 */
export class GreetingReader {
  #bytes = Buffer.alloc(0);

  /** Returns the greeting and the bytes after it; `undefined` until it has come; `too_much` if something else writes. */
  push(chunk: Buffer): { readonly greeting: Greeting; readonly rest: Buffer } | 'too_much' | undefined {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    // Bytes of frames are no text, so each byte is one character here.
    const text = this.#bytes.toString('latin1');
    const found = line.exec(text);
    if (!found) return this.#bytes.length > limits.via.noise ? 'too_much' : undefined;
    const [whole, revision = '', version = '', build = ''] = found;
    const greeting = { revision: Number(revision), version, build };
    return { greeting, rest: this.#bytes.subarray(found.index + whole.length) };
  }

  /** What came instead of a greeting, for an error. */
  get text(): string {
    return this.#bytes.toString('utf8');
  }
}

const word = 'lspan-channel';

const line = new RegExp(`(?<=^|\\n)${word} (\\d+) (\\S+) (\\S+)\\r?\\n`);
