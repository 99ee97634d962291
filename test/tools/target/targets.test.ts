import { expect, it } from 'vitest';
import { expectError, openTestBridge, type TestBridge } from '../../test-bridge.ts';

const files = {
  'a.txt': 'function total\ntotal\n',
  'b.txt': 'one\ntwo\nfunction total\nfunction other\n',
};

function define(bridge: TestBridge, target: object) {
  return bridge.call('find_definition', target);
}

it('a name that no file mentions is not found, and no server is started for it', async () => {
  const bridge = await openTestBridge({ files });
  expectError(
    await define(bridge, { symbol_name: 'nobody' }),
    'not_found',
    /No file of the workspace mentions/,
  );
  expect(bridge.pids()).toEqual([]);
});

it('only servers of files that mention a name are asked for it', async () => {
  const setting = {
    files: { ...files, 'c.two': 'function else' },
    servers: { fake: {}, two: { extensions: ['two'] } },
  };
  const bridge = await openTestBridge(setting);
  const { data } = await define(bridge, { symbol_name: 'other' });
  expect(data).toMatchObject({ complete: true, definitions: [{ file_path: 'b.txt', line: 4 }] });
  expect(bridge.pids('two')).toEqual([]);
});

it('a name of several symbols lists them with ids, and an id alone identifies one', async () => {
  const bridge = await openTestBridge({ files, servers: { fake: { lives: [{ rules: ownDefinitions }] } } });
  const outcome = await define(bridge, { symbol_name: 'total' });
  expect(outcome.data).toMatchObject({
    error: {
      code: 'ambiguous',
      candidates: [
        { id: 'a.txt:1:10#total', kind: 'function', text: 'function total' },
        { id: 'b.txt:3:10#total', kind: 'function', text: 'function total' },
      ],
    },
  });
  const { data } = await bridge.call('get_hover', { id: 'b.txt:3:10#total' });
  expect(data).toMatchObject({ hover: { file_path: 'b.txt', line: 3 } });
  expect(data).not.toHaveProperty('adjusted');
});

/** The fake says that all declarations of a name are the definition; this server knows of none. */
const ownDefinitions = [{ on: { method: 'textDocument/definition' }, do: [{ replyValue: [] }] }];

it('declarations that have the same definitions are one symbol', async () => {
  const bridge = await openTestBridge({ files });
  expect((await define(bridge, { symbol_name: 'total' })).data).toMatchObject({ total: 2 });
});

it('an id is still understood after lines have moved a little, and the answer says so', async () => {
  const bridge = await openTestBridge({ files });
  await define(bridge, { id: 'b.txt:3:10#total' });
  bridge.write('b.txt', 'one\nnew\nnew\ntwo\nfunction total\nfunction other\n');
  const { data } = await bridge.call('get_hover', { id: 'b.txt:3:10#total' });
  expect(data).toMatchObject({ hover: { line: 5 }, adjusted: '"total" at 5:10, its current position' });
});

it('a wrong id is a clear error', async () => {
  const bridge = await openTestBridge({ files });
  expectError(await define(bridge, { id: '#total' }), 'invalid_input', /is not a symbol id/);
  expectError(await define(bridge, { id: 'none.txt:1:1#x' }), 'not_found', /no file/);
  expectError(await define(bridge, { id: 'b.txt:1:1#gone' }), 'not_found', /no longer where the id/);
  const both = { id: 'b.txt:3:10#total', symbol_name: 'total' };
  expectError(await define(bridge, both), 'invalid_input', /omit `symbol_name`/);
});

it('a kind may be spelled as servers and people do, and an unknown one lists the kinds', async () => {
  const bridge = await openTestBridge({ files });
  const other = { symbol_name: 'other', file_path: 'b.txt' };
  expect((await define(bridge, { ...other, symbol_kind: 'Function' })).isError).toBe(false);
  expectError(await define(bridge, { ...other, symbol_kind: 'EnumMember' }), 'not_found', /no enum_member/);
  const unknown = await define(bridge, { ...other, symbol_kind: 'gizmo' });
  expectError(
    unknown,
    'invalid_input',
    /`symbol_kind` must be one of file, .*, enum_member, .*type_parameter/,
  );
});

