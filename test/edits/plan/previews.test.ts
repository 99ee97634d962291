import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isPathWithin } from '../../../src/platform/files/path-within.ts';
import { catalogue } from '../../../src/surfaces/catalogue.ts';
import { type Answer, type BuiltLspan, openBuilt } from '../../evil-repo/built-lspan.ts';
import { whyNotTraced } from '../../evil-repo/traced-runs.ts';
import { readWrites, tracingWrites } from '../../evil-repo/traced-writes.ts';
import { snapshot } from '../sandbox-in.ts';

const files = {
  'package.json': '{ "name": "shop", "private": true, "type": "module" }\n',
  'tsconfig.json':
    '{ "compilerOptions": { "lib": ["es2022"], "strict": true, "module": "nodenext", "noEmit": true, "incremental": true } }\n',
  'src/cart.ts':
    "import { price } from './price.js';\nimport { unused } from './unused.js';\n\nexport function total(items: string[]): number {\n    return items.map(price).reduce((a, b) => a + b, 0);\n}\n",
  'src/price.ts':
    'export function price(item: string): number {\n  return item.length;\n}\nexport interface Priced {}\nexport class Ware implements Priced {}\n',
  'src/unused.ts': 'export const unused = 1;\n',
  'src/main.ts': "import { total } from './cart.js';\n\nexport const sum = total(['a']);\n",
};

const replacement = { file_path: 'src/price.ts', old_text: 'item.length', new_text: "'none'" };

/** Each of the tools that write, asked for a preview; the candidates of check_edits are never more than that. */
const previews: readonly (readonly [tool: string, input: object])[] = [
  ['rename_symbol', { file_path: 'src/cart.ts', symbol_name: 'total', new_name: 'sumUp' }],
  ['rename_file', { old_path: 'src/price.ts', new_path: 'src/deep/prices.ts' }],
  [
    'edit_symbol',
    {
      file_path: 'src/price.ts',
      symbol_name: 'price',
      action: 'insert_after',
      text: 'export const x = 1;\n',
    },
  ],
  ['create_file', { file_path: 'src/made/new.ts', content: 'export {};\n' }],
  ['delete_file', { file_path: 'src/unused.ts', force: true }],
  ['format_document', { file_path: 'src/cart.ts', options: { tab_size: 2 } }],
  ['apply_workspace_edit', { edits: [replacement] }],
  ['check_edits', { candidates: [{ id: 'one', edits: [replacement] }] }],
];

const symbol = { file_path: 'src/cart.ts', symbol_name: 'total' };
const kind = { file_path: 'src/price.ts', symbol_name: 'Priced' };

/** Each of the tools that say of themselves that they only read. */
const reads: Readonly<Record<string, object>> = {
  find_definition: symbol,
  find_references: symbol,
  find_implementations: kind,
  get_call_hierarchy: symbol,
  get_type_hierarchy: kind,
  search_workspace_symbols: { query: 'total' },
  get_document_symbols: { file_path: 'src/cart.ts' },
  inspect_symbol: symbol,
  get_hover: symbol,
  get_completions: { file_path: 'src/cart.ts', line: 5, character: 18 },
  get_signature_help: { file_path: 'src/main.ts', line: 3, character: 26 },
  get_inlay_hints: { file_path: 'src/cart.ts' },
  get_diagnostics: { file_path: 'src/cart.ts' },
  check_edits: { candidates: [{ id: 'one', edits: [replacement] }] },
  get_server_status: {},
};

const untraced = whyNotTraced();
const reason = untraced === '' ? '' : ` (skipped: ${untraced})`;

