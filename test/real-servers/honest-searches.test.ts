import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openBridge } from '../../src/bridge.ts';
import { silent } from '../../src/core/log.ts';
import { patient } from '../patient.ts';
import { temporaryFolder } from '../workspace/sandbox.ts';

/** A bridge over folders with these files, each named `root/path`, on TypeScript 7. */
async function open(roots: readonly string[], files: Readonly<Record<string, string>>) {
  const folder = realpathSync(temporaryFolder());
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const bridge = await openBridge({
    roots: roots.map((root) => path.join(folder, root)),
    surface: 'lspan',
    log: silent,
    overrides: { ...patient, disabledServers: ['typescript-language-server'] },
  });
  onTestFinished(() => bridge.close());
  return bridge;
}

it('references are found in every root of the workspace, whichever holds the symbol', async () => {
  const bridge = await open(['a', 'b'], {
    'a/tsconfig.json': '{ "include": ["src"] }',
    'a/src/both.ts': 'export const both = 1;\n',
    'b/tsconfig.json': '{ "include": ["src"] }',
    'b/src/use.ts': "import { both } from '../../a/src/both';\nexport const used = both;\n",
  });
  const { data } = await bridge.call('find_references', { file_path: 'src/both.ts', symbol_name: 'both' });
  expect(data).toMatchObject({ complete: true, total: 3 });
});

it('a search that the server cuts at its own bound carries the doubt `capped`', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `export const item_${index} = ${index};`);
  const bridge = await open(['a'], { 'a/tsconfig.json': '{}', 'a/items.ts': names.join('\n') });
  const many = await bridge.call('search_workspace_symbols', { query: 'item_' });
  expect(many.data).toMatchObject({ complete: false, total: 256, doubts: [{ kind: 'capped' }] });
  const few = await bridge.call('search_workspace_symbols', { query: 'item_299' });
  expect(few.data).toMatchObject({ complete: true });
});

it('references that a server itself gives without the place that was asked about are found all the same', async () => {
  const bridge = await open(['a'], {
    'a/h.js': 'exports.hello = function (n) {\n  return n;\n};\n',
    'a/use.js': "const h = require('./h');\nh.hello(1);\n",
  });
  const { data } = await bridge.call('find_references', { file_path: 'use.js', line: 2, character: 3 });
  expect(data).toMatchObject({
    complete: true,
    references: [{ file_path: 'h.js' }, { file_path: 'use.js' }],
  });
});

it('a long hover is cut in the data too, where the model is shown the data', async () => {
  const words = 'word '.repeat(3_000);
  const bridge = await open(['a'], { 'a/long.ts': `/** ${words} */\nexport const long = 1;\n` });
  const input = { file_path: 'long.ts', symbol_name: 'long', max_tokens: 200 };
  const { text, data } = await bridge.call('get_hover', input, { shown: 'data' });
  expect(JSON.stringify(data).length).toBeLessThan(1_000);
  for (const shown of [text, JSON.stringify(data)]) expect(shown).toContain('cut here: raise max_tokens');
});
