import { expect, it } from 'vitest';
import { limits } from '../../../../src/core/limits.ts';
import type { FakeScript } from '../../../fake-server/script.ts';
import { openTestBridge } from '../../../test-bridge.ts';

const files = {
  'lib.ts': 'function alpha\nalpha beta\n',
  'App.svelte': 'alpha here\n',
  'Other.svelte': 'alpha again\n',
  'None.svelte': 'nothing\n',
};

/** A place of the name, by file and line. */
function at(file: string, line: number, character = 0) {
  const range = { start: { line, character }, end: { line, character: character + 5 } };
  return { uri: `file://<root>/${file}`, range };
}

/** A server that answers the questions for references with these places, one after the other. */
function answering(...places: readonly (readonly object[])[]): FakeScript {
  const rules = places.map((replyValue, index) => ({
    on: { method: 'textDocument/references', nth: index + 1 },
    do: [{ replyValue }],
  }));
  return { rules: [...rules, { on: { method: 'textDocument/definition' }, do: [{ replyValue: [] }] }] };
}

const own = [at('lib.ts', 0, 9), at('lib.ts', 1)];

/** A bridge whose server of TypeScript sees only its own file, over components with a server of their own. */
function open(components: FakeScript, more: Readonly<Record<string, string>> = files) {
  const servers = {
    typescript: { extensions: ['ts'], lives: [answering(own, own)] },
    svelte: { extensions: ['svelte'], lives: [components] },
  };
  return openTestBridge({ files: { 'lib.ts': files['lib.ts'], ...more }, servers });
}

const question = { file_path: 'lib.ts', line: 1, character: 10 };

it('uses in files that the server of a file does not see are asked of theirs', async () => {
  const bridge = await open(answering([...own, at('App.svelte', 0), at('Other.svelte', 0)]));
  const { data } = await bridge.call('find_references', question);
  expect(data).toMatchObject({
    total: 4,
    references: [
      { file_path: 'App.svelte' },
      { file_path: 'Other.svelte' },
      { file_path: 'lib.ts', line: 1 },
      { file_path: 'lib.ts', line: 2 },
    ],
  });
  const asked = bridge.received('svelte').filter(({ method }) => method === 'textDocument/references');
  expect(asked).toHaveLength(1);
});

it('what the other server tells of another symbol of the same name is left out', async () => {
  const bridge = await open(answering([at('App.svelte', 0)], [at('Other.svelte', 0), ...own]));
  const { data } = await bridge.call('find_references', question);
  expect(data).toMatchObject({ total: 3, references: [{ file_path: 'Other.svelte' }, {}, {}] });
});

it('a server that cannot tell of uses elsewhere is a doubt', async () => {
  const bridge = await open({
    rules: [
      { on: { method: 'textDocument/references' }, do: [{ replyError: { code: -32603, message: 'no' } }] },
    ],
  });
  const { data } = await bridge.call('find_references', question);
  // The mentions there are resolved all the same.
  expect(data).toMatchObject({
    total: 4,
    complete: false,
    doubts: [{ kind: 'server_unavailable', server: 'svelte', detail: expect.stringContaining('.svelte') }],
  });
});

it('a name that no other file mentions is not asked about', async () => {
  const bridge = await open({}, { 'None.svelte': 'alphabet\n' });
  const { data } = await bridge.call('find_references', question);
  expect(data).toMatchObject({ complete: true, doubts: [] });
  expect(bridge.pids('svelte')).toEqual([]);
});

it('no more mentions are asked about than the bound allows, and that is told', async () => {
  const mentioning = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`C${index}.svelte`, 'alpha\n']));
  const silent = { rules: [{ on: { method: 'textDocument/references' }, do: [{ replyValue: [] }] }] };
  const most = limits.mentionsAsked;
  const within = await (await open(silent, mentioning(most))).call('find_references', question);
  expect(JSON.stringify(within.data)).not.toContain('occurs too often');
  const beyond = await (await open(silent, mentioning(most + 1))).call('find_references', question);
  expect(JSON.stringify(beyond.data)).toContain('occurs too often');
});
