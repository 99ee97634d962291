import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { defaultConfig } from '../../../src/config/default-config.ts';
import { serverSchema } from '../../../src/config/schema/server-schema.ts';
import { readServer } from '../../../src/config/servers/read-server.ts';
import { inSandbox, unconfinable } from '../../confined.ts';
import type { Action, FakeScript } from '../../fake-server/script.ts';
import {
  ask,
  expectError,
  expectInOrder,
  openTestBridge,
  question,
  type TestBridge,
  type TestServer,
  type TestSetting,
  temporaryFolder,
} from '../../test-bridge.ts';

vi.mock('../../../src/servers/index.ts', () => ({ servers: [] }));

/** A fake server with these keys of a configuration file. */
function withKeys(keys: object, script: FakeScript = {}): TestServer {
  const { id, command, ...read } = readServer(serverSchema.parse({ id: 'fake', ...keys }));
  return { ...read, lives: [script] };
}

function open(keys: object, script: FakeScript = {}, setting: TestSetting = {}): Promise<TestBridge> {
  return openTestBridge({ ...setting, servers: { fake: withKeys(keys, script) } });
}

const on = (method: string, ...actions: Action[]): FakeScript => ({
  rules: [{ on: { method }, do: actions }],
});
const hover = (bridge: TestBridge) => bridge.call('get_hover', question.input);
const opened = (bridge: TestBridge) =>
  bridge.received().flatMap(({ method, params }) => (method === 'textDocument/didOpen' ? [params] : []));
const document = (bridge: TestBridge, file: string, more: object = {}) => ({
  textDocument: expect.objectContaining({ uri: pathToFileURL(path.join(bridge.root, file)).href, ...more }),
});

