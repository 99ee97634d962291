import { expect, it } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { openTestBridge, type Received, temporaryFolder } from '../../test-bridge.ts';
import { writeFiles } from '../../workspace/sandbox.ts';

const declared = { 'lib.ts': 'function alpha\nlet other\n' };
const own = {
  uri: 'file://<root>/lib.ts',
  range: { start: { line: 0, character: 9 }, end: { line: 0, character: 14 } },
};
const question = { file_path: 'lib.ts', line: 1, character: 10 };

const elsewhere = {
  ...own,
  range: { start: { line: 1, character: 4 }, end: { line: 1, character: 9 } },
};

/** A bridge whose server of TypeScript knows of no use but the declaration, and says what the other mentions mean. */
function open(files: Readonly<Record<string, string>>, meant: readonly object[] = [elsewhere]) {
  const rules = [
    { on: { method: 'textDocument/references' }, do: [{ replyValue: [own] }] },
    { on: { method: 'textDocument/definition' }, do: [{ replyValue: meant }] },
  ];
  const servers = { typescript: { extensions: ['ts'], lives: [{ rules }] } };
  return openTestBridge({ files: { ...declared, ...files }, servers });
}

function opened(received: readonly Received[]): number {
  return received.filter(({ method }) => method === 'textDocument/didOpen').length;
}

/** Projects of one file each. */
function packages(count: number, text: string): Record<string, string> {
  const files = Array.from({ length: count }, (_, index) => [
    [`p${index}/tsconfig.json`, '{}'],
    [`p${index}/a.ts`, text],
  ]);
  return Object.fromEntries(files.flat());
}

it('only projects that mention the name are loaded for a search', async () => {
  const bridge = await open({
    ...packages(20, 'beta\n'),
    'q/tsconfig.json': '{}',
    'q/a.ts': 'beta\n',
    'q/b.ts': 'alpha\n',
  });
  const { data } = await bridge.call('find_references', question);
  expect(data).toMatchObject({ complete: true, total: 1, mention_counts: { other_symbol: 1 } });
  const paths = bridge.received('typescript').flatMap(({ method, params }) => {
    return method === 'textDocument/didOpen'
      ? [JSON.stringify(params).match(/[a-z]+\/[ab]\.ts|lib\.ts/)?.[0]]
      : [];
  });
  expect(paths.sort()).toEqual(['lib.ts', 'q/a.ts', 'q/b.ts']);
});

it('mentions in more projects than are loaded are reported, and are a doubt', async () => {
  const bridge = await open(packages(limits.loadedProjects + 1, 'alpha\n'));
  const { data, text } = await bridge.call('find_references', question);
  expect(data).toMatchObject({
    complete: false,
    mention_counts: { not_in_a_project: 1, other_symbol: limits.loadedProjects },
    mentions: [{ reason: 'not_in_a_project' }],
  });
  expect(text).toContain('1 mention in files that the server does not search may be uses too.');
  expect(opened(bridge.received('typescript'))).toBe(limits.loadedProjects + 1);
});

it('as many projects as allowed are loaded, and then the answer is complete', async () => {
  const bridge = await open(packages(limits.loadedProjects - 1, 'alpha\n'));
  const { data } = await bridge.call('find_references', question);
  expect(data).toMatchObject({ complete: true, mention_counts: { other_symbol: limits.loadedProjects - 1 } });
});

it('files that are not searched are a doubt even if mentions are not wanted', async () => {
  const bridge = await open(packages(limits.loadedProjects + 1, 'alpha\n'));
  const { data } = await bridge.call('find_references', { ...question, include_mentions: false });
  expect(data).toMatchObject({ complete: false, mention_counts: {}, mentions: [] });
});

