import { expect, it } from 'vitest';
import { openTestBridge, type TestServer } from '../test-bridge.ts';

const method = 'textDocument/definition';

async function open(server: TestServer = {}) {
  const bridge = await openTestBridge({ servers: { fake: server }, surface: 'pathfinder' });
  const at = (line: number, character: number, file = 'b.txt') =>
    bridge.call('definition', { uri: `file://${bridge.root}/${file}`, line, character });
  return { ...bridge, at };
}

it('positions count from 0, in and out, and the text is a list of uri and range', async () => {
  const { at, root } = await open();
  const range = { start: { line: 0, character: 9 }, end: { line: 0, character: 14 } };
  expect(JSON.parse((await at(0, 0)).text)).toEqual([{ uri: `file://${root}/a.txt`, range }]);
});

it('an empty answer is JSON first, with the doubt after it', async () => {
  const unsure = await open({ lives: [{ rules: [{ on: { method }, do: [{ emptyResult: true }] }] }] });
  const { text, isError } = await unsure.at(0, 0);
  expect(isError).toBe(false);
  const [json = '', ...others] = text.split('\n');
  expect(JSON.parse(json)).toEqual([]);
  for (const line of others) expect(line).toMatch(/^May be incomplete \(/);
  const sure = await open({ ready: { kind: 'immediate' } });
  expect((await sure.at(0, 8)).text).toBe('[]');
});

it('a line that the file does not have is an error that counts from 0', async () => {
  const { text } = await (await open()).at(9, 0);
  expect(text).toContain('There is no line 9: the file has 3, counted from 0.');
});

it('advice names only what the surface has', async () => {
  const { at } = await open({ lives: [{ rules: [{ on: { method }, do: [{ exit: { code: 1 } }] }] }] });
  const { text, data, isError } = await at(0, 0);
  expect(isError).toBe(true);
  for (const told of [text, JSON.stringify(data)]) expect(told).not.toMatch(/get_|search_|symbol_name/);
});
