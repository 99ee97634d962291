import { execFile } from 'node:child_process';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../test-bridge.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Prints where the fake server is, and the state of the server that ships with lspan. */
const program = `
import { startClient } from '${root}/dist/lsp.mjs';
import { fakeServer } from '${root}/dist/testing.mjs';
const told = ({ code, message, nextStep }) => ({ code, message, nextStep });
async function main() {
  const client = await startClient({ workspace: process.argv[2], server: 'typescript' });
  const { state, command, lastErrors } = (await client.status())[0];
  await client.close();
  let fake;
  try {
    const made = fakeServer();
    made.close();
    fake = made.command[1];
  } catch (error) {
    fake = told(error);
  }
  console.log(JSON.stringify({ state, command, lastErrors, fake }));
}
void main();
`;

/** How bundlers replace `import.meta.url`, as seen in esbuild, rolldown and webpack. */
const ways = {
  'and keeps import.meta.url': { format: 'esm' },
  'into CommonJS without import.meta.url': { format: 'cjs', define: { 'import.meta.url': 'undefined' } },
  'with a path of another machine': {
    format: 'esm',
    // It also defines a CommonJS name that does not exist.
    define: {
      'import.meta.url': '"file:///of/another/machine/lspan.mjs"',
      'typeof __filename': '"string"',
    },
  },
} as const;

describe('a program that bundles lspan', () => {
  it.each(Object.entries(ways))('%s finds the files of lspan in node_modules above it', async (_, way) => {
    const folder = realpathSync(temporaryFolder('lspan-bundled-'));
    mkdirSync(path.join(folder, 'node_modules'));
    symlinkSync(root, path.join(folder, 'node_modules/lspan'));
    const told = await run(folder, await bundleInto(folder, way));
    expect(told).toMatchObject({
      state: 'not_started',
      command: expect.stringContaining(path.join(root, 'node_modules')),
      fake: path.join(root, 'dist/fake-server/bin.js'),
    });
  });

  it('as an editor extension, which another program loads, finds them too', async () => {
    const folder = realpathSync(temporaryFolder('lspan-bundled-'));
    mkdirSync(path.join(folder, 'extension/node_modules'), { recursive: true });
    symlinkSync(root, path.join(folder, 'extension/node_modules/lspan'));
    const way = ways['into CommonJS without import.meta.url'];
    await bundleInto(path.join(folder, 'extension'), way);
    const editor = path.join(folder, 'editor.cjs');
    writeFileSync(editor, "require('./extension/out/program.cjs');\n");
    expect(await run(folder, editor)).toMatchObject({
      state: 'not_started',
      fake: path.join(root, 'dist/fake-server/bin.js'),
    });
  });

  it('without the package gets an error with a next step', async () => {
    const folder = realpathSync(temporaryFolder('lspan-bundled-'));
    const file = await bundleInto(path.join(folder, 'program'), { format: 'esm' });
    // Another user may own the folders above a program.
    writeFileSync(path.join(folder, 'package.json'), '"lspan", but no JSON');
    mkdirSync(path.join(folder, 'program/package.json'));
    const helps = expect.stringContaining('Mark lspan as external in your bundler');
    expect(await run(folder, file)).toMatchObject({
      state: 'not_installed',
      lastErrors: [helps],
      fake: { code: 'not_installed', nextStep: helps },
    });
  });
});

describe('a repository that calls itself lspan is not taken for the package', () => {
  const evil = () => {
    const folder = realpathSync(temporaryFolder('lspan-evil-'));
    mkdirSync(path.join(folder, 'dist/fake-server'), { recursive: true });
    writeFileSync(path.join(folder, 'package.json'), '{ "name": "lspan" }');
    for (const file of ['dist/fake-server/bin.js', 'dist/lspan.mjs', '-'])
      writeFileSync(path.join(folder, file), "throw new Error('run');\n");
    return folder;
  };
  const nothing = { state: 'not_installed', fake: { code: 'not_installed' } };
  const bundled = (way: Way) => bundleInto(realpathSync(temporaryFolder('lspan-bundled-')), way);
  const elsewhere = ways['with a path of another machine'];

  it('if a program given with `-e` has a file of it as argument', async () => {
    const [folder, file] = [evil(), await bundled(elsewhere)];
    const code = `import(${JSON.stringify(file)})`;
    expect(await run(folder, '-e', code, path.join(folder, 'dist/lspan.mjs'))).toMatchObject(nothing);
  });

  it.each(['dist/lspan.mjs', '-'])('in a packaged Electron program: %s', async (argument) => {
    const [folder, file] = [evil(), await bundled(elsewhere)];
    const given = argument === '-' ? argument : path.join(folder, argument);
    // Its own arguments are where Node has the script.
    const electron = argument === '-' ? '' : "process.type = 'browser';";
    const preload = `data:text/javascript,${electron}process.argv[1] = ${JSON.stringify(given)};`;
    expect(await run(folder, '--import', preload, file)).toMatchObject(nothing);
  });

  it('if it is at a path that a bundler embedded on another machine', async () => {
    const folder = evil();
    const noted = JSON.stringify(`file://${folder}/dist/lspan.mjs`);
    const program = realpathSync(temporaryFolder('lspan-bundled-'));
    mkdirSync(path.join(program, 'node_modules'));
    symlinkSync(root, path.join(program, 'node_modules/lspan'));
    const file = await bundleInto(program, { format: 'cjs', define: { 'import.meta.url': noted } });
    expect(await run(folder, file)).toMatchObject({ state: 'not_started' });
  });
});

interface Way {
  readonly format: 'esm' | 'cjs';
  readonly define?: Readonly<Record<string, string>>;
}

async function bundleInto(folder: string, { format, define = {} }: Way): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const input = path.join(folder, 'program.mjs');
  writeFileSync(input, program);
  const file = path.join(folder, 'out', format === 'esm' ? 'program.mjs' : 'program.cjs');
  const build = await rolldown({ input, platform: 'node', transform: { define: { ...define } } });
  await build.write({ file, format, codeSplitting: false });
  await build.close();
  return file;
}

async function run(folder: string, ...program: string[]): Promise<unknown> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [...program, folder], {
    cwd: folder,
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}
