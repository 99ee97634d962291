/** The byte streams to and from a language server: a process, or a pair of pipes in a test. */
export interface ByteChannel {
  /** Queues bytes. Throws `busy` when the queue is full. */
  write(bytes: Uint8Array): void;
  onData(listener: (chunk: Buffer) => void): void;
  /** Pauses or resumes reading. */
  pause?(isHeld: boolean): void;
}
