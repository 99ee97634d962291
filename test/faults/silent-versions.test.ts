import { describe, expect, it, vi } from 'vitest';
import type { Action, Rule } from '../fake-server/script.ts';
import { patient } from '../patient.ts';
import { openTestBridge } from '../test-bridge.ts';

vi.mock('../../src/servers/index.ts', () => import('./definitions.ts'));
// A server is told again soon, and has all the time in the world to speak of it.
vi.mock('../../src/core/limits.ts', async (load) => {
  const { limits } = await load<typeof import('../../src/core/limits.ts')>();
  return { limits: { ...limits, diagnostics: { ...limits.diagnostics, again: 50 } } };
});

const publish = (file: string, version: number, code: string): Action => ({
  notify: {
    method: 'textDocument/publishDiagnostics',
    params: {
      uri: `file://<root>/${file}`,
      version,
      diagnostics: [
        { code, message: code, range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } } },
      ],
    },
  },
});
const onOpen: Rule = { on: { method: 'textDocument/didOpen' }, do: [publish('a.txt', 1, 'old')] };
const onChange = (nth: number, ...actions: Action[]): Rule => ({
  on: { method: 'textDocument/didChange', nth },
  do: actions,
});
const openWith = (server: string, ...rules: Rule[]) =>
  openTestBridge({
    files: { 'a.txt': 'text\n', 'b.txt': 'text\n' },
    config: patient,
    servers: { [server]: { lives: [{ diagnostics: 'none', rules }] } },
  });
const open = (...rules: Rule[]) => openWith('ready', onOpen, ...rules);
const newly = { complete: true, doubts: [], files: [{ state: 'fresh' }], diagnostics: [{ code: 'new' }] };

it.each([
  ['speaks of another file, and nothing of a version, is told again', 3],
  ['speaks of a version only after it was told again need not speak of the next', 2],
])('a server that %s', async (_title, spoken) => {
  const bridge = await open(
    onChange(1, publish('b.txt', 1, 'other')),
    onChange(2, publish('a.txt', spoken, 'new')),
  );
  await bridge.call('get_diagnostics', { file_path: 'a.txt' });
  bridge.write('a.txt', 'other text\n');
  expect((await bridge.call('get_diagnostics', { file_path: 'a.txt' })).data).toMatchObject(newly);
});

it('a server that is told of another file while a word of it is awaited is told of the first once more', async () => {
  const bridge = await open(onChange(1), onChange(2, publish('a.txt', 3, 'new')));
  await bridge.call('get_diagnostics', { file_path: 'a.txt' });
  bridge.write('a.txt', 'other text\n');
  const asked = bridge.call('get_diagnostics', { file_path: 'a.txt' });
  bridge.write('b.txt', 'other text\n');
  await bridge.call('get_document_symbols', { file_path: 'b.txt' });
  expect((await asked).data).toMatchObject(newly);
});

it('a server that is slow is told again by few of those who wait, though it speaks of other files: it could not get done', async () => {
  const bridge = await open(
    onChange(1, publish('b.txt', 1, 'other')),
    onChange(2, { delayMs: 500 }, publish('a.txt', 3, 'new')),
  );
  await bridge.call('get_diagnostics', { file_path: 'a.txt' });
  bridge.write('a.txt', 'other text\n');
  const asking = Array.from({ length: 20 }, () => bridge.call('get_diagnostics', { file_path: 'a.txt' }));
  for (const { data } of await Promise.all(asking)) expect(data).toMatchObject(newly);
  const told = bridge.received('ready').filter(({ method }) => method === 'textDocument/didChange');
  expect(told.length).toBeLessThan(10);
});

it('a server that is slow and says nothing meanwhile is not told again at all', async () => {
  const bridge = await open(onChange(1, { delayMs: 500 }, publish('a.txt', 2, 'new')));
  await bridge.call('get_diagnostics', { file_path: 'a.txt' });
  bridge.write('a.txt', 'other text\n');
  expect((await bridge.call('get_diagnostics', { file_path: 'a.txt' })).data).toMatchObject(newly);
  const told = bridge.received('ready').filter(({ method }) => method === 'textDocument/didChange');
  expect(told).toHaveLength(1);
});

describe('a server that could not check a file, as may happen now and then,', () => {
  const onDazed: Rule = { on: { method: 'textDocument/didOpen' }, do: [publish('a.txt', 1, 'dazed')] };

  it('is sent it once more', async () => {
    const bridge = await openWith('dazed', onDazed, onChange(1, publish('a.txt', 2, 'new')));
    expect((await bridge.call('get_diagnostics', { file_path: 'a.txt' })).data).toMatchObject(newly);
  });

  it('is believed if it fails again', async () => {
    const bridge = await openWith('dazed', onDazed, onChange(1, publish('a.txt', 2, 'dazed')));
    const { text } = await bridge.call('get_diagnostics', { file_path: 'a.txt' });
    expect(text).toContain('dazed could not check the file: it is dazed.');
    const told = bridge.received('dazed').filter(({ method }) => method === 'textDocument/didChange');
    expect(told).toHaveLength(1);
  });
});
