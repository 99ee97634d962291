import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** A named pipe that tells when the last process that holds it has gone. */
export interface Witness {
  /** Shell words that make the shell, and whatever it starts, hold the pipe. */
  readonly hold: string;
  readonly allGone: Promise<unknown>;
}

/** A new one, for the length of a test. */
export function witness(): Witness {
  const folder = mkdtempSync(path.join(tmpdir(), 'lspan-witness-'));
  const pipe = path.join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const reader = createReadStream(pipe);
  reader.resume();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { hold: `exec 9>'${pipe}'`, allGone: once(reader, 'end') };
}