it('an overload is one of adjacent declarations, counted from 0', async () => {
  const bridge = await openTestBridge({ files: { 'a.txt': 'function run\nfunction run\n' } });
  const nth = (n: number) => bridge.call('get_hover', { file_path: 'a.txt', symbol_name: `run[${n}]` });
  expect((await nth(1)).data).toMatchObject({ hover: { line: 2 } });
  expectError(await nth(2), 'not_found', /defines no "run\[2\]"/);
  const anywhere = await bridge.call('get_hover', { symbol_name: 'run[1]' });
  expect(anywhere.data).toMatchObject({ hover: { line: 2 } });
});

it('overloads are one symbol in some languages, and different ones in others', async () => {
  const overloads = { 'a.txt': 'function run\nfunction run\n', 'A.java': 'function go\nfunction go\n' };
  const fake = { extensions: ['txt', 'java'], lives: [{ rules: ownDefinitions }] };
  const bridge = await openTestBridge({ files: overloads, servers: { fake } });
  const { data } = await bridge.call('get_hover', { symbol_name: 'run' });
  expect(data).toMatchObject({ hover: { line: 1 } });
  for (const target of [{ symbol_name: 'go' }, { symbol_name: 'go', file_path: 'A.java' }])
    expectError(await bridge.call('get_hover', target), 'ambiguous', /"go" is the name of 2 symbols/);
});

it('two places that a server returns for each other are one symbol', async () => {
  const at = (line: number) => ({
    uri: 'file://<root>/A.java',
    range: { start: { line, character: 9 }, end: { line, character: 11 } },
  });
  const asked = 'textDocument/definition';
  const rules = [1, 0].map((line, index) => ({
    on: { method: asked, nth: index + 1 },
    do: [{ replyValue: at(line) }],
  }));
  const setting = {
    files: { 'A.java': 'function go\nfunction go\n' },
    servers: { fake: { extensions: ['java'], lives: [{ rules }] } },
  };
  const bridge = await openTestBridge(setting);
  const { data } = await bridge.call('get_hover', { symbol_name: 'go' });
  expect(data).toMatchObject({ hover: { line: 1 } });
});

it('symbols that the search of a server omits are found in the outlines of files that mention them', async () => {
  const lives = [{ capabilities: { workspaceSymbolProvider: null } }];
  const bridge = await openTestBridge({ files, servers: { fake: { lives } } });
  const { data } = await define(bridge, { symbol_name: 'other' });
  expect(data).toMatchObject({ complete: true, definitions: [{ file_path: 'b.txt', line: 4 }] });
});

it('a name that is only used is found by its use, and the answer says so', async () => {
  const rule = { on: { method: 'textDocument/definition' }, do: [{ replyValue: library }] };
  const bridge = await openTestBridge({ files, servers: { fake: { lives: [{ rules: [rule] }] } } });
  const { data } = await define(bridge, { symbol_name: 'two' });
  expect(data).toMatchObject({ total: 1, adjusted: 'the use of "two" at b.txt:2:1' });
});

const library = [
  {
    uri: 'file:///library/two.txt',
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } },
  },
];

it('the error that a name was not found says why it may have been missed', async () => {
  const rules = [
    { on: { method: 'workspace/symbol' }, do: [{ replyValue: [] }] },
    {
      on: { method: 'textDocument/documentSymbol' },
      do: [{ replyError: { code: -32603, message: 'no tree' } }],
    },
    { on: { method: 'textDocument/definition' }, do: [{ replyValue: [] }] },
  ];
  const bridge = await openTestBridge({ files, servers: { fake: { lives: [{ rules }] } } });
  expectError(
    await define(bridge, { symbol_name: 'other' }),
    'server_unverified',
    /not certain: .*documentSymbol with error -32603/,
  );
});

it('a name near the position is corrected, and places of different meaning are listed', async () => {
  const files = { 'a.txt': 'function x\n\nfunction x\n' };
  const bridge = await openTestBridge({ files, servers: { fake: { lives: [{ rules: ownDefinitions }] } } });
  const near = { file_path: 'a.txt', symbol_name: 'x', line: 2, character: 10 };
  const outcome = await bridge.call('get_hover', near);
  expect(outcome.data).toMatchObject({
    error: { code: 'ambiguous', candidates: [{ id: 'a.txt:3:10#x' }, { id: 'a.txt:1:10#x' }] },
  });
  const { data } = await bridge.call('get_hover', { ...near, line: 1, character: 8 });
  expect(data).toMatchObject({ hover: { line: 1 }, adjusted: '"x" at 1:10' });
});
