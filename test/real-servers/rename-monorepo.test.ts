import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openBridge } from '../../src/bridge.ts';
import { silent } from '../../src/core/log.ts';
import { patient } from '../patient.ts';
import { temporaryFolder } from '../workspace/sandbox.ts';
import { type Monorepo, monorepo, sharedName, type Wish, writeMonorepo } from './monorepo.ts';

/** With the servers that must stand back. */
const servers = {
  typescript: ['typescript-language-server', 'vtsls'],
  'typescript-language-server': ['typescript', 'vtsls'],
} as const;

const arrangements = [
  'relative imports',
  'project references',
  'linked workspaces',
  'paths in a base configuration',
] as const;

describe.each(arrangements)('30 packages with %s, of which 25 use one function', (arrangement) => {
  it('are renamed in 26 files by the very first call after a cold start, and compile', async () => {
    await expectRenamed({ arrangement }, 'typescript');
  }, 120_000);
});

it('typescript-language-server renames in 26 files at the very first call, and all compiles', async () => {
  await expectRenamed({ arrangement: 'relative imports' }, 'typescript-language-server');
}, 120_000);

async function expectRenamed(wish: Wish, server: keyof typeof servers): Promise<void> {
  const { bridge, made, root } = await open(wish, server);
  expect(compile(root)).toBe('');
  const input = { symbol_name: sharedName, new_name: 'commonGreeting', dry_run: false, max_tokens: 20_000 };
  const { data, text } = await bridge.call('rename_symbol', input);
  expect(data, text).toMatchObject({
    complete: true,
    edit: { files: expect.any(Array), introduced: [], fixed: [], settled: true },
  });
  const edit: { files: { file_path: string; edits: number }[] } = JSON.parse(JSON.stringify(data.edit));
  const places = edit.files.flatMap(({ file_path, edits }) => Array<string>(edits).fill(file_path));
  expect(places.sort()).toEqual(made.places.map((place) => place.replace(/:\d+$/, '')).sort());
  expect(new Set(places).size).toBe(26);
  for (const file of Object.keys(made.files))
    expect(readFileSync(path.join(root, file), 'utf8')).toBe(renamed(made, file));
  expect(compile(root)).toBe('');
}

function renamed({ files }: Monorepo, file: string): string {
  return (files[file] ?? '').replaceAll(sharedName, 'commonGreeting');
}

/** What the compiler complains of when it looks at all packages as one project. */
function compile(root: string): string {
  const folder = path.dirname(createRequire(import.meta.url).resolve('typescript-7/package.json'));
  const file = path.join(root, 'tsconfig.whole.json');
  const compilerOptions = {
    ...{
      strict: true,
      noEmit: true,
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
      types: [],
    },
    paths: { '@mono/*': ['./packages/*/src/index.ts'] },
  };
  writeFileSync(file, JSON.stringify({ compilerOptions, include: ['packages/*/src'] }));
  const { stdout } = spawnSync(process.execPath, [path.join(folder, 'bin/tsc'), '-p', file], {
    encoding: 'utf8',
  });
  rmSync(file);
  return stdout;
}

/** A bridge on a monorepo that nobody has looked at before. */
async function open(wish: Wish, server: keyof typeof servers) {
  const root = temporaryFolder();
  const made = monorepo(wish);
  writeMonorepo(root, made);
  const bridge = await openBridge({
    roots: [root],
    surface: 'lspan',
    log: silent,
    overrides: { ...patient, disabledServers: servers[server] },
    environment: { ...process.env, XDG_STATE_HOME: temporaryFolder() },
  });
  onTestFinished(() => bridge.close({ hurried: true }));
  return { bridge, made, root };
}
