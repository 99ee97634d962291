import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../src/testing/script.ts';
import { openTestBridge } from '../../test-bridge.ts';

const never: Rule = { on: { method: 'workspace/symbol' }, do: [{ never: true }] };
const files = {
  'a.py': 'def alpha(): pass\n\nclass Alphabet:\n    def spell(self): pass\n',
  'b.py': 'import a\na.alpha()\n',
  'c.txt': 'function alphaText\n',
};

/** A bridge with a server that never answers a search. */
const open = (servers = { slow: { extensions: ['py'], lives: [{ rules: [never] }] } }) =>
  openTestBridge({ files, servers, deadline: 4_000 });

describe('a search for symbols while a server is slow', () => {
  it('lists what the texts declare, and says what may be missing', async () => {
    const bridge = await open();
    const { text, data } = await bridge.call('search_workspace_symbols', { query: 'alpha' });
    expect(text.split('\n').slice(0, 2)).toEqual([
      'function alpha a.py:1:5 def alpha(): pass',
      'class Alphabet a.py:3:7 class Alphabet:',
    ]);
    expect(data).toMatchObject({ complete: false, total: 2 });
    expect(data.doubts).toContainEqual({
      kind: 'indexing',
      detail: expect.stringMatching(/^Not every server has answered: .*3 files.*Call again for all\.$/),
    });
  });

  it('adds them to what other servers found', async () => {
    const servers = {
      slow: { extensions: ['py'], lives: [{ rules: [never] }] },
      quick: { extensions: ['txt'], lives: [{}] },
    };
    const bridge = await openTestBridge({ files, servers, deadline: 4_000 });
    const { data } = await bridge.call('search_workspace_symbols', { query: 'alpha' });
    expect(JSON.stringify(data.symbols)).toMatch(/"name":"alpha".*"name":"alphaText"/);
    expect(data).toMatchObject({ complete: false, total: 3 });
  });

  it('keeps to the wanted kind, and is uncertain about a name that no text declares', async () => {
    const bridge = await open();
    const { data } = await bridge.call('search_workspace_symbols', { query: 'alpha', symbol_kind: 'class' });
    expect(data).toMatchObject({ total: 1, symbols: [{ name: 'Alphabet' }] });
    const none = await bridge.call('search_workspace_symbols', { query: 'pass' });
    expect(none.text).toMatch(/^server_unverified: .*not certain/);
  });
});
