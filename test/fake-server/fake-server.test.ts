import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { FakeScript } from './script.ts';
import { type StartedFake, startFake } from './start-fake.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'lspan-fake-test-'));
});
afterAll(() => rmSync(root, { recursive: true }));
afterEach(() => {
  for (const name of ['a.ts', 'b.ts', 'c.ts']) rmSync(join(root, name), { force: true });
});

const uriOf = (name: string) => pathToFileURL(join(root, name)).href;
const at = (name: string, line: number, character: number) => ({
  textDocument: { uri: uriOf(name) },
  position: { line, character },
});
const range = (line: number, start: number, end: number) => ({
  start: { line, character: start },
  end: { line, character: end },
});

async function serve(files: Record<string, string>, script: FakeScript = {}): Promise<StartedFake> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  const fake = startFake(script);
  onTestFinished(() => fake.stop());
  await fake.initialize(pathToFileURL(root).href);
  fake.connection.notify('initialized', {});
  return fake;
}

function open({ connection }: StartedFake, name: string, text: string): void {
  const textDocument = { uri: uriOf(name), languageId: 'typescript', version: 1, text };
  connection.notify('textDocument/didOpen', { textDocument });
}

function change({ connection }: StartedFake, name: string, version: number, contentChanges: unknown[]): void {
  connection.notify('textDocument/didChange', {
    textDocument: { uri: uriOf(name), version },
    contentChanges,
  });
}

describe('the language of the fake server', () => {
  const files = { 'a.ts': 'export function run() {}\nclass Box {}\n', 'b.ts': 'run(); rerun();\n' };

  it('finds definitions and references by whole words over the files of the root', async () => {
    const fake = await serve(files);
    const declared = { uri: uriOf('a.ts'), range: range(0, 16, 19) };
    const used = { uri: uriOf('b.ts'), range: range(0, 0, 3) };
    expect(await fake.request('textDocument/definition', at('b.ts', 0, 1))).toEqual([declared]);
    const references = (includeDeclaration: boolean) =>
      fake.request('textDocument/references', { ...at('b.ts', 0, 1), context: { includeDeclaration } });
    expect(await references(true)).toEqual([declared, used]);
    expect(await references(false)).toEqual([used]);
    expect(await fake.request('textDocument/definition', at('b.ts', 0, 9))).toEqual([]);
  });

  it('gives hovers, outlines and symbols', async () => {
    const fake = await serve(files);
    expect(await fake.request('textDocument/hover', at('b.ts', 0, 0))).toMatchObject({
      contents: { value: expect.stringContaining('export function run() {}') },
    });
    expect(await fake.request('textDocument/hover', at('b.ts', 0, 9))).toBeNull();
    const outline = await fake.request('textDocument/documentSymbol', {
      textDocument: { uri: uriOf('a.ts') },
    });
    expect(outline).toEqual([
      { name: 'run', kind: 12, range: range(0, 0, 24), selectionRange: range(0, 16, 19) },
      { name: 'Box', kind: 5, range: range(1, 0, 12), selectionRange: range(1, 6, 9) },
    ]);
    expect(await fake.request('workspace/symbol', { query: 'BO' })).toMatchObject([{ name: 'Box' }]);
  });

  it('knows a file as it was until it is told of a change', async () => {
    const fake = await serve(files);
    writeFileSync(join(root, 'c.ts'), 'const fresh = 1;\n');
    expect(await fake.request('workspace/symbol', { query: 'fresh' })).toEqual([]);
    fake.connection.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: uriOf('c.ts'), type: 1 }] });
    expect(await fake.request('workspace/symbol', { query: 'fresh' })).toHaveLength(1);
  });

  it('prefers the text of an open document, and goes back to the disk when it is closed', async () => {
    const fake = await serve(files);
    const names = async () => {
      const outline = await fake.request('textDocument/documentSymbol', {
        textDocument: { uri: uriOf('a.ts') },
      });
      return JSON.stringify(outline).match(/(?<="name":")\w+/g);
    };
    open(fake, 'a.ts', 'let one = 1;\nlet two = 2;\n');
    expect(await names()).toEqual(['one', 'two']);
    change(fake, 'a.ts', 2, [{ range: range(1, 4, 7), text: 'three' }]);
    expect(await names()).toEqual(['one', 'three']);
    change(fake, 'a.ts', 3, [{ text: 'let four = 4;' }]);
    expect(await names()).toEqual(['four']);
    fake.connection.notify('textDocument/didClose', { textDocument: { uri: uriOf('a.ts') } });
    expect(await names()).toEqual(['run', 'Box']);
    expect((await fake.log()).complaints).toEqual([]);
  });

  it('complains about a client that breaks the rules', async () => {
    const fake = await serve(files);
    change(fake, 'a.ts', 2, [{ text: '' }]);
    open(fake, 'a.ts', '');
    open(fake, 'a.ts', '');
    change(fake, 'a.ts', 1, [{ text: '' }]);
    fake.connection.notify('textDocument/didClose', { textDocument: { uri: uriOf('b.ts') } });
    expect((await fake.log()).complaints).toEqual([
      `didChange of ${uriOf('a.ts')}, which is not open`,
      `didOpen of ${uriOf('a.ts')}, which is open`,
      `version 1 of ${uriOf('a.ts')} after 1`,
      `didClose of ${uriOf('b.ts')}, which is not open`,
    ]);
  });
});

