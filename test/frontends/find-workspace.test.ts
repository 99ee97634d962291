import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findWorkspace, type WorkspaceHints } from '../../src/frontends/find-workspace.ts';
import { memoryFolder, temporaryFolder } from '../workspace/sandbox.ts';

/** Returns the choice in a folder, relative to its root. */
function choose(folder: string, hints: Partial<WorkspaceHints> & { cwd: string }) {
  const { cwd, ...others } = hints;
  const home = path.join(folder, 'home');
  mkdirSync(home, { recursive: true });
  const choice = findWorkspace({
    flags: [],
    environment: {},
    home,
    ...others,
    cwd: path.join(folder, cwd),
  });
  return { ...choice, roots: choice.roots.map((root) => path.relative(folder, root)) };
}

describe('the workspace', () => {
  it('is given by the flags, relative to the current folder, without duplicates', () => {
    const folder = temporaryFolder({ 'a/x': '', 'b/x': '', 'b/.git/HEAD': '' });
    const environment = { CLAUDE_PROJECT_DIR: path.join(folder, 'b') };
    const choice = choose(folder, { cwd: 'b', flags: ['../a', '.', path.join(folder, 'a')], environment });
    expect(choice).toEqual({ roots: ['a', 'b'], fromClient: false, why: '--workspace' });
  });

  it('may be a home directory or a disk only if the user names it and says so', () => {
    const folder = temporaryFolder({ 'home/x': '' });
    for (const flag of ['.', '/'])
      expect(() => choose(folder, { cwd: 'home', flags: [flag] })).toThrow(/or add --wide-workspace/);
    expect(choose(folder, { cwd: 'home', flags: ['.'], wide: true }).roots).toEqual(['home']);
  });

  it.each([
    ['none', /The workspace .*none does not exist or cannot be read\. Give an existing folder\./],
    ['file', /The workspace .*file is not a folder/],
    ['loop', /does not exist or cannot be read/],
    ['file/x', /does not exist or cannot be read/],
  ])('cannot be %s', (flag, message) => {
    const folder = temporaryFolder({ file: '' });
    symlinkSync('loop', path.join(folder, 'loop'));
    expect(() => choose(folder, { cwd: '.', flags: [flag] })).toThrow(message);
  });

  it('is the project of the client even if the current folder is another repository', () => {
    const folder = temporaryFolder({ 'mine/x': '', 'other/.git/HEAD': '' });
    const environment = { CLAUDE_PROJECT_DIR: path.join(folder, 'mine') };
    const choice = choose(folder, { cwd: 'other', environment });
    expect(choice).toEqual({ roots: ['mine'], fromClient: false, why: 'CLAUDE_PROJECT_DIR' });
  });

  it.each([
    ['', 'empty'],
    ['mine', 'relative'],
    ['/does/not/exist', 'missing'],
    ['/', 'the root of the disk'],
    ['$HOME', 'the home directory'],
    ['$FILE', 'a file'],
  ])('ignores a variable that is %j (%s)', (value) => {
    const folder = temporaryFolder({ 'mine/x': '', 'other/.git/HEAD': '' });
    const special: Record<string, string> = {
      $HOME: path.join(folder, 'home'),
      $FILE: path.join(folder, 'mine/x'),
    };
    const environment = { CLAUDE_PROJECT_DIR: special[value] ?? value };
    expect(choose(folder, { cwd: 'other', environment }).roots).toEqual(['other']);
  });

  it.each(['.git', '.hg', '.jj'])('is the repository around the current folder, known by %s', (marker) => {
    const folder = temporaryFolder({ [`home/code/repo/${marker}/x`]: '', 'home/code/repo/a/b/x': '' });
    const choice = choose(folder, { cwd: 'home/code/repo/a/b' });
    expect(choice).toMatchObject({ roots: ['home/code/repo'], fromClient: true });
    expect(choice.why).toContain(marker);
  });

  it('is the whole repository rather than one package in it, also in a work tree', () => {
    const folder = temporaryFolder({
      'repo/.git': 'gitdir: elsewhere',
      'repo/packages/a/package.json': '{}',
    });
    expect(choose(folder, { cwd: 'repo/packages/a' }).roots).toEqual(['repo']);
  });

  it('is the nearest repository of several', () => {
    const folder = temporaryFolder({ 'repo/.git/x': '', 'repo/sub/.git/x': '', 'repo/sub/a/x': '' });
    expect(choose(folder, { cwd: 'repo/sub/a' }).roots).toEqual(['repo/sub']);
  });

  it('is the nearest project outside a repository', () => {
    const folder = temporaryFolder({
      'p/go.mod': '',
      'p/web/package.json': '{}',
      'p/web/src/x': '',
      'p/api/x': '',
    });
    expect(choose(folder, { cwd: 'p/web/src' }).roots).toEqual(['p/web']);
    expect(choose(folder, { cwd: 'p/api' }).roots).toEqual(['p']);
  });

  it('is never a plain folder with very many files, unless it is named or a project', () => {
    const files = Array.from({ length: 251 }, (_, at) => [`many/${at}/x`, ''] as const);
    const folder = temporaryFolder(Object.fromEntries(files), memoryFolder);
    for (const [name] of files) {
      const inside = path.join(folder, path.dirname(name));
      for (let at = 0; at < 200; at++) mkdirSync(path.join(inside, `${at}`));
    }
    expect(choose(folder, { cwd: 'many' })).toMatchObject({
      roots: [],
      refused: expect.stringMatching(
        /the current folder .*many has no project around it and very many files/,
      ),
    });
    expect(choose(folder, { cwd: 'many', flags: ['.'] }).roots).toEqual(['many']);
    mkdirSync(path.join(folder, 'many/.git'));
    expect(choose(folder, { cwd: 'many' }).roots).toEqual(['many']);
  });

  it('is the current folder if nothing around it is a project, as a client starts lspan there', () => {
    const folder = temporaryFolder({ 'plain/x': '', 'home/.git/x': '', 'home/a/x': '' });
    expect(choose(folder, { cwd: 'plain' })).toMatchObject({ roots: ['plain'], fromClient: true });
    expect(choose(folder, { cwd: 'home/a' }).roots).toEqual(['home/a']);
  });

  it('is empty in a home directory with markers, above one, in / and just below it', () => {
    const folder = temporaryFolder({ 'home/.git/x': '', 'home/package.json': '{}' });
    const none = { roots: [], fromClient: true };
    expect(choose(folder, { cwd: 'home' })).toMatchObject(none);
    expect(choose(folder, { cwd: '.' })).toMatchObject(none);
    expect(findWorkspace({ flags: [], environment: {}, cwd: '/usr', home: folder })).toMatchObject(none);
    expect(findWorkspace({ flags: [], environment: {}, cwd: '/', home: folder })).toMatchObject(none);
    expect(findWorkspace({ flags: [], environment: {}, cwd: '/', home: '' })).toMatchObject(none);
  });

  it('is empty in a home directory that is reached through a link', () => {
    const folder = temporaryFolder({ 'home/.git/x': '' });
    symlinkSync(path.join(folder, 'home'), path.join(folder, 'link'));
    expect(choose(folder, { cwd: 'link' }).roots).toEqual([]);
  });
});
