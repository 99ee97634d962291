import { type ChildProcessByStdio, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { everyThing } from '../everything.ts';
import { aCall, sandboxIn, snapshot } from '../sandbox-in.ts';

let home = '';
let child = '';

beforeAll(() => {
  home = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-processes-')));
  execFileSync(process.execPath, [path.join(import.meta.dirname, '../build-child.js'), home]);
  child = path.join(home, 'engine-child.mjs');
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function folder(name: string): string {
  const place = path.join(home, name);
  mkdirSync(place);
  return place;
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** Starts a process that waits with its plan until it is told to go on. */
async function startPlanned(place: string, file: string, text: string): Promise<Child> {
  const started = spawn(process.execPath, [child, 'apply', place, file, text], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void started.kill('SIGKILL'));
  await once(started.stdout, 'data');
  return started;
}

async function outcomeOf(started: Child): Promise<string> {
  const said = once(started.stdout, 'data');
  started.stdin.write('go\n');
  return String((await said)[0]).trim();
}

test('PRC-19 EDT-36 if several processes change one file at once, one succeeds, and the others are stale', async () => {
  const place = folder('one-file');
  const sandbox = sandboxIn(place, { 'a.ts': 'old\n' });
  const texts = ['first\n', 'second\n', 'third\n'];
  const started = await Promise.all(texts.map((text) => startPlanned(place, 'a.ts', text)));
  const outcomes = await Promise.all(started.map(outcomeOf));
  expect([...outcomes].sort()).toEqual(['applied', 'stale', 'stale']);
  expect(sandbox.snapshot()).toEqual({ 'a.ts': `644 ${texts[outcomes.indexOf('applied')]}` });
});

test('PRC-19 processes that change different files of a workspace take turns', async () => {
  const place = folder('several-files');
  const names = ['a.ts', 'b.ts', 'c.ts', 'd.ts'];
  const sandbox = sandboxIn(place, Object.fromEntries(names.map((name) => [name, 'old\n'])));
  const started = await Promise.all(names.map((name) => startPlanned(place, name, 'new\n')));
  expect(await Promise.all(started.map(outcomeOf))).toEqual(names.map(() => 'applied'));
  expect(sandbox.snapshot()).toEqual(Object.fromEntries(names.map((name) => [name, '644 new\n'])));
  expect(sandbox.open().history()).toHaveLength(4);
});

/** All of them in the campaign; some in CI. */
const kills = Number(process.env.LSPAN_EDIT_KILLS ?? 6);

test('EDT-28 a SIGKILL at an operation leaves all or nothing once the next lspan starts', {
  timeout: 120_000 + kills * 5_000,
}, async () => {
  const whole = folder('whole');
  const before = sandboxIn(whole, everyThing).snapshot();
  const total = Number(spawnSync(process.execPath, [child, 'everything', whole, '0']).stdout.toString());
  const after = snapshot(path.join(whole, 'work'));
  const outcomes: Record<string, number> = {};
  const wrong: string[] = [];
  const step = Math.max(1, Math.floor(total / kills));
  for (let at = 1; at <= total; at += step) {
    const place = folder(`kill-${at}`);
    const sandbox = sandboxIn(place, everyThing);
    const { signal } = spawnSync(process.execPath, [child, 'everything', place, String(at)]);
    const { conflicts } = await sandbox.open().recover(aCall());
    const now = JSON.stringify(sandbox.snapshot());
    const is = now === JSON.stringify(before) ? 'before' : now === JSON.stringify(after) ? 'after' : 'mixed';
    outcomes[is] = (outcomes[is] ?? 0) + 1;
    if (is === 'mixed' || signal !== 'SIGKILL' || conflicts.length > 0)
      wrong.push(`${at}: ${is} ${signal} ${now}`);
    rmSync(place, { recursive: true });
  }
  console.log(`killed at every ${step} of ${total} operations: ${JSON.stringify(outcomes)}`);
  expect(wrong).toEqual([]);
});
