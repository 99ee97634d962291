import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { lackedPrograms, unlessSkipped } from '../missing-programs.ts';
import { examples, makeProject, run, runExample } from './run-example.ts';

const script = 'pre-commit/check-staged.mjs';

const lacked = lackedPrograms('git');

describe.skipIf(lacked !== '')(unlessSkipped(lacked, 'examples/pre-commit'), () => {
  it('lists the errors of what is staged, whatever the working tree has', async () => {
    const { project, git, write } = await makeRepository();
    write('src/half.ts', "export const half: number = 'staged';\n");
    write('src/other.ts', "import { added } from './added.js';\n\nexport const other = added;\n");
    await git('add', 'src');
    // None of this is part of the commit.
    write('src/half.ts', 'export const half: number = 1;\n');
    write('src/added.ts', 'export const added = 1;\n');
    write('src/unrelated.ts', "export const unrelated: number = 'not staged';\n");

    const ran = await runExample(script, [], project);
    expect(ran).toMatchObject({ code: 1, printed: '' });
    expect(ran.told.split('\n')).toEqual([
      expect.stringMatching(/^src\/half\.ts:1:14 .*not assignable to type 'number'/),
      expect.stringMatching(/^src\/other\.ts:1:\d+ .*added/),
      '',
    ]);
    const narrowed = await runExample(script, ['*/half.ts'], project);
    expect(narrowed.told.split('\n')).toHaveLength(2);
  });

  it('as a hook lets a commit pass whose index is right, though the working tree is not', async () => {
    const { project, git, write } = await makeRepository();
    const hook = `#!/bin/sh\nexec ${process.execPath} ${path.join(examples, script)}\n`;
    writeFileSync(path.join(project, '.git/hooks/pre-commit'), hook, { mode: 0o755 });
    write('src/half.ts', "export const half: number = 'wrong';\n");
    await git('add', 'src');
    expect(await git('commit', '-m', 'wrong')).toMatchObject({ code: 1 });
    write('src/half.ts', 'export const half: number = 1;\n');
    write('notes.unknown', 'no language server reads this\n');
    await git('add', 'src', 'notes.unknown');
    write('src/half.ts', "export const half: number = 'later';\n");
    const right = await git('commit', '-m', 'right');
    expect(right).toMatchObject({ code: 0 });
    expect(right.told).toContain('No errors in 1 of 2 staged files.\n');
    expect(right.told).toContain(
      'Not checked: notes.unknown: No language server is known for .unknown files.\n',
    );
  });

  it('lets pass what no server can read, and what differs but has no say', async () => {
    const { project, git, write } = await makeRepository();
    write('src/large.json', `[${'"text",'.repeat(700_000)}""]\n`);
    write('src/film.ts', 'G\0\0\0\n');
    await git('add', 'src');
    const unread = await runExample(script, [], project);
    expect(unread).toMatchObject({ code: 0, told: '' });
    expect(unread.printed.split('\n').slice(0, 2)).toEqual([
      'Nothing is staged that could be checked.',
      'Not checked: src/film.ts: "src/film.ts" is a binary file.',
    ]);
    await git('commit', '--quiet', '-m', 'second');
    write('notes.unknown', 'no language server reads this\n');
    await git('add', 'notes.unknown');
    write('package.json', '{ "private": true }\n');
    expect(await runExample(script, [], project)).toMatchObject({ code: 0, told: '' });
    await git('checkout', '--', 'package.json');
    write('src/old.ts', 'export const old = 2;\n');
    await git('add', 'src');
    write('src/large.json', `[${'"other",'.repeat(700_000)}""]\n`);
    for (let number = 0; number < 120; number += 1) write(`src/draft${number}.ts`, 'export {};\n');
    const ran = await runExample(script, [], project);
    expect(ran).toMatchObject({ code: 0, told: '' });
    expect(ran.printed).toMatch(/^No errors in 1 of 2 staged files\.\n/);
  });

  it('counts what is not staged and what staged files name, whatever its ending', async () => {
    const { project, git, write } = await makeRepository();
    write('src/view.tsx', "import { model } from './model.js';\n\nexport const view = model;\n");
    write('src/model.ts', 'export const model = 1;\n');
    await git('add', 'src/view.tsx');
    const ran = await runExample(script, [], project);
    expect(ran).toMatchObject({
      code: 1,
      told: expect.stringMatching(/^src\/view\.tsx:1:\d+ .*model/),
    });
    write('src/view.tsx', "import data from './data.json';\n\nexport const view = data;\n");
    write('src/data.json', '{}\n');
    await git('add', 'src/view.tsx');
    const told = expect.stringContaining('Not known: src/data.json is not as it is staged, and decides');
    expect(await runExample(script, ['*.tsx'], project)).toMatchObject({ code: 2, told });
  });

  it('does not say that all is well where it cannot know', async () => {
    const { project, git, write } = await makeRepository();
    write('src/half.ts', 'export const half: number = 1;\n');
    await git('add', 'src');
    write('tsconfig.json', '{ "compilerOptions": { "strict": false } }\n');
    const ran = await runExample(script, [], project);
    expect(ran).toMatchObject({ code: 2, printed: '' });
    expect(ran.told).toContain('Not known: tsconfig.json is not as it is staged');
    await git('checkout', '--', 'tsconfig.json');
    write('notes.unknown', 'no language server reads this\n');
    await git('add', 'notes.unknown');
    const named = await runExample(script, ['*.ts', 'notes.*'], project);
    expect(named).toMatchObject({ code: 2, printed: '' });
    expect(named.told).toMatch(/^Not known: notes\.unknown: No language server is known for /);
  });

  it('says so where nothing is staged, and fails for wrong use and where there is no repository', async () => {
    const { project } = await makeRepository();
    const printed = 'Nothing is staged that could be checked.\n';
    expect(await runExample(script, [], project)).toEqual({ code: 0, printed, told: '' });
    const misused = await runExample(script, ['--all'], project);
    expect(misused).toEqual({ code: 2, printed: '', told: 'Usage: node check-staged.mjs [pathspec…]\n' });
    rmSync(path.join(project, '.git'), { recursive: true });
    const outside = await runExample(script, [], project);
    expect(outside).toMatchObject({ code: 2, printed: '' });
    expect(outside.told).toContain('not a git repository');
  });
});

async function makeRepository() {
  const project = makeProject({ 'src/old.ts': 'export const old = 1;\n' });
  const identity = ['-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.org'];
  const git = (...args: string[]) => run('git', [...identity, ...args], project);
  const write = (file: string, text: string) => writeFileSync(path.join(project, file), text);
  await git('init', '--quiet');
  await git('add', '.');
  await git('commit', '--quiet', '-m', 'first');
  return { project, git, write };
}
