/** The two byte streams between us and a language server; a process, or a pair of pipes in a test. */
export interface ByteChannel {
  /** Queues bytes. Throws `busy` when the queue is full. */
  write(bytes: Uint8Array): void;
  onData(listener: (chunk: Buffer) => void): void;
  /** Stops reading for a while, and goes on. */
  pause?(isHeld: boolean): void;
}
