import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openEmbeddedStore } from '../../../src/backends/index/store/embedded-store.ts';
import { add } from '../../backends/index/adding.ts';
import { indexWords } from '../../backends/index/write-scip.ts';
import { expectError, openTestBridge, type TestSetting, temporaryFolder } from '../../test-bridge.ts';

const files = { 'a.txt': 'function alpha\nalpha beta\n', 'b.txt': 'alpha is used\nfunction beta\n' };
const elsewhere = { 'src/w.txt': 'x\n  alpha used by web\n', '.env': 'alpha\n' };

describe('scope "repositories"', () => {
  it('IDX-09 adds the uses of other repositories, with commit, line of code, and age', async () => {
    const { bridge, index } = await opened();
    await index();
    const { text, data } = await bridge.call('find_references', { ...at('b.txt', 1), scope: 'repositories' });
    expect(text).toContain('\nweb@abcdef0:src/w.txt:2:3 alpha used by web\n');
    expect(text).toMatch(/May be incomplete \(as_of\): From an index of .* UTC: web@abcdef0\./);
    expect(data).toMatchObject({ total: 5, complete: false });
    // A file for secrets is named, and no line of it is shown.
    expect(text).toContain('web@abcdef0:.env:1:1\n');
    const alone = await bridge.call('find_references', at('b.txt', 1));
    expect(alone.data).toMatchObject({ total: 3, complete: true });
  });

  it('joins versions of a package, and says which', async () => {
    const { bridge, index } = await opened();
    await index({ version: '0.9.0' });
    const { text } = await bridge.call('find_references', { ...at('b.txt', 1), scope: 'repositories' });
    expect(text).toContain('Uses of several versions 0.9.0, 1.0.0 of words are joined by name.');
  });

  it('finds a name that the workspace does not have, and symbols', async () => {
    const { bridge, store, index } = await opened();
    await index();
    const far = { 'far.txt': 'function omega\nomega' };
    await add(store, indexWords(far, { package: 'far' }), { repository: 'far', files: far, commit: '' });
    const input = { symbol_name: 'omega', scope: 'repositories' };
    expect((await bridge.call('find_definition', input)).text).toContain('far:far.txt:1:10 function omega');
    expect((await bridge.call('find_references', input)).data).toMatchObject({ total: 2 });
    const found = await bridge.call('search_workspace_symbols', { query: 'ome', scope: 'repositories' });
    expect(found.text).toContain('function omega far:far.txt:1:10 function omega');
    expectError(await bridge.call('find_definition', { symbol_name: 'omega' }), 'not_found');
  });

  it('says that nothing is indexed, or that this repository is not', async () => {
    const { bridge, store } = await opened();
    const input = { ...at('b.txt', 1), scope: 'repositories' };
    expectError(await bridge.call('find_references', input), 'not_found', /No repository is indexed/);
    await add(store, indexWords(elsewhere), { repository: 'web' });
    const { text } = await bridge.call('find_references', input);
    expect(text).toContain('(not_indexed): This repository is not indexed');
  });

  it('IDX-09 names a file that has changed since it was indexed, in which the name decides', async () => {
    const { bridge, index } = await opened();
    await index();
    bridge.write('b.txt', 'more\nalpha is used\nfunction beta\n');
    const { text } = await bridge.call('find_references', { ...at('b.txt', 2), scope: 'repositories' });
    expect(text).toContain('web@abcdef0:src/w.txt:2:3');
    expect(text).toContain('(changed_since): Changed since it was indexed: b.txt.');
  });

  it('shows uses elsewhere with the symbol', async () => {
    const { bridge, index } = await opened();
    await index();
    const { text, data } = await bridge.call('inspect_symbol', {
      ...at('a.txt', 1, 10),
      scope: 'repositories',
    });
    expect(text).toContain('2 uses in other repositories:\nweb@abcdef0:.env:1:1\nweb@abcdef0:src/w.txt:2:3');
    expect(data).toMatchObject({ totals: { elsewhere: 2 } });
  });
});

describe('an index in the workspace', () => {
  it('answers where no server can, marked by its age', async () => {
    const { bridge, index } = await opened({ servers: {} });
    await index();
    const { data, text } = await bridge.call('find_definition', at('b.txt', 1));
    expect(data).toMatchObject({
      definitions: [{ file_path: 'a.txt', line: 1, character: 10 }],
      complete: false,
    });
    expect(text).toContain('(as_of)');
  });

  it('IDX-11 is not asked where a server answers', async () => {
    const { bridge, index } = await opened();
    await index();
    expect((await bridge.call('find_definition', at('b.txt', 1))).data).toMatchObject({ complete: true });
  });

  it('IDX-10 never renames, and a rename says who else uses the symbol', async () => {
    const { bridge, index } = await opened({ servers: {} });
    await index();
    const rename = { file_path: 'a.txt', symbol_name: 'alpha', line: 1, character: 10, new_name: 'omega' };
    expect((await bridge.call('rename_symbol', rename)).isError).toBe(true);
    const served = await opened();
    await served.index();
    const { text } = await served.bridge.call('rename_symbol', rename);
    expect(text).toContain('Other repositories have 2 uses of alpha, which stay: web@abcdef0.');
  });
});

function at(file_path: string, line: number, character = 1) {
  return { file_path, line, character };
}

async function opened(setting: TestSetting = {}) {
  const state = temporaryFolder('lspan-index-state-');
  const bridge = await openTestBridge({ files, ...setting, environment: { XDG_STATE_HOME: state } });
  const store = await openEmbeddedStore(path.join(state, 'lspan', 'index'));
  const index = async ({ version = '1.0.0' } = {}) => {
    await add(store, indexWords(files), { repository: path.basename(bridge.root), files });
    const uses = indexWords(elsewhere, { version, declared: ['alpha'] });
    await add(store, uses, { repository: 'web', commit: 'abcdef0123', files: elsewhere });
  };
  return { bridge, store, index };
}