describe('a key of a server acts:', () => {
  it('extensions: a table maps extensions and names to language ids', async () => {
    const files = {
      'a.txt': 'function alpha\n',
      'Notes.old': 'alpha\n',
      'go.mod': 'alpha\n',
      'b.mod': 'alpha\n',
    };
    const bridge = await open(
      { extensions: { '.txt': 'words', 'Notes.*': 'notes', 'go.mod': 'mod' } },
      {},
      { files },
    );
    for (const file_path of ['a.txt', 'Notes.old', 'go.mod'])
      expect((await bridge.call('get_document_symbols', { file_path })).isError).toBe(false);
    expect(opened(bridge)).toEqual([
      document(bridge, 'a.txt', { languageId: 'words' }),
      document(bridge, 'Notes.old', { languageId: 'notes' }),
      document(bridge, 'go.mod', { languageId: 'mod' }),
    ]);
    const other = await bridge.call('get_hover', { file_path: 'b.mod', line: 1, character: 1 });
    expectError(other, 'not_supported', /No language server is known for \.mod files/);
  });

  it('client_capabilities: they are merged over those of lspan', async () => {
    const bridge = await open({
      client_capabilities: { window: { own: 1 }, experimental: { status: true } },
    });
    await expectInOrder(bridge);
    const [initialize] = bridge.received();
    expect(initialize).toMatchObject({
      method: 'initialize',
      params: {
        capabilities: { window: { own: 1, workDoneProgress: true }, experimental: { status: true } },
      },
    });
  });

  it('timeouts: the time of one question only', async () => {
    const bridge = await open({ timeouts: { hover: 0.2 } }, on('textDocument/hover', { never: true }));
    await expectInOrder(bridge);
    expectError(await hover(bridge), 'timed_out', /within 0\.2 s/);
    await expectInOrder(bridge);
  });

  const says = (message: string): Action => ({
    notify: { method: 'window/logMessage', params: { type: 3, message } },
  });
  const tells = (params: object): Action => ({ notify: { method: '$/status', params } });
  const progress = (kind: 'begin' | 'end', title: string): Action => ({
    progress: { token: title, kind, title },
  });
  it.each<[object | string, readonly Action[], readonly Action[]]>([
    [{ log: '^Loaded' }, [says('Loading')], [says('Loaded all')]],
    [{ progress: '^Load' }, [progress('begin', 'Loading')], [progress('end', 'Loading')]],
    [
      { notification: '$/status', when: { state: { quiet: true } } },
      [tells({ state: { quiet: false } })],
      [tells({ state: { quiet: true, more: 1 }, other: 2 })],
    ],
    [{ notification: '$/status' }, [], [tells({})]],
  ])('ready: %j', async (ready, before, after) => {
    const script: FakeScript = {
      rules: [
        { on: { method: 'textDocument/didOpen', nth: 1 }, do: before },
        { on: { method: 'textDocument/didOpen', nth: 2 }, do: after },
      ],
    };
    const limits = { ...defaultConfig.limits, readiness: 0 };
    const bridge = await open({ ready }, script, { config: { limits } });
    expect((await ask(bridge)).data).toMatchObject({ complete: false, doubts: [{ kind: 'indexing' }] });
    await bridge.call('get_hover', { file_path: 'a.txt', line: 1, character: 10 });
    await expectInOrder(bridge);
  });

  it('ready: a server that is ready at once, and one that never signals it', async () => {
    const told = async (ready: string) =>
      (await (await open({ ready })).call('search_workspace_symbols', { query: 'nowhere' })).data;
    expect(await told('unknown')).toMatchObject({ error: { code: 'server_unverified' } });
    expect(await told('immediate')).toMatchObject({ complete: true, doubts: [] });
  });

  it('answers: it is asked nothing else', async () => {
    const bridge = await open({ answers: ['definition'] });
    await expectInOrder(bridge);
    expectError(await hover(bridge), 'not_supported', /answers hover questions/);
  });

  it('only_below: the server serves no other files', async () => {
    const files = { 'in/mark.json': '{}', 'in/a.txt': 'function alpha\n', 'out/b.txt': 'alpha\n' };
    const bridge = await open({ only_below: ['mark.json'] }, {}, { files });
    const outline = (file_path: string) => bridge.call('get_document_symbols', { file_path });
    expect((await outline('in/a.txt')).isError).toBe(false);
    expectError(await outline('out/b.txt'), 'not_supported');
  });

  it('group and rank: only the highest rank of a group is asked', async () => {
    const pair = (low: object, high: object) => ({ one: withKeys(low), two: withKeys(high) });
    const grouped = await openTestBridge({ servers: pair({ group: 'g', rank: 1 }, { group: 'g', rank: 2 }) });
    await expectInOrder(grouped);
    expect([grouped.pids('one'), grouped.pids('two')]).toEqual([[], [expect.any(Number)]]);
    const apart = await openTestBridge({ servers: pair({ group: 'g', rank: 2 }, { group: 'h', rank: 1 }) });
    await expectInOrder(apart);
    expect(apart.pids('one')).toHaveLength(1);
  });

  it('watch: the server is notified about an ignored file', async () => {
    const files = {
      '.gitignore': 'out/\n',
      'out/told.json': '1',
      'out/other.json': '1',
      'a.txt': 'function alpha\n',
      'b.txt': 'alpha\n',
    };
    const bridge = await open({ watch: ['out/told.json'] }, { watch: ['**/*.json'] }, { files });
    await expectInOrder(bridge);
    await expectInOrder(bridge);
    bridge.write('out/other.json', '22');
    bridge.write('out/told.json', '22');
    await expectInOrder(bridge);
    const told = bridge.received().filter(({ method }) => method === 'workspace/didChangeWatchedFiles');
    expect(JSON.stringify(told)).toContain('told.json');
    expect(JSON.stringify(told)).not.toContain('other.json');
  });

  it('restarts_on: a change restarts the server', async () => {
    const files = { 'deps.lock': '1', 'a.txt': 'function alpha\n', 'b.txt': 'alpha\n' };
    const bridge = await open({ restarts_on: ['deps.lock'] }, {}, { files });
    await expectInOrder(bridge);
    bridge.write('deps.lock', '22');
    await expectInOrder(bridge);
    expect(bridge.pids()).toHaveLength(2);
  });

  it('library_folders: sources there are shown', async () => {
    const library = temporaryFolder('lspan-library-');
    mkdirSync(path.join(library, 'inner'));
    const file = path.join(library, 'inner/lib.txt');
    writeFileSync(file, 'the source of alpha\n');
    const outside = on('textDocument/definition', { outsideUri: { uri: pathToFileURL(file).href } });
    const shown = { definitions: [{ external: 'library', text: 'the source of alpha' }] };
    expect((await ask(await open({ library_folders: [library] }, outside))).data).toMatchObject(shown);
    expect((await ask(await open({}, outside))).data).not.toMatchObject(shown);
  });

  it.skipIf(unconfinable !== '')(
    inSandbox('confine and writable_folders: it runs in a sandbox, and may write there'),
    async () => {
      const folder = temporaryFolder('lspan-writable-');
      const notes = { file: path.join(folder, 'proof') };
      const script: FakeScript = { rules: [{ on: { start: true }, do: [{ reportEnv: notes }] }] };
      const bridge = await open({ confine: 'always', writable_folders: [folder] }, script);
      await expectInOrder(bridge);
      expect(existsSync(notes.file)).toBe(true);
      expect((await bridge.call('get_server_status', {})).text).toContain(', confined');
    },
  );

  it('root_markers and loads_on_open: one file of each project is opened before a search', async () => {
    const files = {
      'p/mark.cfg': '',
      'p/a.txt': 'function alpha\n',
      'q/mark.cfg': '',
      'q/aa.txt': 'x\n',
      'q/b.txt': 'alpha\n',
    };
    const search = { file_path: 'p/a.txt', line: 1, character: 10 };
    const bridge = await open(
      { root_markers: ['mark.cfg'], loads_on_open: true, ready: 'immediate' },
      {},
      { files },
    );
    expect((await bridge.call('find_references', search)).data).toMatchObject({ complete: true });
    expect(opened(bridge)).toContainEqual(document(bridge, 'q/aa.txt'));
    const lazy = await open({ root_markers: ['mark.cfg'], loads_on_open: false }, {}, { files });
    await lazy.call('find_references', search);
    expect(opened(lazy)).not.toContainEqual(document(lazy, 'q/aa.txt'));
  });

  it('only_beside: the server serves only roots with files of that kind', async () => {
    const outline = async (only_beside: readonly string[]) => {
      const bridge = await open({ only_beside });
      return bridge.call('get_document_symbols', { file_path: 'a.txt' });
    };
    expectError(await outline(['vue']), 'not_supported');
    expect((await outline(['txt'])).isError).toBe(false);
  });

  it('sees: the server is also asked for references to symbols in files of another server', async () => {
    const files = { 'a.txt': 'function alpha\n', 'c.md': 'alpha\n' };
    const range = { start: { line: 0, character: 9 }, end: { line: 0, character: 14 } };
    const blind = on('textDocument/references', { replyValue: [{ uri: 'file://<root>/a.txt', range }] });
    const asked = async (sees: readonly string[]) => {
      const servers = { one: withKeys({}, blind), two: withKeys({ extensions: ['md'], sees }) };
      const bridge = await openTestBridge({ files, servers });
      await bridge.call('find_references', { file_path: 'a.txt', line: 1, character: 10 });
      return bridge.received('two').filter(({ method }) => method === 'textDocument/references').length;
    };
    expect([await asked(['txt']), await asked([])]).toEqual([1, 0]);
  });

  it('workspace_folders: the folders of `markers`, unless the root has a file of `unless`', async () => {
    const files = { 'p/mod': '', 'q/mod': '', 'p/a.txt': 'function alpha\n', whole: '' };
    const folders = async (unless: readonly string[]) => {
      const bridge = await open({ workspace_folders: { markers: ['mod'], unless } }, {}, { files });
      await bridge.call('get_document_symbols', { file_path: 'p/a.txt' });
      const told = JSON.stringify(bridge.received()[0]);
      return [...told.matchAll(/"uri":"([^"]+)","name"/g)].map(([, uri = '']) =>
        path.relative(pathToFileURL(bridge.root).href, uri),
      );
    };
    expect(await folders([])).toEqual(['p', 'q']);
    expect(await folders(['whole'])).toEqual(['']);
  });

  it('start_attempts: a server that exits at once is started again', async () => {
    const ends: FakeScript = { rules: [{ on: { start: true }, do: [{ exit: { code: 1 } }] }] };
    const started = async (start_attempts: number) => {
      const fake = { ...withKeys({ start_attempts }), lives: [ends, {}] };
      return ask(await openTestBridge({ servers: { fake } }));
    };
    expectError(await started(1), 'server_crashed');
    expect((await started(2)).isError).toBe(false);
  });

  it.each([true, false])('reads_only_open: %s: a file that changed is opened', async (reads_only_open) => {
    const files = { 'a.txt': 'function alpha\n', 'b.txt': 'alpha\n', 'c.txt': 'x\n' };
    const bridge = await open({ reads_only_open }, {}, { files });
    await expectInOrder(bridge);
    bridge.write('c.txt', 'another text\n');
    await expectInOrder(bridge);
    expect(opened(bridge).some((one) => JSON.stringify(one).includes('c.txt'))).toBe(reads_only_open);
  });

  it('publishes_when_read: a question waits for the diagnostics of the text that was sent', async () => {
    const limits = { ...defaultConfig.limits, readiness: 0 };
    const asked = async (publishes_when_read: boolean, diagnostics: 'push' | 'none') => {
      const keys = { ready: 'immediate', publishes_when_read };
      const bridge = await open(keys, { diagnostics }, { config: { limits } });
      return (await ask(bridge)).data;
    };
    expect(await asked(true, 'none')).toMatchObject({ complete: false });
    expect(await asked(false, 'none')).toMatchObject({ complete: true });
  });

  it.each([true, false])(
    'checks_files_alone: %s: a change elsewhere does not outdate problems',
    async (checks_files_alone) => {
      const bridge = await open({ ready: 'immediate', checks_files_alone }, { diagnostics: 'push' });
      const problems = async (file_path: string) =>
        (await bridge.call('get_diagnostics', { file_path })).data;
      await problems('a.txt');
      await problems('b.txt');
      bridge.write('b.txt', 'another text\n');
      await problems('b.txt');
      expect(await problems('a.txt')).toMatchObject({ complete: true });
      const resent = bridge
        .received()
        .filter(
          ({ method, params }) =>
            method === 'textDocument/didChange' && JSON.stringify(params).includes('a.txt'),
        );
      expect(resent.length > 0).toBe(!checks_files_alone);
    },
  );

  it.each([true, false])('opens_created: %s', async (opens_created) => {
    const bridge = await open({ opens_created });
    await expectInOrder(bridge);
    bridge.write('c.txt', 'a new one\n');
    await expectInOrder(bridge);
    const created = expect.arrayContaining([document(bridge, 'c.txt')]);
    expect(opened(bridge)).toEqual(
      opens_created ? created : expect.not.arrayContaining([document(bridge, 'c.txt')]),
    );
  });

  it('answers_unopened: that question is asked without opening the file', async () => {
    const bridge = await open({ answers_unopened: ['hover'] });
    expect((await hover(bridge)).isError).toBe(false);
    expect(opened(bridge)).toEqual([]);
    await ask(bridge);
    expect(opened(bridge)).toContainEqual(document(bridge, 'b.txt'));
  });

  it('diagnostics_quiet_ms: diagnostics are complete after that much silence', async () => {
    const files = { 'a.txt': 'ERROR_a\n' };
    const problems = async (diagnostics_quiet_ms: number) => {
      const limits = { ...defaultConfig.limits, diagnostics: 20_000 };
      const setting = { files, config: { limits } };
      const bridge = await open(
        { ready: 'immediate', diagnostics_quiet_ms },
        { diagnostics: 'push' },
        setting,
      );
      return (await bridge.call('get_diagnostics', { file_path: 'a.txt' })).data;
    };
    expect(await problems(1)).toMatchObject({ complete: true, diagnostics: [{ code: 'ERROR_a' }] });
    expect(await problems(60_000)).toMatchObject({ complete: false, diagnostics: [{ code: 'ERROR_a' }] });
  });

  it.each([
    [1, false],
    [2, true],
  ])(
    'symbol_cap: a search that gives one symbol of %i at most is complete: %s',
    async (symbol_cap, complete) => {
      const bridge = await open({ symbol_cap, ready: 'immediate' });
      expect((await bridge.call('search_workspace_symbols', { query: 'alpha' })).data).toMatchObject({
        complete,
      });
    },
  );

  it('child_died: such a message restarts the server', async () => {
    const dying = on('textDocument/hover', says('The worker died'));
    const bridge = await open({ child_died: 'worker died$' }, dying);
    await expectInOrder(bridge);
    await hover(bridge);
    await expectInOrder(bridge);
    expect(bridge.pids().length).toBeGreaterThan(1);
  });

  it('writes and install: the status shows them', async () => {
    const told = { writes: ['.cache/fake'], install: 'Get it somewhere.' };
    const missing = { ...withKeys(told), command: ['/nowhere/fake'] };
    const status = async (server: TestServer) =>
      (await (await openTestBridge({ servers: { fake: server } })).call('get_server_status', {})).data
        .servers;
    expect(await status(missing)).toMatchObject([{ state: 'not_installed', ...told }]);
    expect(await status({ command: ['/nowhere/fake'] })).toMatchObject([
      {
        install:
          'Install /nowhere/fake outside the workspace, or correct the command of fake in your configuration.',
      },
    ]);
  });
});
