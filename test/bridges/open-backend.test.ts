import { expect, it, onTestFinished } from 'vitest';
import { openBridge } from '../../src/bridge.ts';
import type { BridgeSettings } from '../../src/bridge-settings.ts';
import { openEdits } from '../../src/edits/open-edits.ts';
import { memoryBackend } from '../backends/cases/memory-backend.ts';
import { temporaryFolder } from '../workspace/sandbox.ts';

const files = { 'a.txt': 'function alpha\n', 'b.txt': 'alpha\n' };

async function open(settings: Partial<BridgeSettings> = {}) {
  const root = temporaryFolder(files);
  const bridge = await openBridge({
    roots: [root],
    surface: 'gateway',
    configValue: { name: 'none', value: {} },
    log: () => {},
    openBackend: (workspace) => memoryBackend(workspace.roots[0] ?? '', { id: 'editor' }),
    ...settings,
  });
  onTestFinished(() => bridge.close());
  const at = { uri: `file://${root}/b.txt`, position: { line: 0, character: 1 } };
  return { bridge, root, at };
}

it('a backend that needs the workspace is opened with it, and answers instead of language servers', async () => {
  const { bridge, root, at } = await open();
  const { data } = await bridge.call('vscode.lsp.definition', at);
  expect(data).toMatchObject({ locations: [{ uri: `file://${root}/a.txt` }], complete: true });
});

it('an answer of the gateway has at most the bytes that the settings allow', async () => {
  const { bridge, at } = await open({ responseBytes: 100 });
  const { data } = await bridge.call('vscode.lsp.definition', at);
  expect(data).toMatchObject({
    error: { code: 'CAP_EXCEEDED', message: expect.stringContaining('limit: 100') },
  });
});

it('what writes may be given too', async () => {
  const plans: string[] = [];
  const state = temporaryFolder({});
  const { bridge } = await open({
    surface: 'lspan',
    openEngine: (view) => {
      const engine = openEdits({ view, folder: state, log: () => {} });
      const noted = {
        ...engine,
        plan: (...given: Parameters<typeof engine.plan>) => {
          plans.push(given[1].title);
          return engine.plan(...given);
        },
      };
      return { ...noted, keepingIn: () => noted };
    },
  });
  const edits = [{ file_path: 'a.txt', old_text: 'alpha', new_text: 'beta' }];
  expect((await bridge.call('apply_workspace_edit', { edits, check: false })).isError).toBe(false);
  expect(plans).toHaveLength(1);
});
