import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { beginCall } from '../../../src/core/call.ts';
import { silent } from '../../../src/core/log.ts';
import { type CallFate, Leftovers } from '../../../src/edits/leftovers.ts';
import { thisProcess } from '../../../src/platform/processes/process-identity.ts';
import { countedFiles } from '../counted-files.ts';
import { type Sandbox, sandboxIn } from '../sandbox-in.ts';

const things = { 'a.ts': 'a\n', 'b.ts': 'b\n' };
const dead = { ...thisProcess(), started: 1 };
const time = 20_000;

describe('what became of a call whose process was killed', () => {
  it('DMN-03 is known at any operation, and true', async () => {
    const states = new Map<CallFate['state'], number>();
    for (let at = 1; ; at += 1) {
      const sandbox = makeSandbox();
      const before = JSON.stringify(sandbox.snapshot());
      const { reached } = await applyUntil(sandbox, at);
      const { state } = await fateIn(sandbox);
      const isBefore = JSON.stringify(sandbox.snapshot()) === before;
      expect(isBefore, `${state} at ${at}`).toBe(state !== 'done');
      states.set(state, (states.get(state) ?? 0) + 1);
      if (reached < at) break;
    }
    expect([...states.keys()].sort()).toEqual(['done', 'not_done', 'taken_back']);
  });

  it('DMN-03 is not called taken back if another program has changed a file', async () => {
    const states = new Set<CallFate['state']>();
    for (let at = 1; ; at += 1) {
      const sandbox = makeSandbox();
      const { reached } = await applyUntil(sandbox, at);
      const isChanged = sandbox.snapshot()['a.ts'] !== '644 a\n';
      writeFileSync(sandbox.at('a.ts'), 'mine\n');
      const { state } = await fateIn(sandbox);
      if (isChanged) expect(['kept', 'done'], `at ${at}`).toContain(state);
      states.add(state);
      if (reached < at) break;
    }
    expect(states).toContain('kept');
  });

  it('DMN-03 is that nothing was done if the call is unknown', async () => {
    expect(await fateIn(makeSandbox())).toEqual({ state: 'not_done' });
  });
});

const call = 'the call';

function makeSandbox(): Sandbox {
  const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-lost-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(path.join(home, 'x'));
  return sandboxIn(path.join(home, 'x'), things);
}

/** Changes both files until the process is killed at an operation; returns how many there were. */
async function applyUntil(sandbox: Sandbox, at: number): Promise<{ readonly reached: number }> {
  const wishes = [
    { write: 'a.ts', text: 'new a\n' },
    { write: 'b.ts', text: 'new b\n' },
  ];
  const plan = sandbox.open().plan(sandbox.proposal(...wishes), { title: 'both' });
  const counted = countedFiles({ at, kill: true });
  const edits = sandbox.open({ files: counted.files, owner: dead });
  const applied = edits.apply(plan, beginCall({ time, id: call })).catch(() => {});
  await Promise.race([applied, counted.killed]);
  if (counted.names.length >= at) await counted.killed;
  return { reached: counted.names.length };
}

/** What the next process says. */
async function fateIn(sandbox: Sandbox): Promise<CallFate> {
  const leftovers = new Leftovers(sandbox.open(), silent);
  await leftovers.recover(time);
  return leftovers.fateOf(call);
}
