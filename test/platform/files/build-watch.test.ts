import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { BuildWatch } from '../../../src/platform/files/identity-files.ts';

function program(): { readonly folder: string; readonly link: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'lspan-watch-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  build(path.join(folder, 'one'), 'a');
  symlinkSync('one/bin.js', path.join(folder, 'lspan'));
  return { folder, link: path.join(folder, 'lspan') };
}

function build(folder: string, id: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'bin.js'), 'the program');
  writeFileSync(path.join(folder, 'build-id'), id);
}

/** How a program is replaced, by what is done to it. */
const replaced: Readonly<Record<string, (folder: string) => void>> = {
  'its files are written again': (folder) => build(path.join(folder, 'one'), 'b'),
  'only the id is written again': (folder) => writeFileSync(path.join(folder, 'one/build-id'), 'b'),
  'its folder is exchanged': (folder) => {
    build(path.join(folder, 'two'), 'b');
    renameSync(path.join(folder, 'one'), path.join(folder, 'old'));
    renameSync(path.join(folder, 'two'), path.join(folder, 'one'));
  },
  'the link leads elsewhere': (folder) => {
    build(path.join(folder, 'two'), 'b');
    rmSync(path.join(folder, 'lspan'));
    symlinkSync('two/bin.js', path.join(folder, 'lspan'));
  },
};

it.each(Object.entries(replaced))('a program counts as replaced if %s', (_, replace) => {
  const { folder, link } = program();
  const watch = new BuildWatch(link);
  expect(watch.isReplaced('a')).toBe(false);
  replace(folder);
  expect(watch.isReplaced('a')).toBe(true);
  expect(watch.isReplaced('a')).toBe(true);
});

it('a program that is written again as it was, or is missing for a moment, does not count as replaced', () => {
  const { folder, link } = program();
  const watch = new BuildWatch(link);
  build(path.join(folder, 'one'), 'a');
  expect(watch.isReplaced('a')).toBe(false);
  rmSync(path.join(folder, 'one'), { recursive: true });
  expect(watch.isReplaced('a')).toBe(false);
});
