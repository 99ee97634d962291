import { connect } from 'node:net';
import { LspanError } from '../../core/errors.ts';

/** The bytes to and from a process of this machine. */
interface LocalSocket {
  write(bytes: Uint8Array): void;
  onData(listener: (chunk: Buffer) => void): void;
  close(): void;
}

/** Connects to a socket that a child has made: a path, or the name of a pipe on Windows. `ended` is called once. */
export function connectLocally(path: string, ended: (error: LspanError) => void): Promise<LocalSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    // It is no reason for lspan to stay.
    socket.unref();
    const failed = (cause?: unknown) => {
      const error = new LspanError('server_crashed', 'The socket of a server is closed.', { cause });
      reject(error);
      ended(error);
    };
    socket.once('error', failed);
    socket.once('close', () => failed());
    socket.once('connect', () =>
      resolve({
        write: (bytes) => void socket.write(bytes),
        onData: (listener) => void socket.on('data', listener),
        close: () => void socket.destroy(),
      }),
    );
  });
}
