import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openBridge } from '../../src/bridge.ts';
import { silent } from '../../src/core/log.ts';
import { patient } from '../patient.ts';
import { temporaryFolder, writeFiles } from '../workspace/sandbox.ts';

/** How each package manager is told which folders are packages. */
const managers = {
  npm: { 'package.json': '{ "private": true, "workspaces": ["packages/*"] }' },
  pnpm: {
    'package.json': '{ "private": true }',
    'pnpm-workspace.yaml': 'packages:\n  - "packages/*"\n',
  },
  yarn: { 'package.json': '{ "private": true, "workspaces": { "packages": ["packages/*"] } }' },
} as const;

const declared = 'export declare function makeThing(n: number): string;\n';
const map = (file: string, source: string) =>
  `${JSON.stringify({ version: 3, file, sourceRoot: '', sources: [source], names: [], mappings: 'AAAA,wBAAgB' })}\n`;

/** What is in the folder of built files, which is ignored. */
const builds = {
  'not built': {},
  'half built': { 'packages/a/dist/index.d.ts': "export * from './thing.js';\n" },
  'built without maps': {
    'packages/a/dist/index.d.ts': "export * from './thing.js';\n",
    'packages/a/dist/index.js': "export * from './thing.js';\n",
    'packages/a/dist/thing.d.ts': declared,
    'packages/a/dist/thing.js': 'export function makeThing(n) {\n  return String(n);\n}\n',
  },
  'built with maps': {
    'packages/a/dist/index.d.ts': "export * from './thing.js';\n",
    'packages/a/dist/thing.d.ts': `${declared}//# sourceMappingURL=thing.d.ts.map\n`,
    'packages/a/dist/thing.d.ts.map': map('thing.d.ts', '../src/thing.ts'),
  },
} as const;

/** Links to the package, and where each leads. */
const links = {
  'nothing installed': {},
  'linked in the root': { 'node_modules/@x/a': '../../packages/a' },
  'linked in the package': { 'packages/b/node_modules/@x/a': '../../../a' },
} as const;

const config = (options = '') =>
  `{ "compilerOptions": { "lib": ["es2022"], "strict": true, "module": "nodenext", "types": []${options} }, "include": ["src"] }`;
const sources = {
  '.gitignore': 'node_modules/\ndist/\n',
  'packages/a/package.json':
    '{ "name": "@x/a", "version": "1.0.0", "type": "module", "exports": { ".": { "types": "./dist/index.d.ts", "default": "./dist/index.js" } } }',
  'packages/a/tsconfig.json': config(', "outDir": "dist", "rootDir": "src", "declaration": true'),
  'packages/a/src/index.ts': "export * from './thing.js';\n",
  'packages/a/src/thing.ts': 'export function makeThing(n: number): string {\n  return String(n);\n}\n',
  'packages/b/package.json':
    '{ "name": "@x/b", "version": "1.0.0", "type": "module", "dependencies": { "@x/a": "*" } }',
  'packages/b/tsconfig.json': config(),
  'packages/b/src/index.ts': "import { makeThing } from '@x/a';\nexport const used = makeThing(1);\n",
};
const definition = { file_path: 'packages/a/src/thing.ts', line: 1, character: 17 };

type Manager = keyof typeof managers;
type Build = keyof typeof builds;
type Links = keyof typeof links;

/** A bridge on TypeScript 7 over a workspace of two packages. */
async function open(manager: Manager, build: Build, linked: Links) {
  const root = realpathSync(temporaryFolder());
  writeFiles(root, { ...managers[manager], ...sources, ...builds[build] });
  for (const [from, to] of Object.entries(links[linked])) {
    mkdirSync(path.dirname(path.join(root, from)), { recursive: true });
    symlinkSync(to, path.join(root, from));
  }
  const overrides = { ...patient, disabledServers: ['typescript-language-server'] };
  const bridge = await openBridge({ roots: [root], surface: 'lspan', log: silent, overrides });
  onTestFinished(() => bridge.close());
  return bridge;
}

const variants = (Object.keys(builds) as readonly Build[]).flatMap((build) =>
  (Object.keys(links) as readonly Links[]).map((linked, index) => [build, linked, index] as const),
);

describe.each(variants)('packages that are %s, with %s', (build, linked, index) => {
  // What a manager writes differs only in the manifests, so each takes its turn.
  const manager = (['npm', 'pnpm', 'yarn'] as const)[(index + build.length) % 3] ?? 'npm';

  it(`of a workspace of ${manager}: uses in the other package are found, kept from deletion, and renamed`, async () => {
    const bridge = await open(manager, build, linked);
    const uses = await bridge.call('find_references', definition);
    expect(uses.data).toMatchObject({
      complete: true,
      references: [
        { file_path: 'packages/a/src/thing.ts', line: 1 },
        { file_path: 'packages/b/src/index.ts', line: 1 },
        { file_path: 'packages/b/src/index.ts', line: 2 },
      ],
    });
    const callers = await bridge.call('get_call_hierarchy', { ...definition, direction: 'incoming' });
    expect(callers.data).toMatchObject({
      complete: true,
      calls: [{ sites: [{ file_path: 'packages/b/src/index.ts', line: 2 }] }],
    });
    const removed = await bridge.call('edit_symbol', {
      file_path: definition.file_path,
      symbol_name: 'makeThing',
      action: 'delete',
    });
    expect(removed.data).toMatchObject({ error: { code: 'refused' } });
    const there = await bridge.call('find_definition', {
      file_path: 'packages/b/src/index.ts',
      line: 2,
      character: 21,
    });
    // Without a map, the built declaration is listed too.
    expect(there.data.definitions).toContainEqual(
      expect.objectContaining({ file_path: 'packages/a/src/thing.ts', line: 1 }),
    );
    const renamed = await bridge.call('rename_symbol', {
      ...definition,
      new_name: 'makeOther',
      check: false,
    });
    expect(renamed.data).toMatchObject({
      complete: true,
      plan: {
        files: [
          { file_path: 'packages/a/src/thing.ts', edits: 1 },
          { file_path: 'packages/b/src/index.ts', edits: 2 },
        ],
      },
    });
  });
});
