import { expect, it } from 'vitest';
import { openTestBridge } from '../../test-bridge.ts';

const span = (file: string, line: number, character: number, length: number) => ({
  uri: `file://<root>/${file}`,
  range: { start: { line, character }, end: { line, character: character + length } },
});

it('finds all uses from an imported alias, if the server reports only those of the alias', async () => {
  const own = [span('b.txt', 0, 13, 5), span('b.txt', 1, 0, 5)];
  const all = [...own, span('a.txt', 0, 9, 5), span('a.txt', 1, 0, 5), span('b.txt', 0, 5, 5)];
  const references = 'textDocument/references';
  const rules = [
    { on: { method: 'textDocument/definition' }, do: [{ replyValue: span('a.txt', 0, 9, 5) }] },
    { on: { method: references, nth: 1 }, do: [{ replyValue: own }] },
    { on: { method: references, nth: 2 }, do: [{ replyValue: all }] },
  ];
  const bridge = await openTestBridge({
    files: { 'a.txt': 'function alpha\nalpha\n', 'b.txt': 'uses alpha as omega\nomega\n' },
    servers: { fake: { lives: [{ rules }], ready: { kind: 'immediate' } } },
  });
  const { data } = await bridge.call('find_references', { file_path: 'b.txt', line: 2, character: 1 });
  expect(data).toMatchObject({ total: 5, complete: true });
});

it('keeps the uses that the server reported if those of the definition do not include the place', async () => {
  const rules = [
    { on: { method: 'textDocument/definition' }, do: [{ replyValue: span('a.txt', 0, 9, 5) }] },
    { on: { method: 'textDocument/references', nth: 1 }, do: [{ replyValue: [span('b.txt', 1, 0, 5)] }] },
    { on: { method: 'textDocument/references', nth: 2 }, do: [{ replyValue: [span('a.txt', 0, 9, 5)] }] },
  ];
  const bridge = await openTestBridge({
    files: { 'a.txt': 'function alpha\n', 'b.txt': 'uses\nomega\n' },
    servers: { fake: { lives: [{ rules }], ready: { kind: 'immediate' } } },
  });
  const { data } = await bridge.call('find_references', { file_path: 'b.txt', line: 2, character: 1 });
  expect(data).toMatchObject({ total: 1 });
});
