import { readdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readStat } from '../../../src/platform/processes/process-files.ts';
import { hasEnded, thisProcess } from '../../../src/platform/processes/process-identity.ts';
import { unwaitedProcess } from '../../unwaited-process.ts';
import { countedFiles } from '../counted-files.ts';
import { openSandbox } from '../sandbox.ts';
import { aCall } from '../sandbox-in.ts';

test('PRC-19 an edit that enters its next phase while its record is read does not block another', async () => {
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
  expect(recovery).toEqual({ undone: [], undoneCalls: [], completed: [], conflicts: [] });
});

test.skipIf(process.platform !== 'linux')('EDT-36 a zombie process holds no lock', async () => {
  const pid = await unwaitedProcess();
  const owner = { ...thisProcess(), pid, started: readStat(pid)?.startTime ?? 0 };
  expect(hasEnded(owner, thisProcess())).toBe(true);
  expect(hasEnded(thisProcess(), thisProcess())).toBe(false);
});
