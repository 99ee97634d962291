import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { readCodeFile, writeCodeFile } from '../../src/frontends/code-file.ts';

const bin = path.resolve(import.meta.dirname, '../../dist/bin.js');

let folder = '';
let project = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'lspan-code-cache-'));
  project = path.join(folder, 'project');
  mkdirSync(project);
  writeFileSync(path.join(project, 'tsconfig.json'), '{}');
  writeFileSync(path.join(project, 'a.ts'), 'export const alpha = 1;\nexport const beta = alpha;\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function environment(more: Readonly<Record<string, string>>) {
  const own = { XDG_CACHE_HOME: path.join(folder, 'cache'), XDG_STATE_HOME: path.join(folder, 'state') };
  return { ...process.env, ...own, ...more };
}

/** Calls a tool in a process of its own, and returns what it printed. */
function call(more: Readonly<Record<string, string>> = {}, script = bin): string {
  const words = ['call', 'find_references', '{"symbol_name":"alpha","file_path":"a.ts"}', '-w', project];
  const env = environment(more);
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...words, '--no-daemon'], {
    env,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return stdout;
}

/** Copies the built program, so that it can be changed; returns the folder of its package. */
function copyOfProgram(): string {
  const copy = path.join(folder, 'copy');
  cpSync(path.dirname(bin), path.join(copy, 'dist'), { recursive: true });
  symlinkSync(path.resolve(bin, '../../node_modules'), path.join(copy, 'node_modules'));
  cpSync(path.resolve(bin, '../../package.json'), path.join(copy, 'package.json'));
  return copy;
}

const codeFolder = () => path.join(folder, 'cache/lspan/code');
const files = () => readdirSync(codeFolder()).map((name) => path.join(codeFolder(), name));
const stamps = () => files().map((file) => [file, statSync(file).ino]);

const answer = /^2 references in 1 file\na\.ts\n/;

describe('compiled code', () => {
  it('is kept by the first process, and left as it is by the next one, which answers the same', () => {
    const first = call();
    expect(first).toMatch(answer);
    const kept = stamps();
    expect(kept).toHaveLength(1);
    expect(statSync(codeFolder()).mode & 0o777).toBe(0o700);
    expect(call()).toBe(first);
    expect(stamps()).toEqual(kept);
  });

  it('that is damaged is compiled anew, and replaced', () => {
    const first = call();
    const [file = ''] = files();
    const whole = readFileSync(file);
    writeFileSync(file, Buffer.from(whole).fill(0, 200, 4_000));
    expect(call()).toBe(first);
    const { length } = whole;
    expect(readFileSync(file).subarray(200, 4_000).equals(Buffer.alloc(3_800))).toBe(false);
    writeFileSync(file, whole.subarray(0, length / 2));
    expect(call()).toBe(first);
    expect(statSync(file).size).toBeGreaterThan(length / 2);
  });

  it('that V8 refuses is compiled anew, and replaced', () => {
    const first = call();
    const [file = ''] = files();
    const { work, modules } = readCodeFile(file);
    const garbage = new Map(
      Array.from(modules, ([name, { stamp }]) => [name, { stamp, code: Buffer.alloc(64, 1) }]),
    );
    rmSync(file);
    writeCodeFile(file, { work, modules: garbage });
    expect(call()).toBe(first);
    expect([...readCodeFile(file).modules.values()].every(({ code }) => code.length > 64)).toBe(true);
  });

  it('is not kept by a process whose program was replaced meanwhile', () => {
    const copy = copyOfProgram();
    const upgrade = path.join(folder, 'upgrade.cjs');
    const file = JSON.stringify(path.join(copy, 'dist/build-id'));
    writeFileSync(upgrade, `process.once('exit', () => require('fs').writeFileSync(${file}, 'another'));`);
    const script = path.join(copy, 'dist/bin.js');
    expect(call({ NODE_OPTIONS: `--require ${JSON.stringify(upgrade)}` }, script)).toMatch(answer);
    expect(() => files()).toThrow(/ENOENT/);
    expect(call({}, script)).toMatch(answer);
    expect(files()).toHaveLength(1);
  });

  it('of a module whose text has changed is not used, though its length is the same', () => {
    const script = path.join(copyOfProgram(), 'dist/bin.js');
    const help = () =>
      spawnSync(process.execPath, [script, 'status'], { env: environment({}), encoding: 'utf8' });
    expect(help().stdout).toContain('No daemon is running');
    const chunks = path.join(path.dirname(script), 'chunks');
    for (const name of readdirSync(chunks)) {
      const text = readFileSync(path.join(chunks, name), 'utf8');
      const changed = text.replaceAll('No daemon is running', 'NO DAEMON IS RUNNING');
      if (changed !== text) writeFileSync(path.join(chunks, name), changed);
    }
    expect(help().stdout).toContain('NO DAEMON IS RUNNING');
  });

  it('does not keep a process from its indexes', () => {
    const list = () =>
      spawnSync(process.execPath, [bin, 'index', 'list'], { env: environment({}), encoding: 'utf8' });
    mkdirSync(path.join(folder, 'state/lspan/index'), { recursive: true, mode: 0o700 });
    const [first, second] = [list(), list()];
    expect(first.stderr).toBe('');
    expect(second).toMatchObject({ status: first.status, stdout: first.stdout, stderr: '' });
  });

  it('is not waited for where a pipe has its name', () => {
    call();
    const [file = ''] = files();
    rmSync(file);
    spawnSync('mkfifo', ['-m', '600', file]);
    expect(call()).toMatch(answer);
  });

  it('is not needed: a folder that cannot be made is done without', () => {
    mkdirSync(path.dirname(codeFolder()), { recursive: true });
    writeFileSync(codeFolder(), 'no folder');
    expect(call()).toMatch(answer);
  });

  it('is neither used nor kept where the user of Node wants none', () => {
    expect(call({ NODE_DISABLE_COMPILE_CACHE: '1' })).toMatch(answer);
    expect(() => files()).toThrow(/ENOENT/);
  });

  it('of other builds and settings makes room', () => {
    mkdirSync(codeFolder(), { recursive: true });
    for (let index = 0; index < limits.codeCache.files + 3; index += 1)
      writeFileSync(path.join(codeFolder(), `other-${index}`), '');
    expect(call()).toMatch(answer);
    expect(files()).toHaveLength(limits.codeCache.files);
    expect(files().some((file) => !path.basename(file).startsWith('other-'))).toBe(true);
  });
});
