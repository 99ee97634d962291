import {
  chownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { WorkspaceLock } from '../../../src/edits/apply/workspace-lock.ts';
import { realFileSystem } from '../../../src/edits/disk/file-system.ts';
import { thisProcess } from '../../../src/platform/processes/process-identity.ts';
import { countedFiles } from '../counted-files.ts';
import { everyChange, everyThing } from '../everything.ts';
import { openSandbox, temporaryFolder } from '../sandbox.ts';
import { aCall, type Sandbox, setMode } from '../sandbox-in.ts';

const dead = { ...thisProcess(), started: 1 };

function planOf(sandbox: Sandbox, file: string, text: string) {
  return sandbox.open().plan(sandbox.proposal({ write: file, text }), { title: text });
}

describe('an edit keeps', () => {
  test('EDT-11 mode, owner and group, but not the right to run as them', async () => {
    const sandbox = openSandbox({ 'run.sh': 'old\n', 'secret.ts': 'old\n' });
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chownSync(sandbox.at('run.sh'), 12, 34);
    setMode(sandbox.at('run.sh'), 0o4755);
    setMode(sandbox.at('secret.ts'), 0o600);
    await sandbox.open().apply(planOf(sandbox, 'run.sh', 'new\n'), aCall());
    await sandbox.open().apply(planOf(sandbox, 'secret.ts', 'new\n'), aCall());
    expect(sandbox.snapshot()).toEqual({ 'run.sh': '755 new\n', 'secret.ts': '600 new\n' });
    const { uid, gid } = statSync(sandbox.at('run.sh'));
    if (isRoot) expect([uid, gid]).toEqual([12, 34]);
  });

  test('BND-04 EDT-12 a link, and changes its target', async () => {
    const sandbox = openSandbox({ 'real/a.ts': 'old\n', 'link.ts': '-> real/a.ts' });
    await sandbox.open().apply(planOf(sandbox, 'link.ts', 'new\n'), aCall());
    expect(sandbox.snapshot()).toMatchObject({ 'link.ts': '-> real/a.ts', 'real/a.ts': '644 new\n' });
  });

  test('BND-08 BND-22 EDT-13 files outside that hard links and symbolic links lead to', async () => {
    const sandbox = openSandbox({ 'a.ts': 'old\n', 'tree/b.ts': 'b\n' });
    const outside = temporaryFolder('lspan-outside-');
    writeFileSync(path.join(outside, 'kept.ts'), 'kept\n');
    linkSync(sandbox.at('a.ts'), path.join(outside, 'other.ts'));
    symlinkSync(outside, sandbox.at('tree/out'));
    const steps = sandbox.proposal({ write: 'a.ts', text: 'new\n' }, { remove: 'tree' });
    const edits = sandbox.open();
    await edits.apply(edits.plan(steps, { title: 'remove' }), aCall());
    expect(sandbox.snapshot()).toEqual({ 'a.ts': '644 new\n' });
    expect(readdirSync(outside).map((name) => readFileSync(path.join(outside, name), 'utf8'))).toEqual([
      'kept\n',
      'old\n',
    ]);
  });
});

test('a folder that cannot be pinned by a descriptor is checked again instead', async () => {
  const sandbox = openSandbox(everyThing);
  const before = sandbox.snapshot();
  const edits = sandbox.open({ proof: 'path' });
  await edits.apply(edits.plan(everyChange(sandbox), { title: 'everything' }), aCall());
  await edits.apply(edits.planUndo(undefined), aCall());
  expect(sandbox.snapshot()).toEqual(before);
});

test('EDT-21 a move can change the spelling of a name', async () => {
  const sandbox = openSandbox({ 'Cart.ts': 'cart\n' });
  const edits = sandbox.open();
  await edits.apply(
    edits.plan(sandbox.proposal({ move: 'Cart.ts', to: 'cart.ts' }), { title: 'case' }),
    aCall(),
  );
  expect(sandbox.snapshot()).toEqual({ 'cart.ts': '644 cart\n' });
  await edits.apply(edits.planUndo(undefined), aCall());
  expect(sandbox.snapshot()).toEqual({ 'Cart.ts': '644 cart\n' });
});

describe('an edit is refused, and leaves everything as it was, for', () => {
  test('EDT-31 an unreadable record of another edit', async () => {
    const sandbox = openSandbox({ 'a.ts': 'old\n' });
    const plan = planOf(sandbox, 'a.ts', 'new\n');
    mkdirSync(path.join(sandbox.state, 'edits'), { recursive: true });
    writeFileSync(path.join(sandbox.state, 'edits/e-strange.prepared'), 'who knows');
    const { conflicts } = await sandbox.open().recover(aCall());
    expect(conflicts).toEqual([expect.stringContaining('e-strange.prepared')]);
    await expect(sandbox.open().apply(plan, aCall())).rejects.toMatchObject({ code: 'refused' });
    expect(sandbox.snapshot()).toEqual({ 'a.ts': '644 old\n' });
  });

  test('EDT-40 too little space on the disk', async () => {
    const sandbox = openSandbox({ 'a.ts': 'old\n' });
    const files = { ...realFileSystem, room: () => 7 };
    const applied = sandbox.open({ files }).apply(planOf(sandbox, 'a.ts', 'new\n'), aCall());
    await expect(applied).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('space'),
    });
    expect(sandbox.snapshot()).toEqual({ 'a.ts': '644 old\n' });
  });

  test('EDT-15 a file that changed since the plan was made', async () => {
    const sandbox = openSandbox({ 'a.ts': 'old\n' });
    const plan = planOf(sandbox, 'a.ts', 'new\n');
    setMode(sandbox.at('a.ts'), 0o755);
    const applied = sandbox.open().apply(plan, aCall());
    await expect(applied).rejects.toMatchObject({ code: 'stale', message: expect.stringContaining('a.ts') });
    expect(sandbox.snapshot()).toEqual({ 'a.ts': '755 old\n' });
  });

  test('a cancelled call, until the first step is applied', async () => {
    const outcomes = new Set<string>();
    for (let at = 1, reached = Number.POSITIVE_INFINITY; at <= reached; at += 3) {
      const sandbox = openSandbox(everyThing);
      const before = sandbox.snapshot();
      const plan = sandbox.open().plan(everyChange(sandbox), { title: 'everything' });
      const caller = new AbortController();
      const { files, names } = countedFiles(undefined, { before: (_, now) => now === at && caller.abort() });
      const applied = sandbox.open({ files }).apply(plan, aCall(20_000, caller.signal));
      const outcome = await applied.then(
        () => 'applied',
        (thrown: { code: string }) => thrown.code,
      );
      // One that was cancelled has not come to its end.
      if (outcome === 'applied') reached = names.length;
      outcomes.add(outcome);
      expect(JSON.stringify(sandbox.snapshot()) === JSON.stringify(before)).toBe(outcome !== 'applied');
    }
    expect([...outcomes]).toEqual(['cancelled', 'applied']);
  });

  test('a state folder in the workspace', async () => {
    const sandbox = openSandbox({ 'a.ts': 'old\n' });
    const inside = sandbox.open({ folder: sandbox.at('.state') });
    await expect(inside.apply(planOf(sandbox, 'a.ts', 'new\n'), aCall())).rejects.toMatchObject({
      code: 'refused',
    });
    expect(sandbox.snapshot()).toEqual({ 'a.ts': '644 old\n' });
  });

  test('a missing state folder that would be in the workspace because of a link', async () => {
    const sandbox = openSandbox({ 'a.ts': 'old\n' });
    const link = path.join(path.dirname(sandbox.root), 'link');
    symlinkSync(sandbox.root, link);
    const inside = sandbox.open({ folder: path.join(link, 'not/yet') });
    await expect(inside.apply(planOf(sandbox, 'a.ts', 'new\n'), aCall())).rejects.toMatchObject({
      code: 'refused',
    });
    expect(sandbox.snapshot()).toEqual({ 'a.ts': '644 old\n' });
  });

  test('a name that no file can have', () => {
    const sandbox = openSandbox();
    const plan = () =>
      sandbox.open().plan(sandbox.proposal({ create: 'x'.repeat(300), text: '' }), { title: 'too long' });
    expect(plan).toThrow(expect.objectContaining({ code: 'refused' }));
  });
});

