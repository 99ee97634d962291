import { expect, it } from 'vitest';
import type { FakeScript } from '../../../fake-server/script.ts';
import { expectError, openTestBridge, type TestBridge } from '../../../test-bridge.ts';

function hinting(text: string, answer?: unknown, more: FakeScript = {}): Promise<TestBridge> {
  const rules = [{ on: { method: 'textDocument/inlayHint' }, do: [{ replyValue: answer }] }];
  const life = { ...more, ...(answer === undefined ? {} : { rules }) };
  return openTestBridge({
    files: { 'a.txt': text },
    servers: { fake: { lives: [life], ready: { kind: 'immediate' } } },
  });
}

const hint = (line: number, character: number, label: unknown, kind?: number) => ({
  position: { line, character },
  label,
  ...(kind ? { kind } : {}),
});

it('hints are written into the code, of the lines that have some', async () => {
  const bridge = await hinting('function alpha\n\n  alpha beta alpha\n');
  const outcome = await bridge.call('get_inlay_hints', { file_path: 'a.txt' });
  expect(outcome.text).toBe(
    'a.txt: 2 lines with hints in ‹›\n1  function alpha‹: function›\n3  alpha‹: function› beta alpha‹: function›',
  );
  expect(outcome.data).toMatchObject({
    complete: true,
    total: 2,
    hints: [
      { line: 1, hints: [{ character: 15, label: ': function', kind: 'type' }] },
      { line: 3, hints: [{ character: 8 }, { character: 19 }] },
    ],
  });
});

it('of some lines only, whatever the server answers', async () => {
  const bridge = await hinting('a\nb\nc\n', [hint(2, 0, 'z'), hint(1, 1, 'y', 2), hint(0, 0, 'x')]);
  const some = await bridge.call('get_inlay_hints', { file_path: 'a.txt', line: 1, end_line: 2 });
  expect(some.text).toBe('a.txt: 2 lines with hints in ‹›\n1  ‹x›a\n2  b‹y›');
  expectError(
    await bridge.call('get_inlay_hints', { file_path: 'a.txt', line: 9 }),
    'invalid_input',
    /no line 9/,
  );
});

it('places are read in the units of the server', async () => {
  const bridge = await hinting('é😀x', [hint(0, 6, 'here')], { positionEncoding: 'utf-8' });
  expect((await bridge.call('get_inlay_hints', { file_path: 'a.txt' })).text).toMatch('é😀‹here›x');
});

it('that there are none is an answer', async () => {
  const bridge = await hinting('a', null);
  const outcome = await bridge.call('get_inlay_hints', { file_path: 'a.txt' });
  expect(outcome).toMatchObject({ isError: false, data: { hints: [], total: 0 } });
});

it('RES-03 a hundred thousand hints and those that cannot be read are survived', async () => {
  const many = Array.from({ length: 100_000 }, (_, index) => hint(0, index % 3, 'x'.repeat(index % 9)));
  const bridge = await hinting('abc', [{}, null, hint(0, 1, ''), { position: 'x', label: 'y' }, ...many]);
  const outcome = await bridge.call('get_inlay_hints', { file_path: 'a.txt' });
  expect(outcome.isError).toBe(false);
  expect(outcome.text.length).toBeLessThan(1_000);
});

it('what cannot be read as hints is not taken for nothing', async () => {
  const bridge = await hinting('a', [{ label: 'x' }]);
  expectError(await bridge.call('get_inlay_hints', { file_path: 'a.txt' }), 'server_unverified', /hints/);
});
