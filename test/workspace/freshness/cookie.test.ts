import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Cookie } from '../../../src/workspace/freshness/cookie.ts';
import { unwaitedProcess } from '../../unwaited-process.ts';
import { temporaryFolder, writeFiles } from '../sandbox.ts';

/** The number of a process that has ended and was waited for. */
function deadPid(): number {
  const { pid, status } = spawnSync(process.execPath, ['--version']);
  expect(status).toBe(0);
  return pid;
}

/** Opens a cookie in a temporary directory of the test's own; gives what is in there then, but for the cookie. */
function openIn(temporary: string): string[] {
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const cookie = Cookie.open();
  const names = readdirSync(temporary).sort();
  const own = path.basename(cookie?.folder ?? '');
  expect(own).toMatch(new RegExp(`^lspan-${process.pid}-\\w{6}$`));
  expect(names).toContain(own);
  cookie?.close();
  expect(existsSync(path.join(temporary, own))).toBe(false);
  return names.filter((name) => name !== own);
}

describe.runIf(process.platform !== 'win32')('the folders of killed processes', () => {
  test('are removed when the next is opened', () => {
    const temporary = temporaryFolder();
    const dead = deadPid();
    mkdirSync(path.join(temporary, `lspan-${dead}-empty0`));
    writeFiles(temporary, { [`lspan-${dead}-Cookie/17`]: '' });
    writeFiles(temporary, { [`lspan-${dead}-cooki2/0`]: '', [`lspan-${dead}-cooki2/1`]: '' });
    expect(openIn(temporary)).toEqual([]);
  });

  test('are what a killed process leaves behind', () => {
    const temporary = temporaryFolder();
    const script = `
      const { mkdtempSync, writeFileSync } = require('node:fs');
      const folder = mkdtempSync(${JSON.stringify(temporary)} + '/lspan-' + process.pid + '-');
      writeFileSync(folder + '/0', '');
      process.kill(process.pid, 'SIGKILL');`;
    expect(spawnSync(process.execPath, ['-e', script]).signal).toBe('SIGKILL');
    expect(readdirSync(temporary)).toHaveLength(1);
    expect(openIn(temporary)).toEqual([]);
  });

  test.runIf(process.platform === 'linux')(
    'are removed also if the process is a zombie, which keeps its number',
    async () => {
      const temporary = temporaryFolder();
      writeFiles(temporary, { [`lspan-${await unwaitedProcess()}-cookie/1`]: '' });
      expect(openIn(temporary)).toEqual([]);
    },
  );

  test('are left alone while the process lives', () => {
    const temporary = temporaryFolder();
    writeFiles(temporary, { [`lspan-${process.pid}-cookie/1`]: '', [`lspan-${process.ppid}-cookie/1`]: '' });
    expect(openIn(temporary)).toHaveLength(2);
  });

  test.each<[string, (folder: string) => void]>([
    ['a file that is no cookie', (folder) => writeFiles(folder, { 'notes.txt': '' })],
    ['a cookie and something else', (folder) => writeFiles(folder, { '1': '', x: '' })],
    ['a file with content', (folder) => writeFiles(folder, { '1': 'precious' })],
    ['a folder', (folder) => mkdirSync(path.join(folder, '1'), { recursive: true })],
    [
      'a link',
      (folder) => {
        mkdirSync(folder);
        symlinkSync('/dev/null', path.join(folder, '1'));
      },
    ],
  ])('are left alone where they hold %s', (_, fill) => {
    const temporary = temporaryFolder();
    const folder = path.join(temporary, `lspan-${deadPid()}-cookie`);
    fill(folder);
    const before = readdirSync(folder);
    expect(openIn(temporary)).toEqual([path.basename(folder)]);
    expect(readdirSync(folder)).toEqual(before);
  });

  test('are never reached through a link', () => {
    const temporary = temporaryFolder();
    const elsewhere = temporaryFolder({ '1': '' });
    const link = `lspan-${deadPid()}-linked`;
    symlinkSync(elsewhere, path.join(temporary, link));
    expect(openIn(temporary)).toEqual([link]);
    expect(readdirSync(elsewhere)).toEqual(['1']);
  });

  test('are not mistaken for others with a similar name, nor for files', () => {
    const temporary = temporaryFolder();
    const dead = deadPid();
    const others = [`lspan-${dead}`, `lspan-${dead}-toolong`, `xlspan-${dead}-cookie`, 'lspan-0-cookie'];
    for (const name of [...others, 'lspan-test-cookie']) mkdirSync(path.join(temporary, name));
    writeFileSync(path.join(temporary, `lspan-${dead}-a_file`), '');
    writeFileSync(path.join(temporary, `lspan-${dead}-afile0`), '');
    expect(openIn(temporary)).toHaveLength(7);
  });

  test('of other users are left alone', () => {
    const temporary = temporaryFolder();
    const folder = `lspan-${deadPid()}-theirs`;
    mkdirSync(path.join(temporary, folder));
    vi.spyOn(process, 'getuid').mockReturnValue((process.getuid?.() ?? 0) + 1);
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    expect(openIn(temporary)).toEqual([folder]);
  });
});

test('a temporary directory that cannot be listed only costs the cookie', () => {
  vi.stubEnv('TMPDIR', path.join(temporaryFolder(), 'missing'));
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  expect(Cookie.open()).toBeUndefined();
});
