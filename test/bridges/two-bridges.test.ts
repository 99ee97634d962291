import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Bridge, openBridge } from '../../src/bridge.ts';
import { ask, expectInOrder, openTestBridge, type TestBridge, temporaryFolder } from '../test-bridge.ts';

const names = Array.from({ length: 30 }, (_, index) => `f${index}.txt`);
const files = {
  'a.txt': 'function alpha\nalpha beta\n',
  'b.txt': 'alpha is used\nfunction beta\n',
  ...Object.fromEntries(names.map((name) => [name, 'alpha beta\n'])),
};

/** Two bridges in this process over one project, which share what lspan remembers for the user too. */
async function openTwo(): Promise<{ one: TestBridge; other: Bridge; state: string }> {
  const state = temporaryFolder('lspan-state-');
  const one = await openTestBridge({ files, environment: { XDG_STATE_HOME: state } });
  const other = await openBridge({
    roots: [one.root],
    surface: 'lspan',
    overrides: one.config,
    environment: { ...process.env, XDG_STATE_HOME: state },
    log: () => {},
  });
  onTestFinished(() => other.close({ hurried: true }));
  return { one, other, state };
}

const rename = (bridge: Bridge, name: string, to: string, line: number) => {
  const at = name === 'alpha' ? { file_path: 'a.txt', line: 1 } : { file_path: 'b.txt', line };
  return bridge.call('rename_symbol', { ...at, character: 10, new_name: to, dry_run: false });
};

const texts = (root: string) =>
  ['a.txt', 'b.txt', ...names].map((name) => readFileSync(path.join(root, name), 'utf8')).join('');

describe('two bridges in one process', () => {
  it('PRC-19 rename in one workspace at the same time: each change is made wholly or refused, and none is lost', async () => {
    const { one, other, state } = await openTwo();
    const before = texts(one.root);
    const outcomes = await Promise.all([
      rename(one, 'alpha', 'first', 1),
      rename(other, 'beta', 'second', 2),
      rename(other, 'alpha', 'third', 1),
    ]);
    const done = (index: number) => outcomes[index]?.isError === false;
    expect(outcomes.some(({ isError }) => !isError)).toBe(true);
    expect(done(0) && done(2)).toBe(false);
    const alpha = done(0) ? 'first' : done(2) ? 'third' : 'alpha';
    const expected = before.replaceAll('alpha', alpha).replaceAll('beta', done(1) ? 'second' : 'beta');
    expect(texts(one.root)).toBe(expected);
    // Whoever was refused is told so in a way that lets it ask again.
    for (const { isError, text } of outcomes)
      if (isError) expect(text).toMatch(/^(stale|busy|not_found|invalid_input)/);
    const locks = readdirSync(path.join(state, 'lspan/edits/locks'));
    expect(locks.filter((name) => !name.endsWith('.free'))).toEqual([]);
    for (const bridge of [one, other])
      expect(
        (await bridge.call('find_definition', { file_path: 'f0.txt', line: 1, character: 1 })).text,
      ).toContain(`function ${alpha}`);
  });

  it('PRC-19 each can take back what the other has done, by its id', async () => {
    const { one, other } = await openTwo();
    const before = texts(one.root);
    const renamed = await rename(one, 'alpha', 'first', 1);
    const [, edit_id] = /edit_id "([^"]+)"/.exec(renamed.text) ?? [];
    expect((await other.call('undo_edit', { edit_id, dry_run: false })).isError).toBe(false);
    expect(texts(one.root)).toBe(before);
    await expectInOrder(one);
    await expectInOrder(other);
  });

  it('each hears of changes through watches of its own, and the end of one is nothing to the other', async () => {
    const { one, other } = await openTwo();
    await Promise.all([ask(one), ask(other)]);
    const own = new RegExp(`^lspan-${process.pid}-`);
    expect(readdirSync(os.tmpdir()).filter((name) => own.test(name)).length).toBeGreaterThanOrEqual(2);
    await one.close();
    await expectInOrder(other);
    one.write('b.txt', 'nothing\nalpha\n');
    const moved = { file_path: 'b.txt', line: 2, character: 1 };
    expect((await other.call('find_definition', moved)).text).toContain('function alpha');
    // The end does not wait for ever for the shell that watched.
    await expect.poll(watchdogs).toHaveLength(1);
  });
});

/** The shells that watch over servers of this process. */
function watchdogs(): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    const stat = readMaybe(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
    return Number(stat[1]) === process.pid && readMaybe(`/proc/${pid}/cmdline`).includes('\0watchdog\0');
  });
}

function readMaybe(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
