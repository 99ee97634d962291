import { expect, it } from 'vitest';
import type { Rule } from '../../fake-server/script.ts';
import { expectError, openTestBridge, type TestBridge } from '../../test-bridge.ts';
import { onDisk } from '../rename/renaming-bridge.ts';

const files = { 'a.txt': 'function alpha\nERROR_old\n', 'b.txt': 'alpha\n' };

/** Tries candidates that each put another word in the place of `ERROR_old`. */
function check(bridge: TestBridge, words: readonly string[], signal?: AbortSignal) {
  const candidates = words.map((word) => ({
    id: word,
    edits: [{ file_path: 'a.txt', old_text: 'ERROR_old', new_text: word }],
  }));
  return bridge.call('check_edits', { candidates }, signal ? { signal } : {});
}

/** The problems of the file as the server sees it, which must be those of the disk. */
async function expectAsBefore(bridge: TestBridge, disk: Record<string, string>): Promise<void> {
  const { data } = await bridge.call('get_diagnostics', { file_path: 'a.txt' });
  expect(data).toMatchObject({ complete: true, diagnostics: [{ code: 'ERROR_old', line: 2 }] });
  expect(onDisk(bridge.root)).toEqual(disk);
}

/** What the server was last told that the file holds. */
function lastTold(bridge: TestBridge): string {
  const told = bridge.received().filter(({ method }) => /didOpen|didChange$/.test(method ?? ''));
  return JSON.stringify(told.findLast(({ params }) => JSON.stringify(params).includes('a.txt')));
}

const open = (...rules: Rule[]) => openTestBridge({ files, servers: { fake: { lives: [{ rules }, {}] } } });

it('candidates are ranked by errors, warnings, fixes and size, and leave nothing behind', async () => {
  const bridge = await open();
  const disk = onDisk(bridge.root);
  const { data } = await check(bridge, [
    'ERROR_new',
    'much longer words',
    'WARN_x',
    'fine',
    'ERROR_1 ERROR_2',
  ]);
  const ids = ['fine', 'much longer words', 'WARN_x', 'ERROR_new', 'ERROR_1 ERROR_2'];
  expect(data).toMatchObject({ candidates: ids.map((id) => ({ id, settled: true })) });
  await expectAsBefore(bridge, disk);
  expect(lastTold(bridge)).toContain('ERROR_old');
});

it('a candidate that cannot be made says why, comes last, and does not prevent the check of others', async () => {
  const bridge = await open();
  const edits = (old_text: string, file_path = 'a.txt') => [{ file_path, old_text, new_text: 'ERROR_new' }];
  const { data } = await bridge.call('check_edits', {
    candidates: [
      { id: 'lost', edits: edits('nowhere') },
      { id: 'outside', edits: edits('x', '../x.txt') },
      { id: 'worse', edits: edits('alpha') },
    ],
  });
  expect(data).toMatchObject({
    candidates: [
      { id: 'worse', introduced_counts: { error: 1 } },
      { id: 'lost', error: { code: 'not_found' } },
      { id: 'outside', error: { code: 'outside_workspace' } },
    ],
  });
});

it('two candidates with the same id are refused', async () => {
  expectError(await check(await open(), ['a', 'a']), 'invalid_input', /same `id`/);
});

it('a call that is cancelled during a candidate leaves the disk and the servers as they were', async () => {
  // The first is about the disk, the second about the first candidate.
  const bridge = await open({ on: { method: 'textDocument/diagnostic', nth: 3 }, do: [{ never: true }] });
  const disk = onDisk(bridge.root);
  const cancelling = new AbortController();
  const checking = check(bridge, ['ERROR_a', 'ERROR_b'], cancelling.signal);
  await bridge.sent('textDocument/diagnostic', 3);
  cancelling.abort();
  expect((await checking).data).toMatchObject({ error: { code: 'cancelled' } });
  await expectAsBefore(bridge, disk);
  expect(lastTold(bridge)).toContain('ERROR_old');
});

it('a server that dies during a candidate leaves the disk as it was, and its successor knows only the disk', async () => {
  const bridge = await open({
    on: { method: 'textDocument/diagnostic', nth: 3 },
    do: [{ signalSelf: 'SIGKILL' }],
  });
  const disk = onDisk(bridge.root);
  const { data } = await check(bridge, ['ERROR_a', 'fine']);
  expect(data).toMatchObject({ candidates: [{ id: expect.any(String) }, { id: expect.any(String) }] });
  await expectAsBefore(bridge, disk);
  expect(bridge.pids().length).toBe(2);
  expect(lastTold(bridge)).toContain('ERROR_old');
});

it('the files that depend on a candidate are those that contain its whole name, and their users', async () => {
  const numbers = Array.from({ length: 40 }, (_, index) => String(index).padStart(2, '0'));
  const alike = numbers.map((number) => [`alike-${number}.txt`, `a part that is like part-9${number}\n`]);
  const bridge = await openTestBridge({
    files: {
      'part-1.txt': 'alpha\n',
      ...Object.fromEntries(alike),
      'said.txt': 'see part-1\n',
      'used.txt': 'uses "./part-1.txt"\n',
      'user.txt': 'uses "./used.txt"\n',
    },
    servers: { fake: {} },
  });
  const edits = [{ file_path: 'part-1.txt', old_text: 'alpha', new_text: 'ERROR_new' }];
  const { data } = await bridge.call('check_edits', { candidates: [{ id: 'one', edits }] });
  expect(data).toMatchObject({ candidates: [{ settled: true, introduced_counts: { error: 1 } }] });
  const asked = bridge.received().filter(({ method }) => method === 'textDocument/diagnostic');
  const names = asked.map(({ params }) => /([\w-]+\.txt)"/.exec(JSON.stringify(params))?.[1]);
  const once = ['part-1.txt', 'said.txt', 'used.txt', 'user.txt'];
  // What introduces a problem is checked once more.
  expect(names).toEqual([...once, ...once, 'part-1.txt']);
});

it('a candidate whose name begins with a digit has its users compared too', async () => {
  const bridge = await openTestBridge({
    files: { '2fa.txt': 'alpha\n', 'used.txt': 'uses "./2fa"\n', 'other.txt': 'uses "./12fa"\n' },
    servers: { fake: {} },
  });
  const edits = [{ file_path: '2fa.txt', old_text: 'alpha', new_text: 'ERROR_new' }];
  await bridge.call('check_edits', { candidates: [{ id: 'one', edits }] });
  const asked = bridge.received().filter(({ method }) => method === 'textDocument/diagnostic');
  const names = asked.map(({ params }) => /([\w-]+\.txt)"/.exec(JSON.stringify(params))?.[1]);
  expect(names).toEqual(['2fa.txt', 'used.txt', '2fa.txt', 'used.txt', '2fa.txt']);
});
