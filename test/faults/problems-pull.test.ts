import { describe, expect, it, vi } from 'vitest';
import type { Action, FakeScript, Rule } from '../fake-server/script.ts';
import { expectError, openTestBridge, type TestBridge } from '../test-bridge.ts';

vi.mock('../../src/servers/index.ts', () => import('./definitions.ts'));

const files = { 'a.txt': 'ERROR_a here\n', 'b.txt': 'WARN_b here\n', 'clean.txt': 'nothing here\n' };
const method = 'textDocument/diagnostic';
const open = (...rules: Rule[]) =>
  openTestBridge({ files, servers: { ready: { lives: [{ rules } satisfies FakeScript] } } });
const problemsOf = (bridge: TestBridge, file_path = 'a.txt') => bridge.call('get_diagnostics', { file_path });
const asked = (bridge: TestBridge) => bridge.received('ready').filter((one) => one.method === method).length;
const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 4 } };
const full = (...codes: string[]) => ({
  kind: 'full',
  resultId: codes.join(),
  items: codes.map((code) => ({ range, severity: 1, code, message: `${code}.` })),
});

describe('PRO-17 a pull that the server cancels', () => {
  const cancel = (data: unknown): Action => ({
    replyError: { code: -32802, message: 'Cancelled.', ...(data === undefined ? {} : { data }) },
  });

  it.each([{ retriggerRequest: true }, undefined])('with %j is made again', async (data) => {
    const bridge = await open({ on: { method, nth: 1 }, do: [cancel(data)] });
    const { data: answer } = await problemsOf(bridge);
    expect(answer).toMatchObject({ complete: true, diagnostics: [{ code: 'ERROR_a' }] });
    expect(asked(bridge)).toBe(2);
  });

  it('and never answers is an error after a few times', async () => {
    const bridge = await open({ on: { method }, do: [cancel({ retriggerRequest: true })] });
    expectError(await problemsOf(bridge), 'server_unverified', /ready .* cancelled the request/);
    expect(asked(bridge)).toBe(3);
  });

  it('and does not want again is not made again, and says nothing of problems', async () => {
    const bridge = await open({ on: { method }, do: [cancel({ retriggerRequest: false })] });
    const { data, text, isError } = await problemsOf(bridge, 'clean.txt');
    expect(isError).toBe(false);
    expect(data).toMatchObject({
      complete: false,
      files: [{ state: 'pending', unheard: ['ready'] }],
      doubts: [{ kind: 'indexing', server: 'ready', detail: expect.stringMatching(/clean\.txt/) }],
    });
    expect(text).not.toContain('No problems in');
    expect(asked(bridge)).toBe(1);
  });

  it('and does not want again leaves what was known as stale', async () => {
    const bridge = await open({ on: { method, nth: 2 }, do: [cancel({ retriggerRequest: false })] });
    await problemsOf(bridge);
    bridge.write('a.txt', 'mended\n');
    expect((await problemsOf(bridge)).data).toMatchObject({
      complete: false,
      files: [{ state: 'stale' }],
      doubts: [{ kind: 'indexing', server: 'ready' }],
      diagnostics: [{ code: 'ERROR_a' }],
    });
    expect((await problemsOf(bridge)).data).toMatchObject({ complete: true, diagnostics: [] });
  });

  it.each([
    [-32803, 1],
    [-32800, 3],
  ])('PRO-17 with the error %i is an error after %i times', async (code, times) => {
    const bridge = await open({ on: { method }, do: [{ replyError: { code, message: 'No.' } }] });
    expectError(await problemsOf(bridge, 'clean.txt'), 'server_unverified', /ready/);
    expect(asked(bridge)).toBe(times);
  });
});

