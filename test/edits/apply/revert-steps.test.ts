import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { thisProcess } from '../../../src/platform/processes/process-identity.ts';
import { countedFiles } from '../counted-files.ts';
import { openSandbox } from '../sandbox.ts';
import { aCall } from '../sandbox-in.ts';

/** As another process that has ended would be on record. */
const dead = { ...thisProcess(), started: 1 };

test('EDT-29 a file whose old name another program took after a kill is not lost', async () => {
  const wrong: string[] = [];
  for (let at = 1, reached = 0; at <= reached + 1; at++) {
    const sandbox = openSandbox({ 'old.ts': 'precious\n' });
    const plan = sandbox.open().plan(sandbox.proposal({ move: 'old.ts', to: 'new.ts' }), { title: 'move' });
    const { files, names, killed } = countedFiles({ at, kill: true });
    const applied = sandbox.open({ files, owner: dead }).apply(plan, aCall());
    await Promise.race([applied.catch(() => {}), killed]);
    reached = names.length;
    if (reached >= at) await killed;
    const isFree = !existsSync(sandbox.at('old.ts'));
    if (isFree) writeFileSync(sandbox.at('old.ts'), 'mine\n');
    await sandbox.open().recover(aCall());
    const place = existsSync(sandbox.at('new.ts')) ? 'new.ts' : 'old.ts';
    const is = [readFileSync(sandbox.at('old.ts'), 'utf8'), readFileSync(sandbox.at(place), 'utf8')];
    if (!is.includes('precious\n') || (isFree && is[0] !== 'mine\n')) wrong.push(`${at}: ${is}`);
  }
  expect(wrong).toEqual([]);
});

test.each([true, false])(
  'EDT-26 a file that was moved into a new folder and edited is moved back (hard links: %s)',
  async (hasLinks) => {
    const wrong: string[] = [];
    for (let at = 1, reached = 0; at <= reached + 1; at++) {
      const sandbox = openSandbox({ 'a.ts': 'text\n' });
      const { steps, confirm } = sandbox.proposal(
        { write: 'a.ts', text: 'edited\n' },
        { move: 'a.ts', to: 'made/b.ts' },
      );
      const plan = sandbox.open().plan({ steps, confirm }, { title: 'edit and move' });
      const { files, names } = countedFiles({ at, code: 'EIO' }, { hasLinks });
      const outcome = await sandbox
        .open({ files })
        .apply(plan, aCall())
        .then(
          () => 'edited\n',
          () => 'text\n',
        );
      reached = names.length;
      const isBack = JSON.stringify(sandbox.snapshot()) === JSON.stringify({ 'a.ts': '644 text\n' });
      if (isBack !== (outcome === 'text\n')) wrong.push(`${at} ${names[at - 1]}`);
    }
    expect(wrong).toEqual([]);
  },
);

test('a folder that was made in a moved folder is undone', async () => {
  const sandbox = openSandbox({ 'd/x.ts': 'x\n', 'e/y.ts': 'y\n' });
  const before = sandbox.snapshot();
  const proposal = sandbox.proposal({ move: 'e', to: 'd/made/e' }, { move: 'd', to: 'u' });
  const edits = sandbox.open();
  await edits.apply(edits.plan(proposal, { title: 'both' }), aCall());
  await edits.apply(edits.planUndo(undefined), aCall());
  expect(sandbox.snapshot()).toEqual(before);
});
