import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Bridge, openBridge } from '../../src/bridge.ts';
import { silent } from '../../src/core/log.ts';
import { patient } from '../patient.ts';
import { temporaryFolder } from '../workspace/sandbox.ts';
import { oldName, renamed, type WideProject, wideProject } from './wide-project.ts';

const newName = 'shared_survey';
const lastName = 'measured';

async function open(project: WideProject): Promise<{ readonly root: string; readonly bridge: Bridge }> {
  const root = temporaryFolder(project.files);
  const bridge = await openBridge({ roots: [root], surface: 'lspan', log: silent, overrides: patient });
  onTestFinished(() => bridge.close({ hurried: true }));
  return { root, bridge };
}

function rename(bridge: Bridge, { holder }: WideProject, from: string, to: string) {
  const input = { file_path: holder, symbol_name: from, new_name: to, dry_run: false };
  return bridge.call('rename_symbol', input);
}

/** What is on the disk, by path. */
function read(root: string, { files }: WideProject): Record<string, string> {
  return Object.fromEntries(
    Object.keys(files).map((name) => [name, readFileSync(path.join(root, name), 'utf8')]),
  );
}

/** What ought to be there. */
function expected({ files }: WideProject, name: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([file, bytes]) => [file, renamed(bytes, name).toString('utf8')]),
  );
}

const resolve = createRequire(import.meta.url).resolve;
const checkers = {
  typescript: [path.join(path.dirname(resolve('typescript-7/package.json')), 'bin/tsc'), '-p'],
  python: [path.join(path.dirname(resolve('pyright/package.json')), 'index.js'), '-p'],
};

function expectToCompile(root: string, language: keyof typeof checkers): void {
  const { status, stdout } = spawnSync(process.execPath, [...checkers[language], root], { encoding: 'utf8' });
  expect({ status, stdout: status === 0 ? '' : stdout }).toEqual({ status: 0, stdout: '' });
}

describe.each(['typescript', 'python'] as const)(
  'a function that 100 modules in 10 packages use, in %s',
  (language) => {
    it('is renamed in all of them by the first call, no other byte changes, and the project compiles before and after', async () => {
      const project = wideProject(language, 100);
      const { root, bridge } = await open(project);
      expectToCompile(root, language);
      const { text, data, isError } = await rename(bridge, project, oldName, newName);
      expect({ text: isError ? text : '' }).toEqual({ text: '' });
      expect(data).toMatchObject({ edit: { introduced: [], fixed: [] }, complete: true });
      expect(read(root, project)).toEqual(expected(project, newName));
      expectToCompile(root, language);
      expect((await bridge.call('undo_edit', {})).isError).toBe(false);
      expect(read(root, project)).toEqual(expected(project, oldName));
    }, 120_000);
  },
);

describe.each(['typescript', 'python'] as const)('a function that 58 modules use, in %s', (language) => {
  it('is renamed rightly after another process has inserted lines into three of the files, and at once again', async () => {
    const project = wideProject(language, 58);
    const { root, bridge } = await open(project);
    // Warm, so that a server that kept the old texts would show.
    await bridge.call('find_references', { file_path: project.holder, symbol_name: oldName });
    const [first = '', , third = '', , fifth = ''] = Object.keys(project.files).filter((name) =>
      name.includes('module'),
    );
    const comment = language === 'python' ? '# one more line' : '// one more line';
    const changed = Object.fromEntries(
      Object.entries(project.files).map(([name, bytes]) => [
        name,
        [first, third, fifth].includes(name) ? inserted(bytes, comment) : bytes,
      ]),
    );
    writeElsewhere(root, changed);
    const now = { ...project, files: changed };
    expect((await rename(bridge, project, oldName, newName)).isError).toBe(false);
    expect(read(root, now)).toEqual(expected(now, newName));
    expect((await rename(bridge, project, newName, lastName)).isError).toBe(false);
    expect(read(root, now)).toEqual(expected(now, lastName));
  }, 120_000);

  it('EDT-14 is not renamed at all where one of the files is read-only, and the error names it', async () => {
    const project = wideProject(language, 58);
    const { root, bridge } = await open(project);
    const locked = Object.keys(project.files).at(-7) ?? '';
    chmodSync(path.join(root, locked), 0o444);
    const { text, isError } = await rename(bridge, project, oldName, newName);
    expect({ isError, names: text.includes(locked) }).toEqual({ isError: true, names: true });
    expect(read(root, project)).toEqual(expected(project, oldName));
  }, 120_000);
});

it('EDT-16 a process that edits files while they are renamed loses nothing that it wrote', async () => {
  const project = wideProject('typescript', 58);
  const { root, bridge } = await open(project);
  await bridge.call('find_references', { file_path: project.holder, symbol_name: oldName });
  const raced = Object.keys(project.files).filter((name) => /module-[1-5]\.ts$/.test(name));
  const racer = startRacer(root, raced);
  const outcomes: boolean[] = [];
  let [from, to] = [oldName, newName];
  for (let round = 0; round < 5; round += 1) {
    const { isError } = await rename(bridge, project, from, to);
    outcomes.push(!isError);
    const quiet = read(root, project);
    const steady = Object.entries(quiet).filter(([name]) => name.includes('module') && !raced.includes(name));
    // All or nothing: what nobody else writes to has one name everywhere.
    expect(steady.filter(([, text]) => text.includes(isError ? to : from))).toEqual([]);
    if (!isError) [from, to] = [to, from];
  }
  const written = await racer.stop();
  const texts = read(root, project);
  for (const [name, marks] of Object.entries(written)) {
    expect(marks.filter((mark) => !texts[name]?.includes(mark))).toEqual([]);
  }
}, 120_000);

/** The second line is a new one, ended as the first is. */
function inserted(bytes: Buffer, line: string): Buffer {
  const text = bytes.toString('utf8');
  const ending = text.includes('\r\n') ? '\r\n' : '\n';
  const at = text.indexOf(ending) + ending.length;
  return Buffer.from(`${text.slice(0, at)}${line}${ending}${text.slice(at)}`);
}

function writeElsewhere(root: string, files: Readonly<Record<string, Buffer>>): void {
  const script = `const fs = require('node:fs');
    for (const [name, text] of JSON.parse(fs.readFileSync(0, 'utf8'))) fs.writeFileSync(name, text);`;
  const input = Object.entries(files).map(([name, bytes]) => [path.join(root, name), bytes.toString('utf8')]);
  const { status } = spawnSync(process.execPath, ['-e', script], { input: JSON.stringify(input) });
  expect(status).toBe(0);
}

/** Another process that goes on adding lines to files, and tells which. */
function startRacer(root: string, names: readonly string[]) {
  const script = `const fs = require('node:fs');
    const [root, ...names] = process.argv.slice(1);
    let going = true;
    process.stdin.on('data', () => { going = false; }).on('end', () => { going = false; });
    const written = Object.fromEntries(names.map((name) => [name, []]));
    let count = 0;
    const step = () => {
      for (const name of names) {
        const file = root + '/' + name;
        const mark = '// racer ' + (count += 1) + ';';
        fs.appendFileSync(file, '\\n' + mark + '\\n');
        written[name].push(mark);
      }
      if (going && count < 5000) setTimeout(step, 20);
      else process.stdout.write(JSON.stringify(written));
    };
    step();`;
  const child = spawn(process.execPath, ['-e', script, root, ...names], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let told = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    told += text;
  });
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  return {
    async stop(): Promise<Record<string, readonly string[]>> {
      child.stdin.end();
      await ended;
      return JSON.parse(told);
    },
  };
}
