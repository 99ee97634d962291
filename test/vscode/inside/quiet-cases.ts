import { describe, expect, it } from 'vitest';
import * as vscode from 'vscode';
import { gatewayApi } from './gateway.ts';

/** Defines the tests of a window in which nothing may be served. */
export function quietCases(): void {
  describe('the extension, unless the user turns it on,', () => {
    it('serves nothing, whatever the settings of the workspace say', () => {
      expect(gatewayApi().state()).toMatchObject({ kind: 'off' });
      expect(gatewayApi().state().why).toContain('mcpLspGateway.enabled');
    });

    it('says so when a configuration is to be copied', async () => {
      await vscode.env.clipboard.writeText('before');
      await vscode.commands.executeCommand('mcpLspGateway.copyCodexConfig');
      expect(await vscode.env.clipboard.readText()).toBe('before');
    });

    it('has every command that it lists', async () => {
      const known = new Set(await vscode.commands.getCommands(true));
      const own = [...known].filter((name) => name.startsWith('mcpLspGateway.'));
      expect(own).toHaveLength(14);
    });
  });
}

/** Defines the tests of a window in Restricted Mode. */
export function restrictedCases(): void {
  describe('in Restricted Mode', () => {
    it('TRN-36 nothing is served, although it is turned on', async () => {
      expect(vscode.workspace.isTrusted).toBe(false);
      // VS Code runs extensions under development all the same.
      await vscode.extensions.getExtension('lspan.mcp-lsp-gateway')?.activate();
      expect(gatewayApi().state()).toMatchObject({ kind: 'off', why: 'This window is in Restricted Mode.' });
    });
  });
}