describe('PRO-21 the fake server counts columns', () => {
  const columns = { 'utf-8': [11, 15], 'utf-16': [6, 9], 'utf-32': [5, 8] } as const;
  const encodings = ['utf-8', 'utf-16', 'utf-32'] as const;
  it.each(encodings)('in %s', async (positionEncoding) => {
    const text = 'a😀é字 näm;\nlet näm = 1;';
    const fake = await serve({ 'a.ts': text }, { positionEncoding });
    const [start, end] = columns[positionEncoding];
    const references = await fake.request('textDocument/references', {
      ...at('a.ts', 0, end),
      context: { includeDeclaration: false },
    });
    expect(references).toEqual([{ uri: uriOf('a.ts'), range: range(0, start, end) }]);
    open(fake, 'a.ts', text);
    change(fake, 'a.ts', 2, [{ range: range(0, start, end), text: 'ERROR_x' }]);
    const report = await fake.request('textDocument/diagnostic', { textDocument: { uri: uriOf('a.ts') } });
    expect(report).toMatchObject({ items: [{ code: 'ERROR_x', range: range(0, start, start + 7) }] });
  });
});

describe('the problems of the fake server', () => {
  const text = 'ERROR_one();\n  WARN_two();\nfine();\n';

  it('can be pulled, and are unchanged for the same text', async () => {
    const fake = await serve({ 'a.ts': text });
    const textDocument = { uri: uriOf('a.ts') };
    const report = await fake.request('textDocument/diagnostic', { textDocument });
    expect(report).toMatchObject({
      kind: 'full',
      items: [
        { severity: 1, code: 'ERROR_one', range: range(0, 0, 9) },
        { severity: 2, code: 'WARN_two', range: range(1, 2, 10) },
      ],
    });
    const previousResultId = JSON.stringify(report).match(/(?<="resultId":")\w+/)?.[0];
    const again = fake.request('textDocument/diagnostic', { textDocument, previousResultId });
    expect(await again).toEqual({ kind: 'unchanged', resultId: previousResultId });
  });

  it.each([
    ['push', { version: 1 }],
    ['push_unversioned', {}],
  ] as const)(
    'are published as %s when a document is opened and withdrawn when it is closed',
    async (diagnostics, stamp) => {
      const fake = await serve({}, { diagnostics });
      open(fake, 'a.ts', text);
      fake.connection.notify('textDocument/didClose', { textDocument: { uri: uriOf('a.ts') } });
      await fake.log();
      const published = fake.notifications.map(({ params }) => params);
      expect(published).toEqual([
        { uri: uriOf('a.ts'), ...stamp, diagnostics: [expect.anything(), expect.anything()] },
        { uri: uriOf('a.ts'), diagnostics: [] },
      ]);
    },
  );
});

describe('the life of the fake server', () => {
  it('ends with 0 after shutdown and exit, and with 1 without shutdown', async () => {
    const polite = await serve({});
    expect(await polite.request('shutdown')).toBeNull();
    await expect(polite.request('textDocument/hover', at('a.ts', 0, 0))).rejects.toMatchObject({
      code: -32600,
    });
    polite.connection.notify('exit');
    expect(await polite.exited).toEqual([0, null]);
    const rude = await serve({});
    rude.connection.notify('exit');
    expect(await rude.exited).toEqual([1, null]);
  });

  it('ends when stdin does', async () => {
    const fake = await serve({});
    fake.child.stdin?.end();
    expect(await fake.exited).toEqual([1, null]);
  });

  it('refuses requests before initialize and methods it does not know', async () => {
    const fake = startFake();
    onTestFinished(() => fake.stop());
    await expect(fake.request('workspace/symbol', { query: '' })).rejects.toMatchObject({ code: -32002 });
    await fake.initialize();
    await expect(fake.request('a/b')).rejects.toMatchObject({ code: -32601 });
  });

  it('announces what the script says: capabilities, files and watchers', async () => {
    const fake = startFake({
      capabilities: { hoverProvider: null, renameProvider: true },
      diagnostics: 'none',
      files: { 'ghost.ts': 'let ghost = 1;' },
      watch: ['**/*.ts'],
    });
    onTestFinished(() => fake.stop());
    const told = await fake.initialize(pathToFileURL(root).href);
    expect(told).not.toHaveProperty('capabilities.hoverProvider');
    expect(told).toMatchObject({
      capabilities: {
        textDocumentSync: expect.anything(),
        definitionProvider: true,
        referencesProvider: true,
        documentSymbolProvider: true,
        workspaceSymbolProvider: true,
        renameProvider: true,
        codeActionProvider: expect.anything(),
        executeCommandProvider: expect.anything(),
        documentFormattingProvider: true,
        documentRangeFormattingProvider: true,
      },
      serverInfo: { name: 'fake', version: '1.0.0' },
    });
    fake.connection.notify('initialized', {});
    expect(await fake.request('workspace/symbol', { query: 'ghost' })).toMatchObject([
      { location: { uri: uriOf('ghost.ts') } },
    ]);
    expect((await fake.log()).answers).toMatchObject([{ method: 'client/registerCapability', result: null }]);
  });
});
