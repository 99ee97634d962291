import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import * as vscode from 'vscode';
import { list, object } from '../../../src/core/runtime/json.ts';
import { type Answer, Client, copied, endpoint, gatewayApi } from './gateway.ts';

/** The folder that VS Code has open. */
export function folder(): string {
  return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
}

/** Returns the URI of a file of the folder. */
export function uriOf(file: string): string {
  return vscode.Uri.file(path.join(folder(), file)).toString();
}

/** Renders the places of an answer as `file line:character`. */
export function places(answer: Answer, key = 'locations'): readonly string[] {
  return list(answer.data[key]).map((one) => {
    const { uri, range } = object(one);
    const { line, character } = object(object(range).start);
    return `${path.relative(folder(), vscode.Uri.parse(String(uri)).fsPath)} ${line}:${character}`;
  });
}

/** Changes the text of a file in VS Code, without saving it. */
export async function type(file: string, line: number, text: string): Promise<vscode.TextDocument> {
  const uri = vscode.Uri.file(path.join(folder(), file));
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = new vscode.WorkspaceEdit();
  const start = new vscode.Position(line, 0);
  edit.replace(uri, new vscode.Range(start, start), text);
  expect(await vscode.workspace.applyEdit(edit)).toBe(true);
  return document;
}

/** Gives up the unsaved text of the document in the active editor. */
async function reverted(document: vscode.TextDocument): Promise<void> {
  const isBack = () => !document.isDirty && !document.getText().includes('typed');
  const done = new Promise<void>((resolve) => {
    const subscription = vscode.workspace.onDidChangeTextDocument(() => {
      if (!isBack()) return;
      subscription.dispose();
      resolve();
    });
  });
  await vscode.commands.executeCommand('workbench.action.files.revert');
  if (!isBack()) await done;
}

const use = { line: 0, character: 12 };

const truth = 'pkg-a/src/price.ts 1:16';

