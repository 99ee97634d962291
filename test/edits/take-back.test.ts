import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { thisProcess } from '../../src/edits/owner.ts';
import { countedFiles } from './counted-files.ts';
import { openSandbox } from './sandbox.ts';
import { aCall } from './sandbox-in.ts';

/** As another process that has ended would be on record. */
const dead = { ...thisProcess(), started: 1 };

test('EDT-29 a file whose old name somebody took after a kill is not lost', async () => {
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

test('EDT-26 without second links, a file that was moved and edited is moved back', async () => {
  const wrong: string[] = [];
  for (let at = 1, reached = 0; at <= reached + 1; at++) {
    const sandbox = openSandbox({ 'a.ts': 'text\n' });
    const { steps, confirm } = sandbox.proposal(
      { write: 'a.ts', text: 'edited\n' },
      { move: 'a.ts', to: 'b.ts' },
    );
    const plan = sandbox.open().plan({ steps, confirm }, { title: 'edit and move' });
    const { files, names } = countedFiles({ at, code: 'EIO' }, { hasLinks: false });
    const outcome = await sandbox
      .open({ files })
      .apply(plan, aCall())
      .then(
        () => 'edited\n',
        () => 'text\n',
      );
    reached = names.length;
    const place = sandbox.at(outcome === 'text\n' ? 'a.ts' : 'b.ts');
    if (!existsSync(place) || readFileSync(place, 'utf8') !== outcome) wrong.push(`${at} ${names[at - 1]}`);
  }
  expect(wrong).toEqual([]);
});
