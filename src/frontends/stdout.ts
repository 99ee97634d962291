import type { Writable } from 'node:stream';
import type { Log } from '../core/log.ts';

/** The only access to stdout for protocol messages. */
export interface ProtocolOutput {
  /** Calls `done` when the bytes are written, or failed to be. */
  write(text: string, done: (error?: Error | null) => void): void;
  onError(listener: (error: Error) => void): void;
  /** Bytes that the client has not read yet. */
  queued(): number;
}

/**
 * Reserves stdout for the protocol, since MCP allows nothing else there: `console` and every other write to
 * `process.stdout` goes to stderr, and Node's warnings go to the log.
 */
export function reserveStdout(log: Log): ProtocolOutput {
  return gatheredOutput(process.stdout, redirectStdout(log));
}

/** Like `reserveStdout`, but returns what still writes to stdout, for a protocol of bytes. */
export function redirectStdout(log: Log): Writable['write'] {
  const { stdout } = process;
  const write = stdout.write.bind(stdout);
  const toStderr = (...written: Parameters<typeof write>) => process.stderr.write(...written);
  Object.defineProperty(stdout, 'write', { value: toStderr, configurable: true, writable: true });
  // A client may close stderr; then only the log is lost.
  process.stderr.on('error', () => {});
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message, stack }) =>
    log('warn', 'process.warning', { name, message, stack }),
  );
  return write;
}

/** Writes at once, and combines what else is written in the same turn of the event loop: each write is a system call. */
export function gatheredOutput(stream: Writable, write: Writable['write']): ProtocolOutput {
  let gathered = '';
  let waiting: ((error?: Error | null) => void)[] = [];
  let isGathering = false;
  const send = () => {
    isGathering = false;
    if (waiting.length === 0) return;
    const [text, callbacks] = [gathered, waiting];
    [gathered, waiting] = ['', []];
    write(text, (error) => {
      for (const done of callbacks) done(error);
    });
  };
  return {
    write: (text, done) => {
      if (isGathering) {
        gathered += text;
        waiting.push(done);
        return;
      }
      isGathering = true;
      process.nextTick(send);
      write(text, done);
    },
    onError: (listener) => void stream.on('error', listener),
    queued: () => stream.writableLength + gathered.length,
  };
}
