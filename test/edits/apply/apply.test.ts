import { readdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { realFileSystem } from '../../../src/edits/disk/file-system.ts';
import { everyChange, everyThing } from '../everything.ts';
import { openSandbox } from '../sandbox.ts';
import { aCall, setMode } from '../sandbox-in.ts';

test('a plan of every kind of change is applied completely, and undone byte for byte', async () => {
  const sandbox = openSandbox(everyThing);
  setMode(sandbox.at('a.ts'), 0o755);
  setMode(sandbox.at('folder/deep/y.ts'), 0o600);
  const before = sandbox.snapshot();
  const edits = sandbox.open();
  const plan = edits.plan(everyChange(sandbox), { title: 'everything' });
  expect(sandbox.snapshot()).toEqual(before);
  const edit = await edits.apply(plan, aCall());
  const after = sandbox.snapshot();
  expect(after).toMatchObject({
    'a.ts': '755 ONE\n',
    'moved.ts': '644 name\n',
    'made/here/new.ts': '644 new\n',
    'elsewhere/deep/y.ts': '600 Y\n',
    'elsewhere/x.ts': '644 x\n',
  });
  expect(Object.keys(after)).not.toContain('gone.ts');
  expect(Object.keys(after).filter((name) => name.includes('.lspan'))).toEqual([]);
  expect(edit).not.toHaveProperty('warning');
  const undo = sandbox.open();
  expect(undo.history().map(({ id }) => id)).toEqual([edit.id]);
  const undone = await undo.apply(undo.planUndo(undefined), aCall());
  expect(sandbox.snapshot()).toEqual(before);
  expect(undo.history()).toMatchObject([{ undoes: edit.id }, { id: edit.id, undoneBy: undone.id }]);
  await undo.apply(undo.planUndo(undone.id), aCall());
  expect(sandbox.snapshot()).toEqual(after);
  const onRecord = readdirSync(`${sandbox.state}/edits`).filter((name) => !name.endsWith('.waste'));
  expect(onRecord).toHaveLength(4);
});

test('a file that was just made has no second name, even before what is left of the edit is freed', async () => {
  const freed = new Promise<void>(() => {});
  const sandbox = openSandbox(everyThing);
  const edits = sandbox.open({ files: { ...realFileSystem, unlinkAsync: () => freed } });
  await edits.apply(
    edits.plan(sandbox.proposal({ create: 'made.ts', text: '0\n' }), { title: 'make' }),
    aCall(),
  );
  const plan = edits.plan(sandbox.proposal({ write: 'made.ts', text: '1\n' }), { title: 'write' });
  expect(plan.files).toMatchObject([{ path: sandbox.at('made.ts'), change: 'edit' }]);
  expect(plan.files[0]).not.toHaveProperty('linkBroken');
});

test('EDT-36 a plan is applied once, and one that overlaps it is stale', async () => {
  const sandbox = openSandbox(everyThing);
  const edits = sandbox.open();
  const plan = edits.plan(sandbox.proposal({ write: 'a.ts', text: '1\n' }), { title: 'first' });
  const other = edits.plan(sandbox.proposal({ write: 'a.ts', text: '2\n' }), { title: 'second' });
  const outcomes = await Promise.allSettled([edits.apply(plan, aCall()), edits.apply(plan, aCall())]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(outcomes.find((one) => one.status === 'rejected')?.reason).toMatchObject({
    code: 'already_applied',
  });
  await expect(edits.apply(other, aCall())).rejects.toMatchObject({ code: 'stale' });
  expect(sandbox.snapshot()['a.ts']).toBe('644 1\n');
});

test('EDT-34 an edit is not undone if a file was changed since, and the difference is reported', async () => {
  const sandbox = openSandbox(everyThing);
  const edits = sandbox.open();
  await edits.apply(edits.plan(everyChange(sandbox), { title: 'everything' }), aCall());
  writeFileSync(sandbox.at('a.ts'), 'ONE\nmine\n');
  const before = sandbox.snapshot();
  expect(() => edits.planUndo(undefined)).toThrow(
    expect.objectContaining({
      code: 'stale',
      candidates: [{ file_path: 'a.ts', diff: expect.stringContaining('+mine') }],
    }),
  );
  expect(sandbox.snapshot()).toEqual(before);
});
