import { expect, it } from 'vitest';
import { openTestBridge } from '../../test-bridge.ts';

/** Two languages, and documents that mention names of both. */
const setting = {
  files: {
    'a.one': 'function ring_push\n',
    'b.one': 'ring_push\n',
    'a.two': 'function collect_rows\n',
    'b.two': 'collect_rows Ring\n',
    'guide.md': 'Call ring_push, then collect_rows, and read the chapter.\n',
  },
  servers: { one: { extensions: ['one'] }, two: { extensions: ['two'] } },
};

const byName = [
  'find_definition',
  'find_references',
  'find_implementations',
  'get_call_hierarchy',
  'inspect_symbol',
];

it.each(byName)('%s by name starts only the server of files that mention the name', async (tool) => {
  const bridge = await openTestBridge(setting);
  const direction = tool === 'get_call_hierarchy' ? { direction: 'incoming' } : {};
  await bridge.call(tool, { symbol_name: 'ring_push', ...direction });
  expect(bridge.pids('one')).toHaveLength(1);
  expect(bridge.pids('two')).toEqual([]);
});

it('the preview of a rename by name starts only the server of files that mention the name', async () => {
  const bridge = await openTestBridge(setting);
  const { text } = await bridge.call('rename_symbol', { symbol_name: 'ring_push', new_name: 'ring_add' });
  expect(text).toContain('Preview of rename ring_push to ring_add: ');
  expect(bridge.pids('two')).toEqual([]);
});

it('a name that code declares is not doubted because of documents whose server is missing', async () => {
  const searchless = { capabilities: { workspaceSymbolProvider: null } };
  const bridge = await openTestBridge({
    files: setting.files,
    servers: {
      one: { extensions: ['one'], lives: [searchless] },
      missing: { extensions: ['md'], command: ['/nowhere'] },
    },
  });
  const named = await bridge.call('find_references', { symbol_name: 'ring_push' });
  expect(named.text).toContain('3 references');
  expect(named.text).not.toContain('missing');
  const unknown = await bridge.call('find_references', { symbol_name: 'chapter' });
  expect(unknown.text).toContain('No program for missing was found');
});

it('a symbol search starts only the servers of files that contain the name, also as a part', async () => {
  const bridge = await openTestBridge(setting);
  const search = (query: string) => bridge.call('search_workspace_symbols', { query });
  expect((await search('ring_p')).text).toContain('function ring_push');
  expect(bridge.pids('two')).toEqual([]);
  expect((await search('RING')).text).toContain('function ring_push');
  expect(bridge.pids('two')).toHaveLength(1);
});

it.each([
  ['search_workspace_symbols', { query: 'chapter' }, ''],
  ['find_references', { symbol_name: 'chapter' }, 'Only guide.md mentions the name. '],
])('%s about a name that only documents mention starts and blames no server', async (tool, input, only) => {
  const bridge = await openTestBridge(setting);
  const { text } = await bridge.call(tool, input);
  expect(text).toContain(
    `not_supported: ${only}No language server is known for the files with the name.\nNext: Add one`,
  );
  expect([...bridge.pids('one'), ...bridge.pids('two')]).toEqual([]);
});

it('an old name that only documents still mention gets the new one as the next step, not the installation of a server', async () => {
  const servers = { ...setting.servers, missing: { extensions: ['md'], command: ['/nowhere'] } };
  const files = { ...setting.files, 'notes.md': 'Call ring_pushes.\n' };
  const bridge = await openTestBridge({ files, servers });
  const input = { file_path: 'a.one', symbol_name: 'ring_pushes' };
  const { text } = await bridge.call('find_references', input);
  expect(text).toBe(
    'not_installed: Only notes.md mentions the name. No program for missing was found. /nowhere does not exist.\nNext: Did you mean `ring_push`?',
  );
});

it('a name of another kind is listed, with the reason why there may be one of the kind', async () => {
  const searchless = { capabilities: { workspaceSymbolProvider: null } };
  const missing = { extensions: ['md'], command: ['/nowhere'] };
  const one = { extensions: ['one'], lives: [searchless] };
  const bridge = await openTestBridge({ files: setting.files, servers: { one, missing } });
  const input = { symbol_name: 'ring_push', symbol_kind: 'class' };
  const { text } = await bridge.call('find_references', input);
  expect(text).toMatch(/^not_found: No class named "ring_push" is known in the workspace\./);
  expect(text).toContain('No program for missing was found');
  expect(text).toContain('{"id":"a.one:1:10#ring_push","kind":"function","text":"function ring_push"}');
});
