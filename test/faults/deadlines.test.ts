import { describe, expect, it } from 'vitest';
import type { FakeScript } from '../fake-server/script.ts';
import { openTestBridge, type TestBridge, type TestServer } from '../test-bridge.ts';

const files = {
  'a.txt': 'function alpha\nalpha beta\nfunction gamma\nalpha\nfunction delta\ngamma\n',
  'b.txt': 'alpha is used\nfunction beta\nbeta alpha\n',
};
/** Long enough for a healthy answer on a busy machine, short enough to be waited for. */
const deadline = 4_000;
const alpha = { file_path: 'a.txt', line: 1, character: 10 };

/** Never replies to the first request of a method. */
const silent = (method: string, nth = 1): TestServer => {
  const script: FakeScript = { rules: [{ on: { method, nth }, do: [{ never: true }] }] };
  return { lives: [script] };
};

/** Opens a bridge whose servers are up, so that the deadline is not spent on their start. */
async function open(servers: Record<string, TestServer>): Promise<TestBridge> {
  const bridge = await openTestBridge({ files, deadline, servers });
  while ((await bridge.call('get_document_symbols', { file_path: 'b.txt' })).isError);
  return bridge;
}

const late = expect.objectContaining({ kind: 'timed_out' });

describe('a deadline gives what is known', () => {
  it('lists references though the definition is not told, and is complete the next time', async () => {
    const bridge = await open({ fake: silent('textDocument/definition') });
    const first = await bridge.call('find_references', alpha);
    expect(first.data).toMatchObject({ total: 5, complete: false });
    expect(first.data.doubts).toContainEqual(late);
    expect((await bridge.call('find_references', alpha)).data).toMatchObject({ total: 5, complete: true });
  });

  it('finds a name in outlines if the search for it is silent', async () => {
    const bridge = await open({ fake: silent('workspace/symbol') });
    const { data } = await bridge.call('find_definition', { symbol_name: 'alpha' });
    expect(data).toMatchObject({ definitions: [{ file_path: 'a.txt', line: 1 }] });
  });

  it('lists the symbols of one server, names the other, and never says that nothing matches', async () => {
    const bridge = await open({ one: {}, two: silent('workspace/symbol') });
    const { data } = await bridge.call('search_workspace_symbols', { query: 'alpha' });
    expect(data).toMatchObject({ symbols: [{ name: 'alpha' }], complete: false });
    expect(data.doubts).toContainEqual(
      expect.objectContaining({
        kind: 'timed_out',
        server: 'two',
        detail: expect.stringContaining('two did not'),
      }),
    );
  });

  it('says that a search without a result is not settled', async () => {
    const bridge = await open({ fake: silent('workspace/symbol') });
    const { text, isError } = await bridge.call('search_workspace_symbols', { query: 'used' });
    expect(isError).toBe(true);
    // It is asked a second time, and what it says then may be too early.
    expect(text).toMatch(/not certain: fake returned nothing and does not report whether it has finished/);
    expect(text).not.toContain('No symbol matches');
  });

  it('shows the callers that are known below a symbol whose callers are not, and all the next time', async () => {
    const bridge = await open({ fake: silent('callHierarchy/incomingCalls', 2) });
    const first = await bridge.call('get_call_hierarchy', { ...alpha, depth: 2 });
    expect(first.text).toContain('took too long');
    expect(first.data).toMatchObject({ complete: false, calls: expect.anything() });
    expect(first.data.doubts).toContainEqual(late);
    const again = await bridge.call('get_call_hierarchy', { ...alpha, depth: 2 });
    expect(again.text).not.toContain('took too long');
    expect(again.data).toMatchObject({ complete: true });
  });

  it('shows one direction of a hierarchy if the other is silent', async () => {
    const bridge = await open({ fake: silent('callHierarchy/outgoingCalls') });
    const { data, text } = await bridge.call('get_call_hierarchy', { ...alpha, direction: 'both' });
    expect(text).toContain('callers of function alpha');
    expect(data.doubts).toContainEqual(late);
  });

  it('shows callers though there is no time to compare them with the uses', async () => {
    const bridge = await open({ fake: silent('textDocument/references') });
    const { data, text } = await bridge.call('get_call_hierarchy', alpha);
    expect(text).toContain('callers of function alpha');
    expect(data.doubts).toContainEqual(late);
  });

  it('previews a rename though the definition is not told, and doubts it', async () => {
    const bridge = await open({ fake: silent('textDocument/definition') });
    const { data, text } = await bridge.call('rename_symbol', { ...alpha, new_name: 'omega' });
    expect(text).toContain('5 edits');
    expect(data.doubts).toContainEqual(late);
  });
});
