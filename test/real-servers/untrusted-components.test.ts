import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { openBridge } from '../../src/bridge.ts';
import { silent } from '../../src/core/log.ts';
import { servers } from '../../src/servers/index.ts';
import { patient } from '../patient.ts';
import { temporaryFolder } from '../workspace/sandbox.ts';

/** Opens a bridge over these files with only these servers. */
async function open(files: Readonly<Record<string, string>>, wanted: readonly string[]) {
  const root = realpathSync(temporaryFolder());
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text.replaceAll('<canary>', path.join(root, 'canary')));
  }
  const state = realpathSync(temporaryFolder());
  const bridge = await openBridge({
    roots: [root],
    surface: 'lspan',
    log: silent,
    environment: { ...process.env, XDG_STATE_HOME: state, XDG_CACHE_HOME: state },
    overrides: {
      ...patient,
      disabledServers: servers.map(({ id }) => id).filter((id) => !wanted.includes(id)),
    },
  });
  onTestFinished(() => bridge.close());
  return { bridge, root };
}

const commonjs = "require('node:fs').appendFileSync('<canary>', __filename);\nmodule.exports = [];\n";
const esm =
  "import fs from 'node:fs';\nfs.appendFileSync('<canary>', import.meta.url);\nexport default {};\n";
const evil = (name: string) => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, version: '5.0.0', main: 'index.js' }),
  [`node_modules/${name}/index.js`]: commonjs,
});

it('SUP-01 no linter and no server of components runs anything of a repository that is not trusted', async () => {
  const files = {
    ...evil('eslint'),
    ...evil('svelte'),
    ...evil('svelte/compiler'),
    ...evil('svelte-preprocess'),
    ...evil('prettier'),
    ...evil('typescript'),
    'node_modules/typescript/lib/tsserver.js': commonjs,
    'node_modules/typescript/lib/typescript.js': commonjs,
    ...evil('evil-plugin'),
    'eslint.config.js': commonjs,
    '.oxlintrc.json': '{ "jsPlugins": ["./plugin.js"] }',
    'plugin.js': esm,
    'svelte.config.js': esm,
    'vite.config.js': esm,
    'biome.json': '{ "plugins": ["./plugin.grit"] }',
    'plugin.grit': '`debugger` where { register_diagnostic(span=$program, message="seen") }',
    'tsconfig.json': JSON.stringify({
      compilerOptions: { plugins: [{ name: 'evil-plugin' }, { name: '../evil-plugin' }] },
      vueCompilerOptions: { plugins: ['evil-plugin', './node_modules/evil-plugin'] },
    }),
    'deno/deno.json': '{ "lint": { "plugins": ["./plugin.ts"] } }',
    'deno/plugin.ts': "Deno.writeTextFileSync('<canary>', 'run');\nthrow new Error('run');\n",
    'deno/main.ts': 'export const one = 1;\n',
    'main.ts': 'export const one = 1;\n',
    'App.vue': '<script setup lang="ts">\nconst one = 1;\n</script>\n',
    'App.svelte': '<script lang="ts">\n  const one = 1;\n</script>\n',
  };
  const wanted = ['eslint', 'oxlint', 'biome', 'deno', 'svelte', 'vue', 'vue-typescript', 'vtsls'];
  const { bridge, root } = await open(files, wanted);
  for (const file of ['main.ts', 'deno/main.ts', 'App.vue', 'App.svelte']) {
    await bridge.call('get_diagnostics', { file_path: file });
    await bridge.call('find_references', { file_path: file, symbol_name: 'one' });
    await bridge.call('get_document_symbols', { file_path: file });
  }
  expect(existsSync(path.join(root, 'canary'))).toBe(false);
}, 240_000);

it('Biome and its daemon end with lspan, and leave no folder behind', async () => {
  const { bridge } = await open({ 'biome.json': '{}', 'a.ts': 'debugger;\n' }, ['biome']);
  const { data } = await bridge.call('get_diagnostics', { file_path: 'a.ts' });
  expect(data).toMatchObject({ total: 1, complete: true });
  const status = await bridge.call('get_server_status', {});
  const [{ pid }] = z.object({ servers: z.tuple([z.object({ pid: z.int() })]) }).parse(status.data).servers;
  const folder = /XDG_CACHE_HOME=([^\0]+)/.exec(ofProcess(pid, 'environ'))?.[1] ?? '';
  expect(existsSync(folder)).toBe(true);
  expect(daemonsOver(folder)).toHaveLength(1);
  await bridge.close();
  expect(daemonsOver(folder)).toEqual([]);
  expect(existsSync(folder)).toBe(false);
}, 120_000);

/** The processes of Biome whose log is written into this folder. */
function daemonsOver(folder: string): readonly string[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return processes.filter((pid) => ofProcess(pid, 'cmdline').includes(`--log-path=${folder}`));
}

function ofProcess(pid: number | string, what: 'cmdline' | 'environ'): string {
  const file = `/proc/${pid}/${what}`;
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
