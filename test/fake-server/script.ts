import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { FakeScript } from '../../src/testing/script.ts';

export type { Action, FakeLog, FakeScript, Rule } from '../../src/testing/script.ts';

/** How to start the fake server with a script, until it is disposed of. */
export interface FakeCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Its entry in a configuration file: in a sandbox too, it may write to the folders of the files that it is to write. */
  readonly entry: {
    readonly id: string;
    readonly command: readonly [string, ...string[]];
    readonly extensions: readonly string[];
    readonly writable_folders: readonly string[];
  };
  dispose(): void;
}

/** Writes a script to a file of its own and gives the command that runs it. */
export function writeScript(script: FakeScript = {}): FakeCommand {
  const folder = mkdtempSync(join(tmpdir(), 'lspan-fake-'));
  const file = join(folder, 'script.json');
  writeFileSync(file, JSON.stringify(script));
  const { LSPAN_FAKE_SERVER: bundled } = process.env;
  const program = bundled ?? resolve(import.meta.dirname, '../../src/testing/fake-server/bin.js');
  const writable = [...new Set(writtenFiles(script).map((each) => dirname(each)))];
  for (const each of writable) mkdirSync(each, { recursive: true });
  return {
    command: process.execPath,
    args: [program, file],
    entry: {
      id: 'fake',
      command: [process.execPath, program, file],
      extensions: ['txt'],
      writable_folders: writable,
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Returns the files that a script makes the fake write. */
function writtenFiles({ log, rules = [] }: FakeScript): readonly string[] {
  const actions = rules.flatMap((rule) => rule.do);
  return [
    ...(log === undefined ? [] : [log]),
    ...actions.flatMap((action) => ('dropCanary' in action ? [action.dropCanary.file] : [])),
    ...actions.flatMap((action) => ('reportEnv' in action ? [action.reportEnv.file] : [])),
  ];
}
