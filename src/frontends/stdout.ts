import type { Writable } from 'node:stream';
import type { Log } from '../core/log.ts';

/** Where the protocol is written; nobody else can reach it. */
export interface ProtocolOutput {
  /** `done` is called when the bytes have left this process, or could not. */
  write(text: string, done: (error?: Error | null) => void): void;
  onError(listener: (error: Error) => void): void;
  /** Bytes that the client has not taken yet. */
  queued(): number;
}

/**
 * Keeps stdout for the protocol, since MCP allows nothing else there: `console` and everybody who writes to
 * `process.stdout` end up on stderr, and Node's warnings in the log.
 */
export function reserveStdout(log: Log): ProtocolOutput {
  const { stdout } = process;
  const write = stdout.write.bind(stdout);
  const toStderr = (...written: Parameters<typeof write>) => process.stderr.write(...written);
  Object.defineProperty(stdout, 'write', { value: toStderr, configurable: true, writable: true });
  // A client may close stderr: then the log is lost, and nothing else.
  process.stderr.on('error', () => {});
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message, stack }) =>
    log('warn', 'process.warning', { name, message, stack }),
  );
  return gatheredOutput(stdout, write);
}

/** Writes what is ready in the same turn in one piece: each write of its own is a call to the system. */
export function gatheredOutput(stream: Writable, write: Writable['write']): ProtocolOutput {
  let gathered = '';
  let waiting: ((error?: Error | null) => void)[] = [];
  const send = () => {
    const [text, told] = [gathered, waiting];
    [gathered, waiting] = ['', []];
    write(text, (error) => {
      for (const done of told) done(error);
    });
  };
  return {
    write: (text, done) => {
      if (waiting.length === 0) process.nextTick(send);
      gathered += text;
      waiting.push(done);
    },
    onError: (listener) => void stream.on('error', listener),
    queued: () => stream.writableLength + gathered.length,
  };
}
