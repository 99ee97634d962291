import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../src/surfaces/catalogue.ts';
import type { FakeScript } from '../../fake-server/script.ts';
import { type TestSetting, temporaryFolder } from '../../test-bridge.ts';
import { openGateway, rangeOn } from './open-gateway.ts';

const alpha = { line: 0, character: 10 };
const on = (method: string, ...actions: NonNullable<FakeScript['rules']>[number]['do']): TestSetting => ({
  servers: { fake: { lives: [{ rules: [{ on: { method }, do: actions }] }] } },
});
const diagnosticProvider = { interFileDependencies: true, workspaceDiagnostics: true };
const servers = { fake: { lives: [{ capabilities: { diagnosticProvider } }] } };
const whole = { complete: true, doubts: [], filtered: 0 };

describe('the list of the gateway', () => {
  const surface = catalogue.find(({ name }) => name === 'gateway');

  it('has the seven tools of the original, which only read', () => {
    expect(surface?.tools.map(({ name }) => name)).toEqual([
      'vscode.lsp.definition',
      'vscode.lsp.references',
      'vscode.lsp.hover',
      'vscode.lsp.documentSymbols',
      'vscode.lsp.workspaceSymbols',
      'vscode.lsp.diagnostics.document',
      'vscode.lsp.diagnostics.workspace',
    ]);
    expect(surface?.tools.every(({ effects, listed }) => effects === 'none' && listed)).toBe(true);
  });

  it('TRN-35 closes every object of every schema, in and out, and lists every bound of the input', () => {
    for (const { name, inputSchema, outputSchema } of surface?.tools ?? []) {
      for (const part of [...objectsIn(inputSchema), ...objectsIn(outputSchema)])
        expect(part.additionalProperties, name).toBe(false);
      for (const part of leavesIn(inputSchema))
        expect(Object.keys(part), `${name} ${JSON.stringify(part)}`).toContain(
          part.type === 'string' ? 'maxLength' : 'maximum',
        );
    }
    expect(JSON.stringify(surface)).not.toContain('$ref');
  });
});

describe('answers', () => {
  it('have places as URIs, counted from 0', async () => {
    const bridge = await openGateway();
    const uri = bridge.uri('a.txt');
    expect(await bridge.ask('definition', { uri, position: { line: 1, character: 0 } })).toEqual({
      ...whole,
      locations: [{ uri, range: rangeOn(0, 9, 14) }],
    });
    expect(await bridge.ask('hover', { uri, position: alpha })).toMatchObject({
      ...whole,
      contents: [{ kind: 'markdown', value: '```\nfunction alpha\n```' }],
    });
    expect(await bridge.ask('documentSymbols', { uri })).toEqual({
      ...whole,
      uri,
      symbols: [
        {
          name: 'alpha',
          kind: 'function',
          range: rangeOn(0, 0, 14),
          selectionRange: rangeOn(0, 9, 14),
          depth: 0,
        },
      ],
    });
    expect(await bridge.ask('workspaceSymbols', { query: 'alph' })).toMatchObject({
      ...whole,
      items: [{ name: 'alpha', kind: 'function', location: { uri, range: rangeOn(0, 9, 14) } }],
      total: 1,
      pageSize: 200,
    });
  });

  it('leave the declaration out of references unless it is asked for', async () => {
    const bridge = await openGateway();
    const uri = bridge.uri('a.txt');
    const uses = [
      { uri, range: rangeOn(1, 0, 5) },
      { uri: bridge.uri('b.txt'), range: rangeOn(0, 0, 5) },
    ];
    const asked = { uri, position: alpha };
    expect(await bridge.ask('references', asked)).toEqual({ ...whole, items: uses, total: 2, pageSize: 200 });
    const all = await bridge.ask('references', { ...asked, includeDeclaration: true });
    expect(all.items).toEqual([{ uri, range: rangeOn(0, 9, 14) }, ...uses]);
  });

  it('have a text of one line that says how much there is', async () => {
    const bridge = await openGateway();
    const asked = { uri: bridge.uri('a.txt'), position: alpha };
    expect((await bridge.call('vscode.lsp.references', asked)).text).toBe('2 references.');
    const page = await bridge.call('vscode.lsp.references', { ...asked, pageSize: 1 });
    expect(page.text).toBe('1 reference of 2. nextCursor has more.');
  });

  it('are ordered by URI and position without duplicates, whatever the server says', async () => {
    const place = (file: string, line: number) => ({
      uri: `file://<root>/${file}`,
      range: rangeOn(line, 0, 5),
    });
    const replyValue = [place('b.txt', 0), place('a.txt', 1), place('b.txt', 0), place('a.txt', 0)];
    const bridge = await openGateway(on('textDocument/definition', { replyValue }));
    const { locations } = await bridge.ask('definition', { uri: bridge.uri('a.txt'), position: alpha });
    const [a, b] = [bridge.uri('a.txt'), bridge.uri('b.txt')];
    expect(locations).toEqual([
      { uri: a, range: rangeOn(0, 0, 5) },
      { uri: a, range: rangeOn(1, 0, 5) },
      { uri: b, range: rangeOn(0, 0, 5) },
    ]);
  });

  it('are about the exact position: a position next to an identifier is not on it', async () => {
    const bridge = await openGateway({ files: { 'a.txt': 'function  alpha\n', 'b.txt': 'alpha\n' } });
    const uri = bridge.uri('a.txt');
    await bridge.ask('definition', { uri, position: { line: 0, character: 12 } });
    await bridge.call('vscode.lsp.definition', { uri, position: { line: 0, character: 9 } });
    const asked = bridge
      .received()
      .flatMap(({ method, params }) => (method === 'textDocument/definition' ? [params] : []));
    expect(asked).toContainEqual(expect.objectContaining({ position: { line: 0, character: 9 } }));
  });

  it('are empty if a server that is ready finds nothing', async () => {
    const bridge = await openGateway({ servers: { fake: { ready: { kind: 'immediate' } } } });
    const nowhere = { uri: bridge.uri('a.txt'), position: { line: 2, character: 0 } };
    expect(await bridge.ask('definition', nowhere)).toEqual({ ...whole, locations: [] });
    expect(await bridge.ask('references', nowhere)).toMatchObject({ ...whole, items: [], total: 0 });
    expect(await bridge.ask('hover', nowhere)).toEqual({ ...whole, contents: [] });
  });
});

