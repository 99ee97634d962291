import { describe, expect, it } from 'vitest';
import * as vscode from 'vscode';

export function gatewayCases(): void {
  describe('the extension', () => {
    it('is active and off by default', () => {
      const extension = vscode.extensions.getExtension<{ state(): { kind: string } }>(
        'lspan.mcp-lsp-gateway',
      );
      expect(extension?.isActive).toBe(true);
      expect(extension?.exports.state().kind).toBe('off');
    });
  });
}