/** Defines the tests of the server over VS Code's own TypeScript. */
export function gatewayCases(): void {
  describe('the gateway', () => {
    it('runs on the loopback address, and copies what Codex needs', async () => {
      expect(gatewayApi().state()).toMatchObject({ kind: 'running' });
      const { url, token } = await endpoint();
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
      expect(token).toMatch(/^[\w-]{43}$/);
      expect(await copied('copyEndpointUrl')).toBe(url);
      expect(JSON.parse(await copied('copyClaudeConfig'))).toMatchObject({
        mcpServers: {
          'mcp-lsp-gateway': { type: 'http', url, headers: { Authorization: `Bearer ${token}` } },
        },
      });
    });

    it('never gives a first answer that grows as if it were complete', async () => {
      const client = await Client.connect();
      const at = { uri: uriOf('pkg-a/src/cart.ts'), position: use };
      const answers: Answer[] = [];
      do answers.push(await client.call('vscode.lsp.definition', at));
      while (answers.at(-1)?.error?.retryable === true);
      const given = answers.filter(({ error }) => error === undefined);
      expect(given.map((answer) => places(answer))).toEqual([[truth]]);
      expect(given[0]?.data).toMatchObject({ complete: true, doubts: [] });
    });

    it('offers the seven tools, and none that writes', async () => {
      expect(await (await Client.connect()).tools()).toEqual([
        'vscode.lsp.definition',
        'vscode.lsp.references',
        'vscode.lsp.hover',
        'vscode.lsp.documentSymbols',
        'vscode.lsp.workspaceSymbols',
        'vscode.lsp.diagnostics.document',
        'vscode.lsp.diagnostics.workspace',
      ]);
    });

    it('finds uses in a project that VS Code has not loaded', async () => {
      const client = await Client.connect();
      const at = { uri: uriOf('pkg-a/src/cart.ts'), position: use, includeDeclaration: true };
      const answer = await client.settled('vscode.lsp.references', at);
      expect(places(answer, 'items')).toEqual([
        'pkg-a/src/cart.ts 0:9',
        'pkg-a/src/cart.ts 1:50',
        truth,
        'pkg-b/src/use.ts 0:9',
        'pkg-b/src/use.ts 1:36',
      ]);
      expect(answer.data).toMatchObject({ complete: true, total: 5 });
    });

    it('pages a list, and gives the same bytes for the same question', async () => {
      const client = await Client.connect();
      const at = { uri: uriOf('pkg-a/src/cart.ts'), position: use, includeDeclaration: true };
      const whole = await client.settled('vscode.lsp.references', at);
      expect(JSON.stringify(await client.call('vscode.lsp.references', at))).toBe(JSON.stringify(whole));
      const found: string[] = [];
      let cursor: unknown = null;
      do {
        const page: Answer = await client.call('vscode.lsp.references', { ...at, pageSize: 2, cursor });
        expect(list(page.data.items).length).toBeLessThanOrEqual(2);
        found.push(...places(page, 'items'));
        cursor = page.data.nextCursor;
      } while (cursor !== undefined);
      expect(found).toEqual(places(whole, 'items'));
    });

    it('answers hover, outline and symbols', async () => {
      const client = await Client.connect();
      const uri = uriOf('pkg-a/src/price.ts');
      const hover = await client.settled('vscode.lsp.hover', { uri, position: { line: 1, character: 18 } });
      expect(JSON.stringify(hover.data.contents)).toContain('function addPrices(a: Price, b: Price): Price');
      const outline = await client.settled('vscode.lsp.documentSymbols', { uri });
      const names = list(outline.data.symbols).map((one) => object(one).name);
      expect(names).toEqual(expect.arrayContaining(['Price', 'addPrices']));
      const symbols = await client.settled('vscode.lsp.workspaceSymbols', { query: 'addPrices' });
      expect(list(symbols.data.items)[0]).toMatchObject({ name: 'addPrices', kind: 'function' });
    });

    it('reports the problems of a file that no editor shows', async () => {
      const client = await Client.connect();
      const uri = uriOf('pkg-a/src/cart.ts');
      const answer = await client.settled('vscode.lsp.diagnostics.document', { uri });
      expect(answer.data).toMatchObject({ complete: true });
      const errors = list(answer.data.diagnostics).filter((one) => object(one).severity === 'error');
      expect(errors).toMatchObject([
        { code: '2322', source: 'ts', range: { start: { line: 2, character: 6 } } },
      ]);
      const clean = await client.settled('vscode.lsp.diagnostics.document', {
        uri: uriOf('pkg-a/src/price.ts'),
      });
      expect(clean.data).toMatchObject({ complete: true, diagnostics: [] });
      const all = await client.settled('vscode.lsp.diagnostics.workspace', {});
      expect(list(all.data.items).map((one) => object(one).uri)).toContain(uri);
    });

    it('reports the problems of a language of which it knows nothing', async () => {
      const client = await Client.connect();
      const ask = () => client.settled('vscode.lsp.diagnostics.document', { uri: uriOf('bad.json') });
      // Its extension checks documents in editors only, so that before nothing is known.
      expect((await ask()).data).toMatchObject({ complete: false, diagnostics: [] });
      const uri = vscode.Uri.file(path.join(folder(), 'bad.json'));
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
      let answer = await ask();
      for (; list(answer.data.diagnostics).length === 0; answer = await ask())
        expect(answer.data).toMatchObject({ complete: false });
      expect(answer.data).toMatchObject({ complete: true, diagnostics: [{ range: { start: { line: 0 } } }] });
      const outline = await client.settled('vscode.lsp.documentSymbols', { uri: uriOf('bad.json') });
      expect(outline.data).toMatchObject({ symbols: [{ name: 'one' }] });
    });

    it('is about the disk as it is when it is asked: changed, created and deleted files', async () => {
      const client = await Client.connect();
      const at = { uri: uriOf('pkg-a/src/cart.ts'), position: use };
      const file = path.join(folder(), 'pkg-a/src/price.ts');
      const before = readFileSync(file, 'utf8');
      writeFileSync(file, `// written\n\n${before}`);
      expect(places(await client.settled('vscode.lsp.definition', at))).toEqual(['pkg-a/src/price.ts 3:16']);
      writeFileSync(file, before);
      expect(places(await client.settled('vscode.lsp.definition', at))).toEqual([truth]);
      const made = path.join(folder(), 'pkg-a/src/made.ts');
      writeFileSync(made, "import { addPrices } from './price.js';\nexport const made = addPrices;\n");
      const uses = async () => places(await client.settled('vscode.lsp.references', at), 'items');
      expect(await uses()).toContain('pkg-a/src/made.ts 1:20');
      rmSync(made);
      expect((await uses()).filter((place) => place.includes('made'))).toEqual([]);
    });

    it('answers from the unsaved text, says so, and leaves the disk alone', async () => {
      const client = await Client.connect();
      const document = await type('pkg-a/src/price.ts', 0, '// typed\n');
      const at = { uri: uriOf('pkg-a/src/cart.ts'), position: use };
      const answer = await client.settled('vscode.lsp.definition', at);
      expect(places(answer)).toEqual(['pkg-a/src/price.ts 2:16']);
      expect(answer.data).toMatchObject({ complete: false, doubts: [{ kind: 'unsaved_elsewhere' }] });
      expect(document.isDirty).toBe(true);
      expect(readFileSync(document.uri.fsPath, 'utf8')).not.toContain('typed');
      await vscode.window.showTextDocument(document);
      await reverted(document);
      expect(places(await client.settled('vscode.lsp.definition', at))).toEqual([truth]);
    });

    it('refuses files outside the folder, and tells a language that nobody serves from nothing', async () => {
      const client = await Client.connect();
      const outside = { uri: 'file:///etc/passwd', position: { line: 0, character: 0 } };
      expect((await client.call('vscode.lsp.hover', outside)).error).toMatchObject({
        code: 'WORKSPACE_DENIED',
      });
      const plain = { uri: uriOf('notes.unknown'), position: { line: 0, character: 2 } };
      const answer = await client.call('vscode.lsp.definition', plain);
      expect(answer.error).toMatchObject({ code: 'PROVIDER_UNAVAILABLE' });
    });
  });
}