describe('diagnostics', () => {
  it('are those of the current text on the disk', async () => {
    const bridge = await openGateway();
    const uri = bridge.uri('a.txt');
    expect(await bridge.ask('diagnostics.document', { uri })).toEqual({ ...whole, uri, diagnostics: [] });
    bridge.write('a.txt', 'function alpha\nWARN_1 ERROR_2\n');
    const { diagnostics } = await bridge.ask('diagnostics.document', { uri });
    expect(diagnostics).toMatchObject([
      { range: rangeOn(1, 0, 6), severity: 'warning', code: 'WARN_1', source: 'fake' },
      { range: rangeOn(1, 7, 14), severity: 'error', code: 'ERROR_2', source: 'fake' },
    ]);
  });

  it('of the workspace list every file that was checked, and say that this is all', async () => {
    const bridge = await openGateway({ servers, files: { 'a.txt': 'fine\n', 'b.txt': 'ERROR_1\n' } });
    expect(await bridge.ask('diagnostics.workspace', {})).toMatchObject({
      ...whole,
      whole: true,
      files: 2,
      total: 2,
      items: [
        { uri: bridge.uri('a.txt'), state: 'fresh', diagnostics: [] },
        { uri: bridge.uri('b.txt'), state: 'fresh', diagnostics: [{ severity: 'error' }] },
      ],
    });
  });

  it('of the workspace are incomplete if a server has checked no file: unchecked is not the same as clean', async () => {
    const setting = {
      files: { 'a.txt': 'ERROR_1\n' },
      servers: { fake: { lives: [{ diagnostics: 'push' }] } },
    } as const;
    const bridge = await openGateway(setting);
    const before = await bridge.ask('diagnostics.workspace', {});
    expect(before).toMatchObject({ items: [], whole: false, files: 0, complete: false });
    expect(before.doubts).toMatchObject([{ kind: 'project_not_loaded', server: 'fake' }]);
    await bridge.ask('diagnostics.document', { uri: bridge.uri('a.txt') });
    const after = await bridge.ask('diagnostics.workspace', {});
    expect(after).toMatchObject({
      items: [{ state: 'fresh', diagnostics: [{ severity: 'error' }] }],
      files: 1,
    });
  });

  it('of one file that are too many for an item continue in the next', async () => {
    const text = Array.from({ length: 250 }, (_, index) => `ERROR_${index}\n`).join('');
    const bridge = await openGateway({ servers, files: { 'a.txt': text } });
    const { items, files, total } = await bridge.ask('diagnostics.workspace', {});
    expect({ files, total }).toEqual({ files: 1, total: 3 });
    const sizes = Array.isArray(items) ? items.map(({ diagnostics }) => diagnostics.length) : [];
    expect(sizes).toEqual([100, 100, 50]);
  });
});

