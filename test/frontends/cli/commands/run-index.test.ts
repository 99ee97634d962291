import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runIndex } from '../../../../src/frontends/cli/commands/run-index.ts';
import { parseCommandLine } from '../../../../src/frontends/cli/parse-command-line.ts';
import { repositoryName } from '../../../../src/workspace/worktrees/repository-facts.ts';
import { indexWords } from '../../../backends/index/write-scip.ts';
import { temporaryFolder, writeFiles } from '../../../workspace/sandbox.ts';

const commit = '1f0c2d3'.padEnd(40, '0');
const files = { 'a.txt': 'function alpha\nalpha', 'b.txt': 'alpha' };

describe('lspan index', () => {
  it('adds, lists, verifies and removes, under the name and commit that git has', async () => {
    const { run, root } = sandbox();
    writeFileSync(path.join(root, 'index.scip'), indexWords(files));
    expect(await run('add', 'index.scip')).toMatch(
      /^Added: example\.org\/team\/here@1f0c2d300000 {2}.*words 1\.0, 2 files, 3 places\n$/,
    );
    expect(JSON.parse(await run('list', '--json'))).toMatchObject({
      indexes: [{ repository: 'example.org/team/here', commit, documents: 2, occurrences: 3, unverified: 0 }],
    });
    expect(await run('verify')).toContain(
      'The store is whole.\nexample.org/team/here: 0 of 2 files have changed since',
    );
    writeFiles(root, { 'b.txt': 'changed' });
    expect(await run('verify')).toContain('1 of 2 files have changed since, 0 are gone.\n  b.txt\n');
    expect(await run('remove', 'example.org/team/here')).toBe(
      'The index of example.org/team/here is removed.\n',
    );
    expect(await run('list')).toMatch(/^No repository is indexed in /);
    await expect(run('remove', 'x')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('adds an index of another repository without looking at the files here', async () => {
    const { run, root } = sandbox();
    writeFileSync(path.join(root, 'index.scip'), indexWords(files));
    const added = await run('add', 'index.scip', '--repository', 'web', '--commit', 'f00');
    expect(added).toContain('web@f00');
    expect(added).toContain('2 files, 2 without their text');
  });

  it('IDX-04 refuses what is no index, and changes nothing', async () => {
    const { run, root, state } = sandbox();
    writeFileSync(path.join(root, 'index.scip'), 'no index');
    await expect(run('add', 'index.scip')).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(run('add', 'missing.scip')).rejects.toMatchObject({ code: 'not_found' });
    const folder = path.join(state, 'lspan/index');
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
  });

  it('IDX-08 builds by the indexer in PATH, and only in a folder that the user trusts', async () => {
    const { run, root, programs } = sandbox();
    writeFiles(root, { 'package.json': '{}' });
    await expect(run('build')).rejects.toMatchObject({ code: 'not_installed' });
    const made = path.join(programs, 'made.scip');
    writeFileSync(made, indexWords(files));
    const program = path.join(programs, 'scip-typescript');
    writeFileSync(program, `#!/bin/sh\nfor last; do :; done\ncp '${made}' "$last"\n`);
    chmodSync(program, 0o755);
    await expect(run('build')).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('have not trusted'),
    });
    expect(await run('list')).toMatch(/^No repository/);
    expect(await run('build', '--yes')).toContain('Added: example.org/team/here@1f0c2d3');
    writeFileSync(program, '#!/bin/sh\nexit 3\n');
    await expect(run('build', '--yes')).rejects.toThrow('scip-typescript failed with code 3.');
    expect(await run('list')).toContain('example.org/team/here');
  });

  it.each([
    ['', 'Use one of: add, build, list, remove, verify.'],
    ['add', 'needs the file of the index'],
    ['remove', 'needs the repository'],
    ['list x', 'Unexpected argument "x"'],
    ['list --commit x', 'go with lspan index add'],
  ])('refuses the words %j', (words, why) => {
    expect(() => parseCommandLine(['index', ...words.split(' ').filter(Boolean)])).toThrow(why);
  });
});

it.each([
  ['https://user:secret@Example.org/team/web.git', 'example.org/team/web'],
  ['git@example.org:team/web.git', 'example.org/team/web'],
  ['ssh://git@example.org:22/team/web/', 'example.org/team/web'],
  ['/srv/git/web.git', undefined],
  ['C:/git/web', undefined],
  ['https://example.org/a b', undefined],
])('the repository at %s is called %s', (url, name) => {
  expect(repositoryName(url)).toBe(name);
});

function sandbox() {
  const root = temporaryFolder(files);
  const [state, programs] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(path.join(root, '.git/refs/heads'), { recursive: true });
  writeFiles(root, {
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.git/refs/heads/main': `${commit}\n`,
    '.git/config': '[remote "origin"]\n\turl = https://user:secret@example.org/team/here.git\n',
  });
  const environment = {
    PATH: `${programs}:/usr/bin:/bin`,
    HOME: state,
    XDG_STATE_HOME: state,
    XDG_CONFIG_HOME: state,
  };
  const run = async (...words: readonly string[]) => {
    let written = '';
    const command = parseCommandLine(['index', ...words, '--workspace', root]);
    if (command.kind !== 'index') throw new Error('it is another command');
    const write = async (text: string) => {
      written += text;
    };
    await runIndex(command, { environment, cwd: root, home: state }, { ask: undefined, write });
    return written;
  };
  return { run, root, state, programs };
}
