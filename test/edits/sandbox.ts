import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { type Sandbox, sandboxIn } from './sandbox-in.ts';

/** Makes a sandbox that ends with the test. */
export function openSandbox(things: Readonly<Record<string, string>> = {}): Sandbox {
  return sandboxIn(temporaryFolder('lspan-edits-'), things);
}

/** Makes a folder that ends with the test. */
export function temporaryFolder(prefix: string): string {
  const home = realpathSync(mkdtempSync(path.join(tmpdir(), prefix)));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}
