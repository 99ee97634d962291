import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FakeScript } from '../../fake-server/script.ts';
import { question } from '../../test-bridge.ts';
import { type DaemonWorld, daemonWorld, isRunning, startMcp } from './daemon-world.ts';

const definition = 'textDocument/definition';
const shownAnswer = 'a.txt\n  1:10 function alpha';

/** A server that never answers one kind of question. */
function silentTo(method: string): FakeScript {
  return { rules: [{ on: { method }, do: [{ never: true }] }] };
}

const renaming = { symbol_name: 'alpha', file_path: 'a.txt', new_name: 'gamma', dry_run: false };
const before = { 'a.txt': 'function alpha\nalpha beta\n', 'b.txt': 'alpha is used\nfunction beta\n' };
const after = { 'a.txt': 'function gamma\ngamma beta\n', 'b.txt': 'gamma is used\nfunction beta\n' };

describe('a daemon that is killed', () => {
  it('DMN-02 while it reads leaves the question to the next one', async () => {
    const world = daemonWorld(silentTo(definition), {});
    const bridge = await world.open();
    const answer = bridge.call(question.tool, question.input);
    await expect.poll(() => world.heard()).toContain(definition);
    const killed = await world.pid();
    process.kill(killed, 'SIGKILL');
    expect((await answer).data).toMatchObject({ complete: true, ...question.answer });
    expect(await world.pid()).not.toBe(killed);
    expect(world.starts()).toBe(2);
  });

  it('DMN-02 twice while it reads makes the call fail with a reason', async () => {
    const world = daemonWorld(silentTo(definition));
    const bridge = await world.open();
    const answer = bridge.call(question.tool, question.input);
    for (const nth of [1, 2]) {
      await expect.poll(() => world.heard().filter((method) => method === definition)).toHaveLength(nth);
      process.kill(await world.pid(), 'SIGKILL');
    }
    expect((await answer).text).toContain('ended twice');
  });

  it('DMN-02 leaves the connection of an MCP client as it is', async () => {
    const world = daemonWorld(silentTo(definition), {});
    await world.warm();
    const { call } = await startMcp(world);
    const answer = call(question.tool, question.input);
    await expect.poll(() => world.heard()).toContain(definition);
    process.kill(await world.pid(), 'SIGKILL');
    expect((await answer).content[0]?.text).toContain(shownAnswer);
    expect((await call(question.tool, question.input)).content[0]?.text).toContain(shownAnswer);
  });

  it('DMN-02 while it reads a resource leaves that to the next one', async () => {
    const world = daemonWorld(silentTo('textDocument/diagnostic'), {});
    const bridge = await world.open();
    const answer = bridge.resources?.problemsOf('a.txt');
    await expect.poll(() => world.heard()).toContain('textDocument/diagnostic');
    process.kill(await world.pid(), 'SIGKILL');
    expect((await answer)?.text).toContain('No problems in a.txt.');
  });

  it('DMN-02 tells clients that follow problems that any may have changed, and the next one tells of changes', async () => {
    const world = daemonWorld();
    const bridge = await world.open();
    const told: (string | undefined)[] = [];
    bridge.resources?.onProblems((path) => told.push(path));
    expect((await bridge.call(question.tool, question.input)).isError).toBe(false);
    told.length = 0;
    process.kill(await world.pid(), 'SIGKILL');
    await expect.poll(() => told).toEqual([undefined]);
    expect((await bridge.resources?.problemsOf('a.txt'))?.isError).toBe(false);
    told.length = 0;
    writeFileSync(path.join(world.root, 'a.txt'), 'function alpha\nalpha ERROR\n');
    await expect.poll(() => told).not.toEqual([]);
  });

  it('DMN-03 before it has changed a file says that nothing was changed', async () => {
    const world = daemonWorld(silentTo('textDocument/rename'), {});
    const bridge = await world.open();
    const answer = bridge.call('rename_symbol', renaming);
    await expect.poll(() => world.heard()).toContain('textDocument/rename');
    process.kill(await world.pid(), 'SIGKILL');
    expect((await answer).text).toContain('before rename_symbol changed anything');
    expect(filesOf(world)).toEqual(before);
    expect((await bridge.call('rename_symbol', renaming)).isError).toBe(false);
    expect(filesOf(world)).toEqual(after);
  });

  it('DMN-03 at any step of a change says what became of it, and the files are whole', async () => {
    const told = new Set<string>();
    for (let at = 1; ; at += 1) {
      const world = daemonWorld();
      const daemon = await startKilled(world, at);
      const bridge = await world.open();
      const { text, data, isError } = await bridge.call('rename_symbol', renaming);
      if (!isError) {
        expect(filesOf(world)).toEqual(after);
        break;
      }
      expect(daemon.signalCode).toBe('SIGKILL');
      const state = sentences.find(([sentence]) => text.includes(sentence));
      expect(state, `killed at ${at}: ${text}`).toBeDefined();
      expect(data.error).toMatchObject({ next_step: expect.any(String) });
      expect(filesOf(world), `killed at ${at}: ${text}`).toEqual(state?.[1]);
      told.add(state?.[0] ?? '');
    }
    expect([...told].sort()).toEqual(sentences.map(([sentence]) => sentence).sort());
  });
});

/** What is said of a lost change, and the files that there are then. */
const sentences = [
  ['before rename_symbol changed anything', before],
  ['All of it was taken back', before],
  ['had changed the files', after],
] as const;

/** Starts a daemon that is killed at the nth change that it makes on the disk. */
async function startKilled(world: DaemonWorld, at: number) {
  const nodeFlags = ['--require', path.join(import.meta.dirname, 'kill-at.cjs')];
  const environment = { TEST_KILL_AT: String(at), TEST_ROOT: world.root };
  const daemon = world.start(['daemon'], { nodeFlags, environment });
  if (daemon.stdout) expect(String((await once(daemon.stdout, 'data'))[0])).toBe('ready\n');
  expect(isRunning(daemon.pid ?? 0)).toBe(true);
  return daemon;
}

/** Everything in the project. */
function filesOf({ root }: DaemonWorld): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(root).map((name) => [name, readFileSync(path.join(root, name), 'utf8')]),
  );
}
