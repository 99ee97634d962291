import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PlannedFile } from '../../../src/edits/plan.ts';
import { unifiedDiff } from '../../../src/edits/text/unified-diff.ts';
import { lackedPrograms, unlessSkipped } from '../../missing-programs.ts';
import { withSeed } from '../../with-seed.ts';
import { temporaryFolder } from '../../workspace/sandbox.ts';

function diff(file: Partial<PlannedFile>): string {
  return unifiedDiff([{ path: '/w/a.ts', change: 'edit', edits: 1, ...file }], (shown) => shown.slice(3));
}

describe('a diff', () => {
  const cases: readonly [string, Partial<PlannedFile>, string][] = [
    [
      'of an edit has one line of context around each change',
      { before: 'a\nb\nc\nd\ne\n', after: 'a\nb\nC\nd\ne\n' },
      '--- a/a.ts\n+++ b/a.ts\n@@ -2,3 +2,3 @@\n b\n-c\n+C\n d\n',
    ],
    [
      'of a new file names /dev/null as the old file',
      { change: 'create', after: 'a\n' },
      'diff --git a/a.ts b/a.ts\nnew file mode 100644\n--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1,1 @@\n+a\n',
    ],
    [
      'of an empty new file has a header only',
      { change: 'create', after: '' },
      'diff --git a/a.ts b/a.ts\nnew file mode 100644\n',
    ],
    [
      'of a deleted file names /dev/null as the new file',
      { change: 'delete', before: 'a\n' },
      'diff --git a/a.ts b/a.ts\ndeleted file mode 100644\n--- a/a.ts\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n',
    ],
    [
      'of a move names both paths',
      { change: 'rename', newPath: '/w/b.ts', before: 'a', after: 'a' },
      'diff --git a/a.ts b/b.ts\nrename from a.ts\nrename to b.ts\n',
    ],
    [
      'EDT-10 shows a missing final newline',
      { before: 'a', after: 'a\n' },
      '--- a/a.ts\n+++ b/a.ts\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n',
    ],
    [
      'EDT-07 does not show line endings that are all the same',
      { before: 'a\r\nb\r\n', after: 'a\r\nB\r\n' },
      '--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n',
    ],
    [
      'EDT-07 splits a file into lines at CR',
      { before: 'a\rb\r', after: 'a\rB\r' },
      '--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n',
    ],
    [
      'EDT-07 shows line endings that change',
      { before: 'a\r\n', after: 'a\n' },
      '--- a/a.ts\n+++ b/a.ts\n@@ -1,1 +1,1 @@\n-a\r\n+a\n',
    ],
  ];
  for (const [title, file, shown] of cases)
    test(title, () => {
      expect(diff(file)).toBe(shown);
    });

  test('of two long texts that have nothing in common shows one removed and one added', () => {
    const lines = (mark: string) => Array.from({ length: 20_000 }, (_, at) => `${mark}${at}\n`).join('');
    const shown = diff({ before: `same\n${lines('a')}`, after: `same\n${lines('b')}` });
    expect(shown.match(/^@@.*$/gm)).toEqual(['@@ -1,20001 +1,20001 @@']);
  });

  test('of a file of very many lines can be made', () => {
    const shown = diff({ change: 'delete', before: '\n'.repeat(2 ** 20) });
    expect(shown).toContain('@@ -1,1048576 +0,0 @@');
  });

  const lacked = lackedPrograms('git');
  test.skipIf(lacked !== '')(unlessSkipped(lacked, 'can be applied by git, whatever the texts'), () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'a.ts');
    const text = fc
      .array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'd'), { maxLength: 12 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== after);
        writeFileSync(file, before);
        execFileSync('git', ['apply', '--whitespace=nowarn', '-'], {
          cwd: folder,
          input: diff({ before, after }),
        });
        expect(readFileSync(file, 'utf8')).toBe(after);
      }),
      withSeed({ numRuns: 60 }),
    );
  });
});