describe('PRC-19 the lock', () => {
  test('of a live process is waited for until shortly before the deadline, and its holder is named', async () => {
    const sandbox = openSandbox({ 'a.ts': 'old\n' });
    const locks = path.join(sandbox.state, 'edits/locks');
    mkdirSync(locks, { recursive: true });
    const release = await new WorkspaceLock(realFileSystem, locks, thisProcess()).take(
      [sandbox.root],
      aCall(),
    );
    const applied = sandbox.open().apply(planOf(sandbox, 'a.ts', 'new\n'), aCall(2_000));
    await expect(applied).rejects.toMatchObject({
      code: 'busy',
      message: expect.stringContaining(String(process.pid)),
    });
    const waiting = sandbox.open().apply(planOf(sandbox, 'a.ts', 'new\n'), aCall());
    release();
    await expect(waiting).resolves.toMatchObject({ title: 'new\n' });
  });

  test('of a dead process is taken by only one of those that find it', async () => {
    const locks = temporaryFolder('lspan-locks-');
    for (let round = 0; round < 20; round++) {
      await new WorkspaceLock(realFileSystem, locks, dead).take(['/root'], aCall());
      const all = Array.from({ length: 8 }, () => new WorkspaceLock(realFileSystem, locks, thisProcess()));
      const got = await Promise.all(all.map((lock) => lock.tryTake(['/root'])));
      const releases = got.filter((release) => release !== undefined);
      expect(releases).toHaveLength(1);
      for (const release of releases) release();
      expect(readdirSync(locks)).toHaveLength(1);
    }
  });
});

