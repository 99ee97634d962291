import { Connection, type ConnectionOwner } from '../../../../src/backends/lsp/protocol/connection.ts';
import { encodeFrame } from '../../../../src/jsonrpc/frame-writer.ts';
import { collectFrames } from '../../../jsonrpc/collect-frames.ts';

/** A connection with a test on its other end. */
export interface MemoryPeer {
  readonly connection: Connection;
  /** The bytes of each write. */
  readonly writes: Buffer[];
  /** Every message that was written, in order. */
  sent(): Record<string, unknown>[];
  /** Lets the connection read a message. */
  deliver(message: unknown): void;
  deliverBytes(bytes: Buffer): void;
}

/** Connects to nothing but memory. `refuse` makes writing throw for as long as it gives an error. */
export function connectInMemory(
  owner: Partial<ConnectionOwner> = {},
  refuse: () => Error | undefined = () => undefined,
): MemoryPeer {
  const writes: Buffer[] = [];
  let read: (chunk: Buffer) => void = () => {};
  const wire = {
    write: (bytes: Uint8Array) => {
      const refusal = refuse();
      if (refusal) throw refusal;
      writes.push(Buffer.from(bytes));
    },
    onData: (listener: (chunk: Buffer) => void) => {
      read = listener;
    },
  };
  const connection = new Connection(wire, {
    server: 'fake',
    answer: () => null,
    hear: () => {},
    fault: () => {},
    ...owner,
  });
  return {
    connection,
    writes,
    sent: () => collectFrames(writes).messages.filter(isRecord),
    deliver: (message) => read(encodeFrame(message)),
    deliverBytes: (bytes) => read(bytes),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
