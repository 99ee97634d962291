import { Socket, type SocketConstructorOpts } from 'node:net';
import type { Readable } from 'node:stream';
import { LspanError } from '../../core/errors.ts';
import { resultOrError } from '../../core/runtime/result.ts';
import { descriptorFacts } from '../../platform/processes/descriptor-facts.ts';
import { gatheredOutput, type ProtocolOutput } from '../stdout.ts';
import { noStream } from './check-descriptors.ts';

/** MCP streams on descriptors 3 and 4. */
export interface Descriptors {
  readonly input: Readable;
  readonly output: ProtocolOutput;
  /** Resolves to a sentence when either can no longer be used. */
  readonly lost: Promise<string>;
}

/** Opens descriptors that were checked before. Throws if one is not a stream after all. */
export function openDescriptors(): Descriptors {
  const input = streamOn(3, { readable: true, writable: false });
  // A closed peer is noticed on a socket by reading, on a pipe only by writing.
  const [from, to] = [descriptorFacts(3), descriptorFacts(4)];
  const listens = to?.kind === 'a socket' && to.identity !== from?.identity;
  const output = streamOn(4, { readable: listens, writable: true, allowHalfOpen: true });
  const lost = new Promise<string>((resolve) => {
    const closed = (descriptor: number) => () => resolve(`Descriptor ${descriptor} was closed.`);
    const failed = (descriptor: number) => (error: Error) =>
      resolve(`Descriptor ${descriptor} cannot be used any more: ${error.message}.`);
    input.once('end', closed(3)).once('error', failed(3)).once('close', closed(3));
    output.once('error', failed(4)).once('close', closed(4));
    if (listens) output.once('end', closed(4)).once('data', () => resolve(swapped));
  });
  return { input, output: gatheredOutput(output, output.write.bind(output)), lost };
}

function streamOn(fd: number, options: SocketConstructorOpts): Socket {
  const stream = resultOrError(() => new Socket({ ...options, fd }));
  if (stream instanceof LspanError) throw noStream(fd);
  return stream;
}

const swapped = 'Something was written to descriptor 4, which only lspan writes to: 3 and 4 look swapped.';
