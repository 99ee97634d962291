import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readClientFile, writeClientFile } from '../../../src/frontends/setup/client-file.ts';
import { makePipe, temporaryFolder } from '../../config/temporary-folder.ts';
import { openSetupShell } from './setup-shell.ts';

const words = 'gemini-cli --yes';
const file = '.gemini/settings.json';

describe('a file that is a link', () => {
  it('is written where it leads to, and stays a link', async () => {
    const { run, read, at } = openSetupShell({ 'dotfiles/gemini.json': '{\n  "a": 1\n}\n', '.gemini/x': '' });
    symlinkSync('../dotfiles/gemini.json', at(file));
    const { told } = await run(words);
    expect(told).toContain('~/.gemini/settings.json is a link: ~/dotfiles/gemini.json is written.');
    expect(readlinkSync(at(file))).toBe('../dotfiles/gemini.json');
    expect(read('dotfiles/gemini.json')).toContain('"lspan"');
    await run(`${words} --remove`);
    expect(read('dotfiles/gemini.json')).toBe('{\n  "a": 1\n}\n');
    expect(lstatSync(at(file)).isSymbolicLink()).toBe(true);
  });

  it('is refused if nothing is there, or if it leads to itself', async () => {
    const { run, at } = openSetupShell({ '.gemini/x': '' });
    symlinkSync('nowhere', at(file));
    expect(await run(words)).toEqual({
      code: 1,
      told: 'Gemini CLI: ~/.gemini/settings.json is a link to something that does not exist.\n',
    });
    expect(readlinkSync(at(file))).toBe('nowhere');
  });

  it('is refused if it leads out of the project, as a repository could arrange', async () => {
    const { run, read, at } = openSetupShell({ '.bashrc': '{}', 'project/.cursor/x': '' });
    symlinkSync('../../.bashrc', at('project/.cursor/mcp.json'));
    const { code, told } = await run('cursor --scope project --yes');
    expect(code).toBe(1);
    expect(told).toBe('Cursor: ~/project/.cursor/mcp.json leads out of the project, to ~/.bashrc.\n');
    expect(read('.bashrc')).toBe('{}');
  });

  it('is refused if a folder of it leads out of the project', async () => {
    const { run, at } = openSetupShell({ 'elsewhere/x': '' });
    symlinkSync('../elsewhere', at('project/.cursor'));
    const { code, told } = await run('cursor --scope project --yes --rules');
    expect(code).toBe(1);
    expect(told).toContain('leads out of the project, to ~/elsewhere/mcp.json');
    expect(readdirSync(at('elsewhere'))).toEqual(['x']);
  });
});

describe('a file that cannot be changed safely', () => {
  const cases: readonly (readonly [string, RegExp, (at: string) => void])[] = [
    ['a folder', /is a folder/, (at) => mkdirSync(at)],
    ['a pipe', /is not a regular file/, makePipe],
    ['not UTF-8', /is not UTF-8 text/, (at) => writeFileSync(at, Buffer.from([0x7b, 0xff, 0x7d]))],
    ['UTF-16', /is not UTF-8 text/, (at) => writeFileSync(at, Buffer.from('\ufeff{}', 'utf16le'))],
    [
      'a hard link',
      /has a second name/,
      (at) => {
        writeFileSync(at, '{}');
        linkSync(at, `${at}.other`);
      },
    ],
  ];

  it.each(cases)('%s: is refused with the reason', async (_, reason, make) => {
    const { run, at } = openSetupShell({ '.gemini/x': '' });
    make(at(file));
    const { code, told } = await run(words);
    expect(code).toBe(1);
    expect(told).toMatch(reason);
  });

  it('a path below a file is refused', async () => {
    const { run } = openSetupShell({ '.gemini': 'not a folder' });
    expect(await run(words)).toMatchObject({
      code: 1,
      told: expect.stringContaining('is below something that is not a folder'),
    });
  });

  it('a file or folder of another user is refused, and nothing is left beside it', async () => {
    const { at } = openSetupShell({ [file]: '{}' });
    // Root may do anything, so another user tries.
    const other = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    if (process.getuid?.() === 0) chmodSync(path.dirname(at('x')), 0o755);
    chmodSync(at(file), 0o444);
    const env = { HOME: at(''), XDG_STATE_HOME: temporaryFolder(), PATH: process.env.PATH };
    chmodSync(env.XDG_STATE_HOME, 0o777);
    // That user may not see the folder that the tests run in.
    const program = temporaryFolder();
    chmodSync(program, 0o755);
    cpSync(path.resolve(import.meta.dirname, '../../../dist'), path.join(program, 'dist'), {
      recursive: true,
    });
    const bin = path.join(program, 'dist/bin.js');
    const asked = promisify(execFile)(process.execPath, [bin, 'setup', 'gemini-cli', '--yes'], {
      cwd: '/tmp',
      env,
      ...other,
    });
    await expect(asked).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('may not be read and written by this user'),
    });
    expect(readFileSync(at(file), 'utf8')).toBe('{}');
    expect(readdirSync(at('.gemini'))).toEqual(['settings.json']);
  });
});

describe('writing', () => {
  it('keeps mode and owner, and leaves no draft', async () => {
    const { run, at } = openSetupShell({ [file]: '{}' });
    if (process.getuid?.() === 0) chownSync(at(file), 1234, 4321);
    chmodSync(at(file), 0o640);
    const { uid, gid } = statSync(at(file));
    expect(await run(words)).toMatchObject({ code: 0 });
    expect(statSync(at(file))).toMatchObject({ uid, gid });
    expect(statSync(at(file)).mode & 0o777).toBe(0o640);
    expect(readdirSync(at('.gemini'))).toEqual(['settings.json']);
  });

  it('does not happen if the file has changed since it was read', () => {
    const { at } = openSetupShell({ [file]: '{}' });
    const read = readClientFile(at(file));
    writeFileSync(at(file), '{"mine": 1}');
    expect(() => writeClientFile(read, 'new')).toThrow('has changed meanwhile: nothing was written');
    expect(readFileSync(at(file), 'utf8')).toBe('{"mine": 1}');
    expect(readdirSync(at('.gemini'))).toEqual(['settings.json']);
  });

  it('does not happen if the file was made, or became a link, since it was looked for', () => {
    const { at } = openSetupShell({ 'other.json': '{}' });
    const read = readClientFile(at('.gemini/settings.json'));
    mkdirSync(at('.gemini'));
    symlinkSync('../other.json', at(file));
    expect(() => writeClientFile(read, 'new')).toThrow('has changed meanwhile');
    expect(readFileSync(at('other.json'), 'utf8')).toBe('{}');
  });

  it('makes missing folders, and takes them away again with the file', async () => {
    const { run, at, read } = openSetupShell();
    expect(await run('kiro --yes')).toMatchObject({ code: 0 });
    expect(read('.kiro/settings/mcp.json')).toContain('lspan');
    await run('kiro --yes --remove');
    expect(readdirSync(at(''))).not.toContain('.kiro');
  });
});
