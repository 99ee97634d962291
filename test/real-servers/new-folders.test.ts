import { mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openBridge } from '../../src/bridge.ts';
import { silent } from '../../src/core/log.ts';
import { patient } from '../patient.ts';
import { temporaryFolder } from '../workspace/sandbox.ts';

it.each([
  ['typescript', ['typescript-language-server', 'vtsls']],
  ['typescript-language-server', ['typescript', 'vtsls']],
])(
  '%s takes a file in a folder that comes again for one of the project',
  async (_server, disabledServers) => {
    const root = temporaryFolder({
      'tsconfig.json': '{ "compilerOptions": { "lib": ["es2022"], "strict": true } }',
      'kept.ts': 'export const kept = 1;\n',
      'part/first.ts': 'export function first(a) {}\n',
    });
    const overrides = { ...patient, disabledServers };
    const bridge = await openBridge({ roots: [root], surface: 'lspan', log: silent, overrides });
    onTestFinished(() => bridge.close({ hurried: true }));
    const found = async (query: string) => (await bridge.call('search_workspace_symbols', { query })).data;
    expect(await found('first')).toMatchObject({ symbols: [{ name: 'first' }] });
    renameSync(path.join(root, 'part'), path.join(root, 'moved'));
    expect(await found('first')).toMatchObject({ symbols: [{ file_path: 'moved/first.ts' }] });
    mkdirSync(path.join(root, 'part'));
    renameSync(path.join(root, 'moved/first.ts'), path.join(root, 'part/again.ts'));
    // The search looks into the project of the file that was opened last.
    for (const name of ['kept', 'first']) expect(await found(name)).toMatchObject({ symbols: [{ name }] });
    const { data } = await bridge.call('get_diagnostics', {
      file_path: 'part/again.ts',
      min_severity: 'error',
    });
    expect(data).toMatchObject({ complete: true, diagnostics: [{ code: '7006' }] });
  },
  120_000,
);