it.each([
  ['ts', 0, undefined],
  ['ts', 1, 1],
  ['md', 1, undefined],
])(
  'more files than are searched are a doubt if they may use it: .%s, %i more',
  async (ending, more, left) => {
    const names = Array.from({ length: limits.mentions.files + more }, (_, index) => `m${index}.${ending}`);
    const files = Object.fromEntries(names.map((name) => [name, 'alpha']));
    const bridge = await open({ 'tsconfig.json': '{}', ...files });
    const { data, text } = await bridge.call('find_references', { ...question, max_tokens: 20_000 });
    expect(data.files_not_searched).toBe(left);
    expect(text.includes('1 more file with the name was not searched.')).toBe(left === 1);
    expect(data.complete).toBe(left === undefined);
  },
);

it('a mention that the server cannot resolve is told first, and is a doubt', async () => {
  const bridge = await open({ 'tsconfig.json': '{}', 'b.ts': '// alpha\nx.alpha()\n' }, []);
  const { data, text } = await bridge.call('find_references', question);
  expect(data).toMatchObject({
    complete: false,
    mention_counts: { unverified: 1, comment: 1 },
    mentions: [{ file_path: 'b.ts', line: 2, reason: 'unverified' }, { reason: 'comment' }],
    doubts: [{ kind: 'unverified' }],
  });
  expect(text).toContain('1 mention may be a use, but the server cannot resolve it: b.ts:2:3.');
});

it('a mention that the server resolves to the symbol is a use', async () => {
  const bridge = await open({ 'tsconfig.json': '{}', 'b.ts': 'x.alpha()\n' }, [own]);
  const { data } = await bridge.call('find_references', question);
  expect(data).toMatchObject({ complete: true, total: 2, mention_counts: {} });
});

it('a small budget keeps the references and the counts', async () => {
  const bridge = await open({
    'notes.md': 'alpha is a word that stands in a long line of words\n'.repeat(9),
  });
  const { data, text } = await bridge.call('find_references', { ...question, max_tokens: 100 });
  expect(data).toMatchObject({ total: 1, returned: 1, mentions: [], mention_counts: { other_language: 9 } });
  expect(text).toContain('9 other_language');
});

it('a mention that means an installed copy of the module of the symbol is a doubt, and one of another module is not', async () => {
  const folder = temporaryFolder('lspan-installed-');
  const range = { start: { line: 0, character: 9 }, end: { line: 0, character: 14 } };
  const answer = async (module: string) => {
    writeFiles(folder, { [`site-packages/${module}`]: 'function alpha\n' });
    const rules = [
      {
        on: { method: 'textDocument/references' },
        do: [{ replyValue: [{ uri: 'file://<root>/src/shop/carts.py', range }] }],
      },
      {
        on: { method: 'textDocument/definition' },
        do: [{ replyValue: [{ uri: `file://${folder}/site-packages/${module}`, range }] }],
      },
    ];
    const bridge = await openTestBridge({
      files: { 'src/shop/carts.py': 'function alpha\n', 'tests/a.py': 'alpha\n' },
      servers: { pyright: { extensions: ['py'], lives: [{ rules }], ready: { kind: 'immediate' } } },
    });
    const place = { file_path: 'src/shop/carts.py', line: 1, character: 10 };
    return (await bridge.call('find_references', place)).data;
  };
  expect(await answer('shop/carts.py')).toMatchObject({
    complete: false,
    total: 1,
    mention_counts: { unverified: 1 },
  });
  expect(await answer('other/carts.py')).toMatchObject({
    complete: true,
    total: 1,
    mention_counts: { other_symbol: 1 },
  });
});

it('members of one imported module in a file are asked about once, those of a variable each', async () => {
  const bridge = await open({
    'a.ts': "import * as z from './lib';\nz.alpha;\nz.alpha;\nz.alpha;\n",
    'b.ts': "import * as z from './lib';\nz.alpha;\n(z) => z.alpha;\n",
  });
  const { data } = await bridge.call('find_references', question);
  expect(data).toMatchObject({ complete: true, mention_counts: { other_symbol: 5 } });
  const asked = bridge
    .received('typescript')
    .filter(({ method }) => method === 'textDocument/definition')
    .map(({ params }) => JSON.stringify(params));
  expect(asked.filter((one) => one.includes('/a.ts'))).toHaveLength(1);
  expect(asked.filter((one) => one.includes('/b.ts'))).toHaveLength(2);
});