describe.skipIf(untraced !== '')(`EDT-35 a preview${reason}`, { timeout: 120_000 }, () => {
  it('and SUP-14 every read by any tool write nothing in the workspace, and no record for undo', async () => {
    const place = placeOf();
    const readers = (catalogue[0]?.tools ?? [])
      .filter(({ annotations }) => annotations.readOnlyHint)
      .map(({ name }) => name);
    expect(readers.filter((tool) => reads[tool] === undefined)).toEqual([]);
    const lspan = await open(place, 'typescript', 'typescript-language-server');
    const before = snapshot(place.root);
    const problems = await problemsIn(lspan);
    for (const [tool, input] of previews) expectGood(tool, await lspan.call(tool, input));
    for (const input of await offeredActions(lspan))
      expectGood('get_code_actions', await lspan.call('get_code_actions', input));
    for (const tool of readers) {
      const told = await lspan.call(tool, reads[tool] ?? {});
      // No server of TypeScript answers this one.
      if (tool === 'get_type_hierarchy')
        expect(told.data).toMatchObject({ error: { code: 'not_supported' } });
      else expectGood(tool, told);
    }
    expect(await problemsIn(lspan)).toEqual(problems);
    await lspan.close();
    expect(place.written()).toEqual([]);
    expect(snapshot(place.root)).toEqual(before);
  });

  it('differs from an applied change, whose writes the same trace shows', async () => {
    const place = placeOf();
    const lspan = await open(place, 'typescript');
    expectGood('', await lspan.call('apply_workspace_edit', { edits: [replacement], dry_run: false }));
    expectGood('', await lspan.call('undo_edit', { dry_run: true }));
    await lspan.close();
    const written = place.written();
    expect(written.filter((line) => /^rename\w* \S+\/\.lspan-\w+ \S+\/price\.ts$/.test(line))).toHaveLength(
      1,
    );
    expect(written.filter((line) => line.includes('/state/lspan/edits/')).length).toBeGreaterThan(3);
  });
});

interface Place {
  readonly root: string;
  readonly home: string;
  readonly trace: string;
  /** What changed, or could have changed, the workspace or what is on record of edits. */
  written(): readonly string[];
}

function placeOf(): Place {
  const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-previews-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const root = path.join(home, 'work');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  const trace = path.join(home, 'trace');
  // By descriptors of its folders is how the engine reaches a workspace.
  const isOurs = (file: string) =>
    isPathWithin(root, file) ||
    isPathWithin(path.join(home, 'state/lspan/edits'), file) ||
    file.startsWith('/proc/self/fd/');
  const written = () =>
    readWrites(readFileSync(trace, 'utf8'), root)
      .filter(({ call, paths }) => call === 'io_uring_setup' || paths.some(isOurs))
      .map(({ call, paths }) => [call, ...paths].join(' '));
  return { root, home, trace, written };
}

async function open({ root, home, trace }: Place, ...servers: readonly string[]): Promise<BuiltLspan> {
  const environment = { XDG_STATE_HOME: path.join(home, 'state') };
  const flags = ['files', 'refactor', 'quality'].flatMap((name) => ['--toolset', name]);
  const before = tracingWrites(trace);
  // The sandbox would forbid what lspan must not even try, and makes its own folders under the tracer's eyes.
  const lspan = await openBuilt({
    ...{ root, servers, environment, before, flags },
    confine: 'never',
    deadline: 60,
  });
  onTestFinished(() => lspan.close());
  return lspan;
}

/** What each of the offered actions is previewed by. */
async function offeredActions(lspan: BuiltLspan): Promise<readonly object[]> {
  const listed = await lspan.call('get_code_actions', { file_path: 'src/cart.ts', line: 4, character: 17 });
  expectGood('get_code_actions', listed);
  const ids = [...JSON.stringify(listed.data).matchAll(/"action_id":"([^"]+)"/g)].map(([, id]) => id);
  expect(ids.length).toBeGreaterThan(0);
  return ids.map((action_id) => ({ action_id }));
}

async function problemsIn(lspan: BuiltLspan): Promise<unknown> {
  const { data } = await lspan.call('get_diagnostics', { file_path: 'src/price.ts' });
  return data;
}

function expectGood(tool: string, { text, isError }: Answer): void {
  expect({ tool, text: isError ? text : '' }).toEqual({ tool, text: '' });
}