test('PRC-13 a record that a killed process was still writing is removed as soon as no process can be writing it', async () => {
  const sandbox = openSandbox({ 'a.ts': '0\n' });
  const folder = path.join(sandbox.state, 'edits');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const ages = { 'e-killed.new': limits.undo.writing + 1_000, 'e-writing.new': limits.undo.writing - 60_000 };
  for (const [name, age] of Object.entries(ages)) {
    writeFileSync(path.join(folder, name), 'x');
    const at = (Date.now() - age) / 1_000;
    utimesSync(path.join(folder, name), at, at);
  }
  await sandbox.open().apply(planOf(sandbox, 'a.ts', '1\n'), aCall());
  expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual(['e-writing.new']);
});

test('RES-11 records of edits are removed when they are too many or too old, and only their owner can read them', async () => {
  const sandbox = openSandbox({ 'a.ts': '0\n' });
  const folder = path.join(sandbox.state, 'edits');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let old = 0; old < limits.undo.edits; old++) writeFileSync(path.join(folder, `e-old${old}.done`), 'x');
  writeFileSync(path.join(folder, 'e-ancient.conflict'), 'x');
  utimesSync(path.join(folder, 'e-ancient.conflict'), 1, 1);
  await sandbox.open().apply(planOf(sandbox, 'a.ts', '1\n'), aCall());
  const names = readdirSync(folder).filter((name) => name !== 'locks' && !name.endsWith('.waste'));
  expect(names).toHaveLength(limits.undo.edits);
  expect(names).not.toContain('e-ancient.conflict');
  const [edit] = sandbox.open().history();
  expect(statSync(path.join(folder, `${edit?.id}.done`)).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});
