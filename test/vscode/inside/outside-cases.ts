import { existsSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'vitest';
import { Client, endpoint } from './gateway.ts';
import { uriOf } from './gateway-cases.ts';

/** Hands the address to the tests outside, and waits until they are done. */
export function outsideCases(): void {
  describe('from outside', () => {
    it('the server is used', async () => {
      const client = await Client.connect();
      const at = { uri: uriOf('pkg-a/src/cart.ts'), position: { line: 0, character: 12 } };
      await client.settled('vscode.lsp.definition', at);
      const shared = process.env.LSPAN_VSCODE_SHARED ?? '';
      const done = new Promise<void>((resolve) => {
        const watcher = watch(shared, () => {
          if (!existsSync(path.join(shared, 'done'))) return;
          watcher.close();
          resolve();
        });
      });
      writeFileSync(path.join(shared, 'endpoint.json'), JSON.stringify(await endpoint()));
      await done;
    });
  });
}
