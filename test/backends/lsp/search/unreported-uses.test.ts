import { expect, it } from 'vitest';
import { limits } from '../../../../src/core/limits.ts';
import type { Rule } from '../../../fake-server/script.ts';
import { openTestBridge } from '../../../test-bridge.ts';

const at = (file: string, line: number, character: number) => ({
  uri: `file://<root>/${file}`,
  range: { start: { line, character }, end: { line, character: character + 5 } },
});
const declared = at('a.txt', 0, 9);
const question = { file_path: 'a.txt', line: 1, character: 10 };
const references: Rule = {
  on: { method: 'textDocument/references', nth: 1 },
  do: [{ replyValue: [declared] }],
};

/** A bridge whose server finds only the declaration, and says this of the meaning of any place. */
function open(files: Readonly<Record<string, string>>, ...meaning: Rule['do']) {
  const lives = [{ rules: [references, { on: { method: 'textDocument/definition' }, do: meaning }] }];
  return openTestBridge({ files: { 'a.txt': 'function alpha\n', ...files }, servers: { fake: { lives } } });
}

it('a mention that means the symbol is a use, though the search did not find it', async () => {
  const bridge = await open({ 'b.txt': 'the alpha\n' }, { replyValue: [declared] });
  const { data } = await bridge.call('find_references', question);
  expect(data).toMatchObject({
    complete: true,
    references: [{ file_path: 'a.txt' }, { file_path: 'b.txt', line: 1, character: 5 }],
    mention_counts: {},
  });
});

it('a mention of which the server cannot tell the meaning is a doubt', async () => {
  const bridge = await open({ 'b.txt': 'alpha\n' }, { replyError: { code: -32603, message: 'no package' } });
  const { data } = await bridge.call('find_references', question);
  expect(data).toMatchObject({
    complete: false,
    total: 1,
    doubts: [
      { kind: 'server_unavailable', detail: expect.stringContaining('did not say where it is defined') },
      { kind: 'unverified', detail: expect.stringContaining('cannot resolve') },
    ],
  });
});

it('a mention that means what an ignored file holds is a doubt', async () => {
  const files = { '.gitignore': 'dist/\n', 'dist/a.txt': 'function alpha\n', 'b.txt': 'alpha\n' };
  const meaning = (nth: number | undefined, file: string): Rule => ({
    on: { method: 'textDocument/definition', ...(nth && { nth }) },
    do: [{ replyValue: [at(file, 0, 9)] }],
  });
  const rules = [references, meaning(1, 'a.txt'), meaning(undefined, 'dist/a.txt')];
  const bridge = await openTestBridge({
    files: { 'a.txt': 'function alpha\n', ...files },
    servers: { fake: { lives: [{ rules }] } },
  });
  const { data } = await bridge.call('find_references', question);
  expect(data).toMatchObject({ complete: false, total: 1, doubts: [{ kind: 'unverified' }] });
});

it('a mention that means a file of the workspace without the name in it is no doubt', async () => {
  const bridge = await open({ 'c.txt': 'beta\n', 'b.txt': 'alpha\n' }, { replyValue: [at('c.txt', 0, 0)] });
  const { data } = await bridge.call('find_references', question);
  expect(data).toMatchObject({ complete: true, total: 1 });
});

it.each([0, 1])('more files than the search asks about are resolved one by one: %i more', async (more) => {
  const names = Array.from({ length: limits.mentionsSampled + more }, (_, index) => `b${index}.txt`);
  const files = Object.fromEntries(names.map((name) => [name, 'alpha\n']));
  const bridge = await open(files, { replyValue: [declared] });
  const { data } = await bridge.call('find_references', question);
  expect(data.total).toBe(1 + names.length);
});
