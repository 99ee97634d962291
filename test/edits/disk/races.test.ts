import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { realFileSystem } from '../../../src/edits/disk/file-system.ts';
import { countedFiles } from '../counted-files.ts';
import { everyChange, everyThing } from '../everything.ts';
import { openSandbox } from '../sandbox.ts';
import { aCall, type Sandbox } from '../sandbox-in.ts';

describe('EDT-16 another program that changes a file at any operation of an edit', () => {
  test.each<{ how: string; change: (sandbox: Sandbox) => void; file: string; is: string }>([
    {
      how: 'by writing into it',
      change: (sandbox) => writeFileSync(sandbox.at('a.ts'), 'mine\n'),
      file: 'a.ts',
      is: '644 mine\n',
    },
    {
      how: 'by putting another in its place',
      change: (sandbox) => {
        writeFileSync(sandbox.at('a.tmp'), 'mine\n');
        renameSync(sandbox.at('a.tmp'), sandbox.at('a.ts'));
      },
      file: 'a.ts',
      is: '644 mine\n',
    },
    {
      how: 'that is about to be removed',
      change: (sandbox) => writeFileSync(sandbox.at('gone.ts'), 'mine\n'),
      file: 'gone.ts',
      is: '644 mine\n',
    },
    {
      how: 'that is about to be made',
      change: (sandbox) => {
        mkdirSync(sandbox.at('made/here'), { recursive: true });
        writeFileSync(sandbox.at('made/here/new.ts'), 'mine\n');
      },
      file: 'made/here/new.ts',
      is: '644 mine\n',
    },
    {
      how: 'where another is about to be moved',
      change: (sandbox) => writeFileSync(sandbox.at('moved.ts'), 'mine\n'),
      file: 'moved.ts',
      is: '644 mine\n',
    },
  ])('$how loses nothing', async ({ change, file, is, how }) => {
    const wrong: string[] = [];
    for (let at = 1, reached = at; at <= reached; at += stride) {
      const sandbox = openSandbox(everyThing);
      const state = sandbox.snapshot();
      const { outcome, names } = await applyDisturbed(sandbox, (now) => now === at && change(sandbox));
      reached = names.length;
      await sandbox.open().recover(aCall());
      const now = sandbox.snapshot();
      const isKept = now[file] === is || now['old.ts'] === is;
      const isBefore = Object.keys(state).every((name) => now[name] === state[name] || now[name] === is);
      const isOurs = Object.keys(now).some((name) => name.includes('.lspan-'));
      const isTrue = outcome === 'applied' ? !isBefore : outcome === 'stale' && isBefore;
      // A file that was put there in the instant between the last look and the rename cannot be seen.
      const isInstant = names[at - 1] === 'rename' && how.includes('putting') && now[file] === '644 ONE\n';
      if ((!isKept && !isInstant) || !isTrue || isOurs)
        wrong.push(`${at} ${names[at - 1]}: ${outcome}, ${JSON.stringify(now)}`);
    }
    expect(wrong).toEqual([]);
  });
});

/** Every how many operations somebody interferes. */
const stride = Number(process.env.LSPAN_CRASH_STRIDE ?? 3);

async function applyDisturbed(sandbox: Sandbox, disturb: (at: number) => void) {
  const plan = sandbox.open().plan(everyChange(sandbox), { title: 'everything' });
  const { files, names } = countedFiles(undefined, { before: (_, at) => disturb(at) });
  const applied = sandbox.open({ files }).apply(plan, aCall());
  const outcome = await applied.then(
    () => 'applied',
    (thrown: { code: string }) => thrown.code,
  );
  return { outcome, names };
}