describe('a server that is asked for problems under several names', () => {
  const options = (identifier: string) => ({ identifier, interFileDependencies: false });
  const register = (...names: string[]): Action => {
    const registrations = names.map((name, id) => ({ id: `${id}`, method, registerOptions: options(name) }));
    return { request: { method: 'client/registerCapability', params: { registrations } } };
  };
  const openNamed = (...rules: Rule[]) =>
    openTestBridge({ files, servers: { logging: { lives: [{ diagnostics: 'none', rules }] } } });
  const loaded: Action = { notify: { method: 'window/logMessage', params: { type: 3, message: 'Loaded.' } } };

  it('tells those of all its names', async () => {
    const bridge = await openNamed(
      { on: { method: 'initialized' }, do: [register('syntax', 'types'), loaded] },
      { on: { method, nth: 1 }, do: [{ replyValue: full('one') }] },
      { on: { method, nth: 2 }, do: [{ replyValue: full('two') }] },
    );
    const { data } = await problemsOf(bridge);
    expect(data).toMatchObject({ complete: true, diagnostics: [{ code: 'one' }, { code: 'two' }] });
    const names = bridge.received('logging').flatMap((one) => (one.method === method ? [one.params] : []));
    expect(names).toMatchObject([{ identifier: 'syntax' }, { identifier: 'types' }]);
  });

  it('is asked once under a name that it registers again', async () => {
    const bridge = await openNamed({
      on: { method: 'initialized' },
      do: [register('types', 'types'), loaded],
    });
    expect((await problemsOf(bridge)).data).toMatchObject({ diagnostics: [{ code: 'ERROR_a' }] });
    expect(bridge.received('logging').filter((one) => one.method === method)).toHaveLength(1);
  });
});

describe('a report about related files', () => {
  const related = (relatedDocuments: object): Rule => ({
    on: { method, nth: 1 },
    do: [{ replyValue: { ...full('here'), relatedDocuments } }],
  });

  it('shows their problems under their own names', async () => {
    const bridge = await open(related({ 'file://<root>/%62.txt': full('there') }));
    const { data, text } = await problemsOf(bridge);
    expect(data).toMatchObject({
      complete: true,
      checked: 1,
      files: [{ file_path: 'a.txt' }, { file_path: 'b.txt', related: true, problems: 1 }],
      diagnostics: [
        { file_path: 'a.txt', code: 'here' },
        { file_path: 'b.txt', code: 'there', text: 'WARN_b here' },
      ],
    });
    expect(text).toContain('2 errors in a.txt and 1 related file\n');
    expect(text).toContain('\nb.txt  [related]\n');
  });

  it('is what `unchanged` means when one of them is asked about', async () => {
    const unchanged: Rule = {
      on: { method, nth: 2 },
      do: [{ replyValue: { kind: 'unchanged', resultId: 'there' } }],
    };
    const bridge = await open(related({ 'file://<root>/b.txt': full('there') }), unchanged);
    await problemsOf(bridge);
    expect((await problemsOf(bridge, 'b.txt')).data).toMatchObject({
      complete: true,
      diagnostics: [{ code: 'there' }],
    });
    const params = bridge.received('ready').filter((one) => one.method === method)[1]?.params;
    expect(params).toMatchObject({ previousResultId: 'there' });
  });

  it.each([
    ['no problems', { 'file://<root>/b.txt': full() }],
    ['a file outside the workspace', { 'file:///etc/hosts': full('there') }],
    ['a file that is not there', { 'file://<root>/none.txt': full('there') }],
    ['no report', { 'file://<root>/b.txt': { kind: 'unchanged', resultId: '1' } }],
    ['nothing that can be read', { 'file://<root>/b.txt': null, '': full('there') }],
  ])('with %s adds nothing', async (_what, documents) => {
    const bridge = await open(related(documents));
    expect((await problemsOf(bridge)).data).toMatchObject({
      complete: true,
      files: [{ file_path: 'a.txt' }],
      diagnostics: [{ file_path: 'a.txt', code: 'here' }],
    });
  });

  it('does not count where the file itself was asked about', async () => {
    const bridge = await open(related({ 'file://<root>/b.txt': full('there') }));
    const { data } = await bridge.call('get_diagnostics', { file_paths: ['a.txt', 'b.txt'] });
    expect(data).toMatchObject({ complete: true, checked: 2, total: 2 });
  });
});
