import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { FakeScript } from '../../src/testing/script.ts';

export type { Action, FakeLog, FakeScript, Rule } from '../../src/testing/script.ts';

/** How to start the fake server with a script, until it is disposed of. */
export interface FakeCommand {
  readonly command: string;
  readonly args: readonly string[];
  dispose(): void;
}

/** Writes a script to a file of its own and gives the command that runs it. */
export function writeScript(script: FakeScript = {}): FakeCommand {
  const folder = mkdtempSync(join(tmpdir(), 'lspan-fake-'));
  const file = join(folder, 'script.json');
  writeFileSync(file, JSON.stringify(script));
  const { LSPAN_FAKE_SERVER: bundled } = process.env;
  const program = bundled ?? resolve(import.meta.dirname, '../../src/testing/fake-server/bin.js');
  return {
    command: process.execPath,
    args: [program, file],
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
