import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { createIgnoreRules } from '../../../src/workspace/freshness/ignore-rules.ts';
import { openSandbox, temporaryFolder } from '../sandbox.ts';

async function filesOf(
  files: Readonly<Record<string, string>>,
  exclude: readonly string[] = [],
): Promise<string[]> {
  const sandbox = await openSandbox([temporaryFolder(files)], { exclude });
  await sandbox.refresh();
  return sandbox.files();
}

describe('ignore rules', () => {
  test('generated folders are ignored at every depth', async () => {
    const files = {
      'a.ts': '',
      '.git/x': '',
      'p/node_modules/x': '',
      'p/__pycache__/x': '',
      '.venv/x': '',
      'p/venv': '',
    };
    expect(await filesOf(files)).toEqual(['a.ts', 'p/venv']);
  });

  test('no rule of a repository can include a generated folder', async () => {
    expect(
      await filesOf({ '.gitignore': '!node_modules/\n!.git/', 'node_modules/x': '', '.git/x': '' }),
    ).toEqual(['.gitignore']);
  });

  test.each([
    ['a name matches at every depth', 'b.ts', ['a.ts', 'd/c.ts', 'd/e/f.ts']],
    ['a leading slash anchors a pattern to its folder', '/b.ts', ['a.ts', 'd/b.ts', 'd/c.ts', 'd/e/f.ts']],
    ['an inner slash anchors it too', 'd/c.ts', ['a.ts', 'b.ts', 'd/b.ts', 'd/e/f.ts']],
    ['a trailing slash means folders', 'e/', ['a.ts', 'b.ts', 'd/b.ts', 'd/c.ts']],
    ['two stars reach into all folders', 'd/**/*.ts', ['a.ts', 'b.ts']],
    ['the last rule wins', '*.ts\n!c.ts', ['d/c.ts']],
    ['the contents of an ignored folder stay ignored', 'd/\n!d/c.ts', ['a.ts', 'b.ts']],
    [
      'comments, blank lines and escapes are understood',
      '# b.ts\n\n\\#x\r\na.ts  \n',
      ['b.ts', 'd/b.ts', 'd/c.ts', 'd/e/f.ts'],
    ],
  ])('%s', async (_, rules, expected) => {
    const files = { '.gitignore': rules, 'a.ts': '', 'b.ts': '', 'd/b.ts': '', 'd/c.ts': '', 'd/e/f.ts': '' };
    expect(await filesOf(files)).toEqual(['.gitignore', ...expected]);
  });

  test('a deeper .gitignore takes precedence and applies to its own folder only', async () => {
    const files = {
      '.gitignore': 'logs\n*.gen.ts\n',
      'a/.gitignore': '!logs\n/x.ts\n!keep.gen.ts\n',
      'a/logs/deep/y.ts': '',
      'a/x.ts': '',
      'a/b/x.ts': '',
      'a/b/keep.gen.ts': '',
      'keep.gen.ts': '',
      'c/logs/z.ts': '',
      'we[i]rd*/.gitignore': 'n.ts\n',
      'we[i]rd*/n.ts': '',
      'weird/n.ts': '',
    };
    expect(await filesOf(files)).toEqual([
      '.gitignore',
      'a/.gitignore',
      'a/b/keep.gen.ts',
      'a/b/x.ts',
      'a/logs/deep/y.ts',
      'we[i]rd*/.gitignore',
      'weird/n.ts',
    ]);
  });

  test("the user's own patterns cannot be undone by the repository", async () => {
    expect(await filesOf({ '.gitignore': '!a.ts', 'a.ts': '', 'b.ts': '' }, ['a.ts'])).toEqual([
      '.gitignore',
      'b.ts',
    ]);
  });

  test('exclusions of worktrees and submodules are found, unless they are outside the workspace', async () => {
    const files = {
      '.git/info/exclude': '',
      '.git/modules/sub/info/exclude': 'a.ts\n',
      'sub/.git': 'gitdir: ../.git/modules/sub\n',
      'sub/a.ts': '',
      '.git/worktrees/tree/commondir': '../..\n',
      'tree/.git': 'gitdir: ../.git/worktrees/tree\n',
      'tree/a.ts': '',
      'out/.git': 'gitdir: /etc\n',
      'out/a.ts': '',
    };
    expect(await filesOf(files)).toEqual(['out/a.ts', 'tree/a.ts']);
  });

  test('a .gitignore that is a link or a pipe is not read', async () => {
    const world = temporaryFolder({ rules: 'a.ts\n', 'app/a.ts': '' });
    symlinkSync('../rules', path.join(world, 'app/.gitignore'));
    const { refresh, files } = await openSandbox([path.join(world, 'app')]);
    await refresh();
    expect(files()).toEqual(['a.ts']);
  });

  test('RES-04 hostile patterns are matched in bounded time', () => {
    const hostile = `${'*a'.repeat(50)}b\n${'**/a/'.repeat(20)}b\n${'**/x'.repeat(limits.ignoreRules.globstars)}\n`;
    const rules = createIgnoreRules().extend('', hostile);
    expect(rules.ignores(`${'a/'.repeat(100)}${'a'.repeat(200)}`, false)).toBe(false);
  });

  test('RES-04 patterns beyond the limit are left out', () => {
    const names = Array.from({ length: limits.ignoreRules.patterns + 1 }, (_, index) => `f${index}`);
    const rules = createIgnoreRules().extend('', names.join('\n'));
    expect(rules.ignores(`f${limits.ignoreRules.patterns - 1}`, false)).toBe(true);
    expect(rules.ignores(`f${limits.ignoreRules.patterns}`, false)).toBe(false);
    expect(rules.extend('d', 'x').ignores('d/x', false)).toBe(false);
  });
});