describe('the allowed roots', () => {
  it('bound all results: those elsewhere are left out and counted', async () => {
    const replyValue = [
      { uri: 'file:///usr/include/stdio.h', range: rangeOn(0, 0, 5) },
      { uri: 'untitled:one', range: rangeOn(0, 0, 5) },
      { uri: 'file://<root>/a.txt', range: rangeOn(0, 9, 14) },
    ];
    const bridge = await openGateway(on('textDocument/definition', { replyValue }));
    const uri = bridge.uri('a.txt');
    const data = await bridge.ask('definition', { uri, position: alpha });
    expect(data).toEqual({ ...whole, filtered: 2, locations: [{ uri, range: rangeOn(0, 9, 14) }] });
  });

  it('include additional ones, whose files can be asked about and are in results', async () => {
    const beside = temporaryFolder('lspan-beside-');
    writeFileSync(path.join(beside, 'c.txt'), 'function alpha\n');
    const uri = `file://${beside}/c.txt`;
    const replyValue = [{ uri, range: rangeOn(0, 9, 14) }];
    const setting = { ...on('textDocument/definition', { replyValue }), additionalRoots: [beside] };
    const bridge = await openGateway(setting);
    const told = { ...whole, locations: [{ uri, range: rangeOn(0, 9, 14) }] };
    expect(await bridge.ask('definition', { uri: bridge.uri('a.txt'), position: alpha })).toEqual(told);
    expect(await bridge.ask('definition', { uri, position: alpha })).toEqual(told);
    expect(await bridge.ask('documentSymbols', { uri })).toMatchObject({ symbols: [{ name: 'alpha' }] });
  });

  it('are up to date in additional ones too', async () => {
    const beside = temporaryFolder('lspan-beside-');
    const uri = `file://${beside}/c.txt`;
    const bridge = await openGateway({ additionalRoots: [beside] });
    const texts = ['function alpha\n', 'function beta\nfunction gamma\n', 'function delta\n'];
    for (const text of texts) {
      writeFileSync(path.join(beside, 'c.txt'), text);
      const { symbols } = await bridge.ask('documentSymbols', { uri });
      const names = Array.isArray(symbols) ? symbols.map(({ name }) => `function ${name}\n`) : [];
      expect(names.join('')).toBe(text);
    }
  });

  it('apply to the target of a link', async () => {
    const elsewhere = temporaryFolder('lspan-elsewhere-');
    writeFileSync(path.join(elsewhere, 'secret.txt'), 'function alpha\n');
    const bridge = await openGateway();
    symlinkSync(elsewhere, path.join(bridge.root, 'out'));
    mkdirSync(path.join(bridge.root, 'own'));
    symlinkSync('../a.txt', path.join(bridge.root, 'own/link.txt'));
    await bridge.refuse('documentSymbols', { uri: bridge.uri('out/secret.txt') }, 'WORKSPACE_DENIED');
    await bridge.refuse('documentSymbols', { uri: bridge.uri('out/none.txt') }, 'WORKSPACE_DENIED');
    expect(await bridge.ask('documentSymbols', { uri: bridge.uri('own/link.txt') })).toMatchObject({
      uri: bridge.uri('a.txt'),
    });
  });
});

type Schema = Readonly<Record<string, unknown>>;

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null;
}

function partsOf(schema: unknown): Schema[] {
  if (!isSchema(schema)) return [];
  return [schema, ...Object.values(schema).flatMap(partsOf)];
}

function objectsIn(schema: Schema): Schema[] {
  return partsOf(schema).filter(({ type }) => type === 'object');
}

function leavesIn(schema: Schema): Schema[] {
  return partsOf(schema).filter(({ type }) => type === 'string' || type === 'integer');
}
