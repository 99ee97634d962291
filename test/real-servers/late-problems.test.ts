import { realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openBridge } from '../../src/bridge.ts';
import { silent } from '../../src/core/log.ts';
import { patient } from '../patient.ts';
import { temporaryFolder } from '../workspace/sandbox.ts';

/** Types that take a checker seconds, after a syntax check that takes none, and one mistake. */
const slow = [
  'type Digit = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9][number];',
  'type Names = `${Digit}${Digit}${Digit}${Digit}`;',
  'type Parts<T extends string> = { [K in T]: K extends `${infer A}${infer B}` ? [A, B] : never };',
  'export declare const parts: Parts<Names>;',
  'export const part: Parts<Names>[Names] = parts["0000"];',
  'export const wrong: string = 1;',
].join('\n');

it.each([
  ['typescript-language-server', ['typescript', 'vtsls']],
  ['vtsls', ['typescript', 'typescript-language-server']],
])(
  'the first problems of %s are whole, though it tells of none before it has checked the types',
  async (_server, disabledServers) => {
    const root = realpathSync(temporaryFolder());
    writeFileSync(path.join(root, 'tsconfig.json'), '{ "compilerOptions": { "strict": true } }');
    writeFileSync(path.join(root, 'slow.ts'), `${slow}\n`);
    const overrides = { ...patient, disabledServers };
    const bridge = await openBridge({ roots: [root], surface: 'lspan', log: silent, overrides });
    onTestFinished(() => bridge.close({ hurried: true }));
    const { data } = await bridge.call('get_diagnostics', { file_path: 'slow.ts' });
    expect(data).toMatchObject({ complete: true, diagnostics: [{ line: 6, code: '2322' }] });
  },
  120_000,
);
