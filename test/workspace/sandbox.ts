import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { beginCall } from '../../src/core/call.ts';
import type { Doubt } from '../../src/core/doubts.ts';
import { silent } from '../../src/core/log.ts';
import { openWorkspace, type WorkspaceOptions } from '../../src/workspace/open-workspace.ts';
import type { Change, Workspace } from '../../src/workspace/workspace.ts';

/** A temporary folder, by its real path, that is gone after the test. */
export function temporaryFolder(
  files: Readonly<Record<string, string | Buffer>> = {},
  below = os.tmpdir(),
): string {
  const folder = realpathSync(mkdtempSync(path.join(below, 'lspan-test-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFiles(folder, files);
  return folder;
}

/** Where a great many small files are cheap: in memory, if the system has such a folder. */
export const memoryFolder = existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();

/** Writes files with the folders that they need. */
export function writeFiles(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
}

/** Lets the clock go on until what was written before can be told from what is written after, whatever the kernel's tick. */
export function letClockTick(): void {
  const end = Date.now() + 25;
  while (Date.now() < end);
}

/** A workspace, with what it told since the last look. */
export interface Sandbox {
  readonly workspace: Workspace;
  /** Passes a barrier; gives the changes by path relative to the first root, and the doubts. */
  refresh(): Promise<{ readonly changes: Record<string, Change['kind']>; readonly doubts: readonly Doubt[] }>;
  /** How many batches there were. */
  batches(): number;
  /** The files relative to the first root, ordered. */
  files(): string[];
}

/** Opens a workspace over roots until the test ends. */
export async function openSandbox(
  roots: readonly string[],
  options: Omit<WorkspaceOptions, 'roots' | 'log'> = {},
): Promise<Sandbox> {
  const workspace = await openWorkspace({ roots, log: silent, ...options });
  onTestFinished(() => workspace.close());
  const heard: (readonly Change[])[] = [];
  workspace.onChanges((changes) => heard.push(changes));
  let batches = 0;
  return {
    workspace,
    async refresh() {
      using call = beginCall({ time: 60_000 });
      const doubts = await workspace.refresh(call);
      batches += heard.length;
      const changes = heard.splice(0).flat();
      return {
        changes: Object.fromEntries(changes.map(({ path: file, kind }) => [workspace.show(file), kind])),
        doubts,
      };
    },
    batches: () => batches,
    files: () => [...workspace.files()].map((file) => workspace.show(file)).sort(),
  };
}