test('EDT-25 EDT-33 a reader sees the old text or the new, and always one of them', async () => {
  const [old, fresh] = ['old\n'.repeat(500), 'fresh\n'.repeat(500)];
  const sandbox = openSandbox({ 'a.ts': old });
  const reader = await startRacer('../steady-reader.js', [sandbox.at('a.ts')], sandbox.root);
  const edits = sandbox.open();
  for (let round = 0; round < 20; round++) {
    const text = round % 2 === 0 ? fresh : old;
    const plan = edits.plan(sandbox.proposal({ write: 'a.ts', text }), { title: 'again' });
    await edits.apply(plan, aCall());
  }
  const seen = new Map<string, number>(await reader.ask());
  expect([...seen.keys()].map((text) => text.slice(0, 10)).sort()).toEqual(['fresh\nfres', 'old\nold\nol']);
  expect([...seen.keys()].sort()).toEqual([fresh, old]);
});

test('BND-06 nothing is written outside while a folder is swapped for a link at full speed', async () => {
  const sandbox = openSandbox({ 'd/x.ts': 'inside 0\n' });
  const outside = path.join(path.dirname(sandbox.root), 'outside');
  mkdirSync(outside);
  writeFileSync(path.join(outside, 'x.ts'), 'SECRET\n');
  const plan = (round: number) =>
    sandbox
      .open()
      .plan(
        sandbox.proposal(
          { write: 'd/x.ts', text: `inside ${round}\n` },
          { create: `d/new-${round}.ts`, text: 'new\n' },
        ),
        { title: 'again' },
      );
  const first = plan(1);
  const racer = await startRacer('../../workspace/folder-swapper.js', ['../outside'], sandbox.root);
  const outcomes = new Map<string, number>();
  let now = first;
  for (let round = 2; round < 300; round++) {
    const edits = sandbox.open();
    const outcome = await edits.apply(now, aCall()).then(
      () => 'applied',
      (thrown: { code: string; message: string }) => thrown.code,
    );
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    now = planAgain(() => plan(round)) ?? now;
  }
  await racer.stop();
  expect(readdirSync(outside)).toEqual(['x.ts']);
  expect(readFileSync(path.join(outside, 'x.ts'), 'utf8')).toBe('SECRET\n');
  await sandbox.open().recover(aCall());
  const left = readdirSync(sandbox.root, { recursive: true, encoding: 'utf8' });
  expect(left.filter((name) => name.includes('.lspan-'))).toEqual([]);
  expect(
    [...outcomes.keys()].filter((one) => !['applied', 'stale', 'already_applied'].includes(one)),
  ).toEqual([]);
});

/** The folder may be away just when it is looked at. */
function planAgain<T>(plan: () => T): T | undefined {
  try {
    return plan();
  } catch {
    return undefined;
  }
}

async function startRacer(script: string, given: readonly string[], cwd: string) {
  const racer = fork(path.join(import.meta.dirname, script), given, { cwd });
  const ask = async () => {
    racer.send('tell');
    return (await once(racer, 'message'))[0];
  };
  const stop = async () => {
    if (racer.connected) racer.disconnect();
    if (racer.exitCode === null) await once(racer, 'exit');
  };
  onTestFinished(stop);
  await ask();
  return { ask, stop };
}

describe('PRC-19 a process whose edit enters its next phase while another reads the records', () => {
  test.each(['committed', 'prepared'] as const)('does not disturb it: %s', async (phase) => {
    const sandbox = openSandbox({ 'a.ts': 'old\n' });
    const edits = sandbox.open();
    const proposal = sandbox.proposal({ write: 'a.ts', text: 'new\n' });
    const { id } = await edits.apply(edits.plan(proposal, { title: 'write' }), aCall());
    const record = (name: string) => path.join(sandbox.state, 'edits', `${id}.${name}`);
    renameSync(record('done'), record(phase));
    const list = (folder: string) => {
      const names = realFileSystem.list(folder);
      if (names.includes(`${id}.${phase}`)) renameSync(record(phase), record('done'));
      return names;
    };
    const other = sandbox.open({ files: { ...realFileSystem, list } });
    if (phase === 'committed') expect(other.history()).toMatchObject([{ id }]);
    await other.recover(aCall());
    await other.apply(other.planUndo(id), aCall());
    expect(sandbox.snapshot()).toEqual({ 'a.ts': '644 old\n' });
  });
});
