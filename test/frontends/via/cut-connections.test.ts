import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FakeScript } from '../../fake-server/script.ts';
import { question } from '../../test-bridge.ts';
import { bin, end, isRunning, startMcp } from '../daemon/daemon-world.ts';
import { type ViaWorld, viaWorld } from './via-world.ts';

const definition = 'textDocument/definition';
const renaming = { symbol_name: 'alpha', file_path: 'a.txt', new_name: 'gamma', dry_run: false };
const before = { 'a.txt': 'function alpha\nalpha beta\n', 'b.txt': 'alpha is used\nfunction beta\n' };
const after = { 'a.txt': 'function gamma\ngamma beta\n', 'b.txt': 'gamma is used\nfunction beta\n' };

/** A server that never answers one kind of question. */
function silentTo(method: string): FakeScript {
  return { rules: [{ on: { method }, do: [{ never: true }] }] };
}

describe('a connection that is cut', () => {
  it('VIA-04 before the greeting fails the call, and the next call connects', async () => {
    const world = viaWorld();
    const once = `[ -e ${world.folder}/cut ] || { touch ${world.folder}/cut; kill -9 $$; }; exec "$@"`;
    const via = ['/bin/sh', '-c', once, 'sh', ...world.via];
    const first = await world.openVia({ via }).catch((thrown: Error) => thrown);
    expect(String(first)).toContain('ended with SIGKILL');
    const bridge = await world.openVia({ via });
    expect((await bridge.call(question.tool, question.input)).data).toMatchObject(question.answer);
  });

  it('VIA-04 during a question leaves it to the next connection, and nothing of the first', async () => {
    const world = viaWorld(silentTo(definition), {});
    const bridge = await world.openVia();
    const answer = bridge.call(question.tool, question.input);
    await expect.poll(() => world.heard()).toContain(definition);
    const pids = [...world.far(), ...world.servers()];
    end(world.joining()[0] ?? 0);
    expect((await answer).data).toMatchObject({ complete: true, ...question.answer });
    for (const pid of pids) await expect.poll(() => isRunning(pid)).toBe(false);
    expect(world.far()).toHaveLength(2);
  });

  it('VIA-04 between calls is made again by the next one, and the client notices nothing', async () => {
    const world = viaWorld();
    const flags = ['--via', world.via.join(' '), '--via-program', world.program.join(' ')];
    const { call } = await startMcp(world, flags);
    await call(question.tool, question.input);
    end(world.joining()[0] ?? 0);
    const { content } = await call(question.tool, question.input);
    expect(content[0]?.text).toContain('1:10 function alpha');
    expect(world.far()).toHaveLength(2);
  });

  it('VIA-04 that broke without a word ends the far end by itself, though its input is still open', async () => {
    const { start } = viaWorld();
    const impatient = path.resolve('test/frontends/via/impatient.cjs');
    const far = start(['channel'], { nodeFlags: ['--require', impatient] });
    let said = '';
    far.stdout?.on('data', (chunk) => {
      said += String(chunk);
    });
    const [code, signal] = await once(far, 'exit');
    expect(said).toContain('lspan');
    expect([code, signal]).toEqual([0, null]);
  });

  it('VIA-04 twice during a question makes the call fail with a reason', async () => {
    const world = viaWorld(silentTo(definition));
    const bridge = await world.openVia();
    const answer = bridge.call(question.tool, question.input);
    for (const nth of [1, 2]) {
      await expect.poll(() => world.heard().filter((method) => method === definition)).toHaveLength(nth);
      end(world.joining().at(-1) ?? 0);
    }
    expect((await answer).text).toMatch(/^server_crashed: The connection by .* ended twice/);
  });

  it('VIA-05 before an edit has changed a file says that nothing was changed', async () => {
    const world = viaWorld(silentTo('textDocument/rename'), {});
    const bridge = await world.openVia();
    const answer = bridge.call('rename_symbol', renaming);
    await expect.poll(() => world.heard()).toContain('textDocument/rename');
    end(world.joining()[0] ?? 0);
    expect((await answer).text).toContain('before rename_symbol changed anything');
    expect(filesOf(world)).toEqual(before);
    expect((await bridge.call('rename_symbol', renaming)).isError).toBe(false);
    expect(filesOf(world)).toEqual(after);
  });

  // The campaign via-cuts.js takes every step.
  const stride = Number(process.env.LSPAN_TEST_CUT_STRIDE ?? 6);

  it.each([
    ['goes on', 1, {}],
    ['stands still and has noticed nothing', 3, { TEST_CUT_STOPS: '1' }],
  ])(
    'VIA-05 at any step of an edit, while the far end %s, says what became of it, and the files are so',
    async (_, first, more) => {
      const told = new Set<string>();
      for (let at = Math.min(first, stride); ; at += stride) {
        const world = viaWorld();
        const bridge = await openCut(world, { TEST_CUT_AT: String(at), ...more });
        const { text, isError } = await bridge.call('rename_symbol', renaming);
        const [cut] = world.far();
        if (!isError) {
          expect(filesOf(world)).toEqual(after);
          break;
        }
        const state = sentences.find(([sentence]) => text.includes(sentence));
        expect(state, `cut at ${at}: ${text}`).toBeDefined();
        expect(isRunning(cut ?? 0)).toBe(false);
        expect(filesOf(world), `cut at ${at}: ${text}`).toEqual(state?.[1]);
        told.add(state?.[0] ?? '');
      }
      expect(told.size).toBeGreaterThan(0);
      if (stride === 1) expect([...told]).toContain('had changed the files');
    },
  );
});

/** What is said of a lost change, and the files that there are then. */
const sentences = [
  ['before rename_symbol changed anything', before],
  ['All of it was taken back', before],
  ['had changed the files', after],
] as const;

/** Opens a bridge whose connection is cut by the far end at the nth change that it makes on the disk. */
function openCut(world: ViaWorld, environment: Readonly<Record<string, string>>) {
  const program = [process.execPath, '--require', path.join(import.meta.dirname, 'cut-at.cjs'), bin];
  const cut = { TEST_ROOT: world.root, TEST_CUT_DONE: path.join(world.folder, 'done'), ...environment };
  return world.openVia({ program, environment: cut });
}

/** Everything in the project. */
function filesOf({ root }: ViaWorld): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(root).map((name) => [name, readFileSync(path.join(root, name), 'utf8')]),
  );
}
