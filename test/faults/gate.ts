import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../test-bridge.ts';

/** A door in the way of a process, which opens when the test says so. */
export interface Gate {
  /** Shell words that wait for it. */
  readonly wait: string;
  open(): void;
}

/** A closed one. */
export function closedGate(): Gate {
  const pipe = path.join(temporaryFolder('lspan-gate-'), 'pipe');
  execFileSync('mkfifo', [pipe]);
  return { wait: `read -r _ < '${pipe}'`, open: () => writeFileSync(pipe, '\n') };
}
