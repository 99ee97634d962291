import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hasEnded, thisProcess } from '../../src/edits/owner.ts';
import { readStat } from '../../src/platform/proc-files.ts';
import { countedFiles } from './counted-files.ts';
import { openSandbox } from './sandbox.ts';
import { aCall } from './sandbox-in.ts';

test('PRC-19 an edit that comes further while it is looked at is no obstacle', async () => {
  const sandbox = openSandbox({ 'a.ts': 'one\n' });
  const plan = sandbox.open().plan(sandbox.proposal({ write: 'a.ts', text: 'two\n' }), { title: 'first' });
  await sandbox.open().apply(plan, aCall());
  const folder = path.join(sandbox.state, 'edits');
  const [name = ''] = readdirSync(folder).filter((one) => one.endsWith('.done'));
  const rename = (from: string, to: string) =>
    renameSync(path.join(folder, name.replace('.done', from)), path.join(folder, name.replace('.done', to)));
  rename('.done', '.committed');
  let isRenamed = false;
  const { files } = countedFiles(undefined, {
    before: (what) => {
      if (what !== 'readPart' || isRenamed) return;
      isRenamed = true;
      rename('.committed', '.done');
    },
  });
  const recovery = await sandbox.open({ files }).recover(aCall());
  expect(recovery).toEqual({ undone: [], completed: [], conflicts: [] });
});

test.skipIf(process.platform !== 'linux')(
  'EDT-36 a process that has ended but was not waited for holds no lock',
  async () => {
    // The shell becomes a program that does not wait for the child that it had.
    const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec tail -f /dev/null'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const pid = Number(String((await once(parent.stdout, 'data'))[0]));
    await expect.poll(() => readStat(pid)?.hasEnded).toBe(true);
    const owner = { ...thisProcess(), pid, started: readStat(pid)?.startTime ?? 0 };
    expect(hasEnded(owner, thisProcess())).toBe(true);
    expect(hasEnded(thisProcess(), thisProcess())).toBe(false);
  },
);
