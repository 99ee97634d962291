import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as vscode from 'vscode';
import { list } from '../../../src/core/runtime/json.ts';
import { Client, endpoint, gatewayApi, until, withSettings } from './gateway.ts';
import { uriOf } from './gateway-cases.ts';
import { registerWords } from './words.ts';

const at = { uri: '', position: { line: 0, character: 12 }, includeDeclaration: true };

/** Defines the tests of the settings, tokens and restarts. */
export function settingsCases(): void {
  describe('a setting', () => {
    it('maxItemsPerPage bounds a page, and is itself bounded', async () => {
      await withSettings({ maxItemsPerPage: 2 });
      const question = { ...at, uri: uriOf('pkg-a/src/cart.ts') };
      const answer = await (await Client.connect()).settled('vscode.lsp.references', question);
      expect(answer.data).toMatchObject({ pageSize: 2, total: 5 });
      expect(list(answer.data.items)).toHaveLength(2);
      await withSettings({ maxItemsPerPage: 5000 });
      const again = await (await Client.connect()).settled('vscode.lsp.references', question);
      expect(again.data).toMatchObject({ pageSize: 200 });
      await withSettings({ maxItemsPerPage: undefined });
    });

    it('maxResponseBytes bounds an answer', async () => {
      await withSettings({ maxResponseBytes: 1024 });
      const question = { uri: uriOf('pkg-a/src/many.ts') };
      const answer = await (await Client.connect()).settled('vscode.lsp.documentSymbols', question);
      expect(answer.error).toMatchObject({ code: 'CAP_EXCEEDED' });
      await withSettings({ maxResponseBytes: undefined });
    });

    it('requestTimeoutMs ends a call that VS Code does not answer', async () => {
      const [folder] = vscode.workspace.workspaceFolders ?? [];
      onTestFinished(registerWords(path.join(folder?.uri.fsPath ?? '', 'words'), 'silent'));
      await withSettings({ requestTimeoutMs: 400 });
      const client = await Client.connect();
      const began = performance.now();
      const answer = await client.call('vscode.lsp.definition', {
        uri: uriOf('words/b.txt'),
        position: { line: 0, character: 1 },
      });
      expect(answer.error).toMatchObject({ code: 'TIMEOUT', retryable: true });
      expect(answer.error?.message).toContain('0.4 s');
      expect(performance.now() - began).toBeLessThan(30_000);
      await withSettings({ requestTimeoutMs: undefined });
    });

    it('enableSessions: false serves without sessions', async () => {
      expect((await Client.connect()).hasSession).toBe(true);
      await withSettings({ enableSessions: false });
      const client = await Client.connect();
      expect(client.hasSession).toBe(false);
      expect(await client.tools()).toHaveLength(7);
      await withSettings({ enableSessions: undefined });
    });

    it('additionalAllowedRoots opens a further folder; one that is missing ends the service', async () => {
      const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-root-')));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      writeFileSync(path.join(folder, 'far.ts'), 'export const far = 1;\n');
      const uri = vscode.Uri.file(path.join(folder, 'far.ts')).toString();
      const denied = await (await Client.connect()).call('vscode.lsp.documentSymbols', { uri });
      expect(denied.error).toMatchObject({ code: 'WORKSPACE_DENIED' });
      await withSettings({ additionalAllowedRoots: [folder] });
      const answer = await (await Client.connect()).settled('vscode.lsp.documentSymbols', { uri });
      expect(answer.data).toMatchObject({ symbols: [{ name: 'far' }] });
      await withSettings({ additionalAllowedRoots: [path.join(folder, 'missing')] }, 'error');
      expect(gatewayApi().state().why).toContain('additionalAllowedRoots');
      await withSettings({ additionalAllowedRoots: undefined });
    });

    it('bindAddress other than the loopback address ends the service', async () => {
      await withSettings({ bindAddress: '0.0.0.0' }, 'error');
      expect(gatewayApi().state().why).toContain('can only be 127.0.0.1');
      await withSettings({ bindAddress: undefined });
    });

    it('allowedOrigins lets a web page of that origin call', async () => {
      const origin = 'http://localhost:6274';
      const status = async () => {
        const { url, token } = await endpoint();
        const headers = { Authorization: `Bearer ${token}`, Origin: origin };
        return (await fetch(url, { method: 'POST', headers, body: '{}' })).status;
      };
      expect(await status()).toBe(403);
      await withSettings({ allowedOrigins: [origin] });
      expect(await status()).not.toBe(403);
      await withSettings({ allowedOrigins: undefined });
    });

    it('secretStorageKey chooses other tokens', async () => {
      const before = await endpoint();
      await withSettings({ secretStorageKey: 'mcpLspGateway.others' });
      expect((await endpoint()).token).not.toBe(before.token);
      await withSettings({ secretStorageKey: undefined });
      expect((await endpoint()).token).toBe(before.token);
    });

    it('port that is taken is told, with one that is free', async () => {
      const other = createServer().listen(0, '127.0.0.1');
      onTestFinished(() => void other.close());
      await once(other, 'listening');
      const address = other.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      await withSettings({ port }, 'error');
      expect(gatewayApi().state().why).toContain(`Port ${port} is in use`);
      await withSettings({ port: 0 });
    });

    it('enabled: false stops the server, and nobody listens any more', async () => {
      const { url } = await endpoint();
      await vscode.commands.executeCommand('mcpLspGateway.disable');
      await until(({ kind }) => kind === 'off');
      await expect(fetch(url)).rejects.toThrow();
      await vscode.commands.executeCommand('mcpLspGateway.enable');
      await until(({ kind }) => kind === 'running');
    });

    it('of the workspace has no effect', async () => {
      const inspected = vscode.workspace.getConfiguration('mcpLspGateway').inspect('surface');
      expect(gatewayApi().state()).toMatchObject({ kind: 'running' });
      expect(inspected?.globalValue).toBeUndefined();
      expect(await (await Client.connect()).tools()).toHaveLength(7);
    });
  });

  describe('tokens', () => {
    it('that are cleared are refused, and a new one is made', async () => {
      const old = await endpoint();
      let starts = 0;
      const subscription = gatewayApi().onDidChange(() => {
        if (gatewayApi().state().kind === 'starting') starts += 1;
      });
      await vscode.commands.executeCommand('mcpLspGateway.clearTokens');
      await until(({ kind }) => kind === 'running' && starts > 0);
      subscription.dispose();
      const young = await endpoint();
      expect(young.token).not.toBe(old.token);
      const ask = (token: string) =>
        fetch(young.url, { method: 'POST', headers: { Authorization: `Bearer ${token}` }, body: '{}' });
      expect((await ask(old.token)).status).toBe(401);
      expect((await ask(young.token)).status).not.toBe(401);
    });
  });
}
