import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../../src/core/errors.ts';
import { limits } from '../../../src/core/limits.ts';
import { memoryTree, type Thing } from '../memory-tree.ts';
import { planOver, refusalOf, type ShortEdit, type ShortStep } from '../plan-of.ts';

const put: readonly ShortEdit[] = [[0, 0, 0, 0, 'x']];

interface Row {
  readonly title: string;
  readonly tree: Readonly<Record<string, Thing>>;
  readonly steps: readonly ShortStep[];
  readonly code?: ErrorCode;
  /** What the message names. */
  readonly says: string;
}

const rows: readonly Row[] = [
  {
    title: 'EDT-05 an edit past the end of a file, reported with its line',
    tree: { 'src/a.ts': 'a\nb' },
    steps: [{ edit: 'src/a.ts', edits: [[1, 2, 1, 2, 'x']] }],
    says: 'An edit at "src/a.ts:2" has a start that is past the end of the line.',
  },
  {
    title: 'RES-03 a path of too many folders, before any of them is read',
    tree: {},
    steps: [{ create: `${'d/'.repeat(limits.path.levels)}a.ts` }],
    code: 'limit_exceeded',
    says: `is more than ${limits.path.levels} folders deep.`,
  },
  {
    title: 'RES-03 too many files, before any of them is read',
    tree: {},
    steps: Array.from({ length: 2 * limits.edit.files + 1 }, (_, index) => ({ create: `a${index}.ts` })),
    code: 'limit_exceeded',
    says: 'The change touches more than 2000 files.',
  },
  {
    title: 'RES-03 too many new folders',
    tree: {},
    steps: Array.from({ length: 50 }, (_, index) => ({ create: `${`d${index}/`.repeat(100)}a.ts` })),
    code: 'limit_exceeded',
    says: 'The change touches more than 2000 files.',
  },
  {
    title: 'EDT-09 a file that is not UTF-8',
    tree: { 'a.ts': Buffer.from([0x63, 0xe9]) },
    steps: [{ edit: 'a.ts', edits: put }],
    says: '"a.ts" is not valid UTF-8 text.',
  },
  {
    title: 'EDT-09 a file in UTF-16',
    tree: { 'a.ts': Buffer.from('\uFEFFab', 'utf16le') },
    steps: [{ edit: 'a.ts', edits: put }],
    says: '"a.ts" is a binary file.',
  },
  {
    title: 'EDT-09 a file in UTF-16 that contains no NUL',
    tree: { 'a.ts': Buffer.from('\uFEFF漢字', 'utf16le') },
    steps: [{ edit: 'a.ts', edits: put }],
    says: '"a.ts" is not valid UTF-8 text.',
  },
  {
    title: 'EDT-09 a NUL in a new file',
    tree: {},
    steps: [{ create: 'a.ts', text: 'a\0' }],
    says: '"a.ts" would contain a NUL character.',
  },
  {
    title: 'EDT-14 a read-only file among others',
    tree: { 'a.ts': 'a', 'b.ts': { bytes: 'b', mode: 0o444 } },
    steps: [
      { edit: 'a.ts', edits: put },
      { edit: 'b.ts', edits: put },
    ],
    says: '"b.ts" is read-only.',
  },
  {
    title: 'EDT-14 the removal of a read-only file',
    tree: { 'b.ts': { bytes: 'b', mode: 0o444 } },
    steps: [{ delete: 'b.ts' }],
    says: '"b.ts" is read-only.',
  },
  {
    title: 'EDT-14 a move onto a read-only file',
    tree: { 'a.ts': 'a', 'b.ts': { bytes: 'b', mode: 0o444 } },
    steps: [{ rename: 'a.ts', to: 'b.ts', ifThere: 'overwrite' }],
    says: '"b.ts" is read-only.',
  },
  ...(
    [
      ['an edit', [{ edit: 'd/a.ts', edits: put }]],
      ['a new file', [{ create: 'd/new.ts' }]],
      ['a removal', [{ delete: 'd/a.ts' }]],
      ['a move out of it', [{ rename: 'd/a.ts', to: 'a.ts' }]],
      ['a move into it', [{ rename: 'b.ts', to: 'd/b.ts' }]],
    ] satisfies readonly (readonly [string, readonly ShortStep[]])[]
  ).map(([what, steps]) => ({
    title: `EDT-14 ${what} in a read-only folder`,
    tree: { d: { folder: true, mode: 0o555 }, 'd/a.ts': 'a', 'b.ts': 'b' } as const,
    steps,
    says: '"d" is a read-only folder.',
  })),
  {
    title: 'EDT-15 files that changed since they were seen, reported all at once and before any other fault',
    tree: { 'a.ts': 'a', 'b.ts': 'b', 'c.ts': 'c' },
    steps: [
      { edit: 'c.ts', edits: [[9, 9, 9, 9, '']] },
      { edit: 'a.ts', edits: put, seen: 'other' },
      { edit: 'b.ts', edits: put, seen: 'other' },
    ],
    code: 'stale',
    says: '"a.ts", "b.ts" changed on disk after the change was computed.',
  },
  {
    title: 'EDT-15 a file that is gone since it was seen',
    tree: {},
    steps: [{ edit: 'a.ts', edits: put, seen: 'other' }],
    code: 'stale',
    says: '"a.ts" changed on disk',
  },
  {
    title: 'EDT-15 a moved file that changed since it was seen',
    tree: { 'a.ts': 'a' },
    steps: [
      { rename: 'a.ts', to: 'b.ts' },
      { edit: 'b.ts', edits: put, seen: 'other' },
    ],
    code: 'stale',
    says: '"b.ts" changed on disk',
  },
  {
    title: 'EDT-19 an edit of a file that an earlier step removed',
    tree: { 'a.ts': 'a' },
    steps: [{ delete: 'a.ts' }, { edit: 'a.ts', edits: put }],
    says: '"a.ts" does not exist.',
  },
  {
    title: 'EDT-19 an edit under the old name of a file that moved',
    tree: { 'a.ts': 'a' },
    steps: [
      { rename: 'a.ts', to: 'b.ts' },
      { edit: 'a.ts', edits: put },
    ],
    says: '"a.ts" does not exist.',
  },
  {
    title: 'EDT-20 a new file in the place of an existing one',
    tree: { 'a.ts': 'a' },
    steps: [{ create: 'a.ts' }],
    says: '"a.ts" already exists.',
  },
  {
    title: 'EDT-20 a new file in the place of a folder',
    tree: { 'd/a.ts': 'a' },
    steps: [{ create: 'd', ifThere: 'overwrite' }],
    says: '"d" is a folder.',
  },
  {
    title: 'EDT-21 a move onto a file',
    tree: { 'a.ts': 'a', 'b.ts': 'b' },
    steps: [{ rename: 'a.ts', to: 'b.ts' }],
    says: '"b.ts" already exists.',
  },
  {
    title: 'EDT-21 a move onto a folder, even if it may replace files',
    tree: { 'a.ts': 'a', 'd/b.ts': 'b' },
    steps: [{ rename: 'a.ts', to: 'd', ifThere: 'overwrite' }],
    says: '"d" already exists, and only files can be replaced.',
  },
  {
    title: 'EDT-21 a folder that is moved into itself',
    tree: { 'd/a.ts': 'a' },
    steps: [{ rename: 'd', to: 'd/e' }],
    says: '"d" cannot be moved into itself.',
  },
  {
    title: 'EDT-21 a folder that is moved to another file system',
    tree: { 'd/a.ts': 'a', m: { folder: true, device: 2 } },
    steps: [{ rename: 'd', to: 'm/d' }],
    says: '"d" is a folder on another file system than its target.',
  },
  {
    title: 'EDT-21 a move to below a file',
    tree: { 'a.ts': 'a', 'b.ts': 'b' },
    steps: [{ rename: 'a.ts', to: 'b.ts/a.ts' }],
    says: '"b.ts" is not a folder.',
  },
  {
    title: 'EDT-22 the removal of a missing file',
    tree: {},
    steps: [{ delete: 'a.ts' }],
    says: '"a.ts" does not exist.',
  },
  {
    title: 'EDT-22 the removal of a folder that is not marked as recursive',
    tree: { 'd/a.ts': 'a' },
    steps: [{ delete: 'd' }],
    says: '"d" is a folder, and the change does not include its content.',
  },
  {
    title: 'EDT-22 the removal of the root itself',
    tree: { 'd/a.ts': 'a' },
    steps: [{ delete: '/w', recursive: true }],
    says: '"/w" contains a workspace root.',
  },
  {
    title: 'a move of the root itself',
    tree: { 'd/a.ts': 'a' },
    steps: [{ rename: '/w', to: '/w/e' }],
    says: '"/w" contains a workspace root.',
  },
  {
    title: 'a device, a socket or a pipe',
    tree: { p: { special: true } },
    steps: [{ edit: 'p', edits: put }],
    says: '"p" is not a regular file.',
  },
  {
    title: 'the removal of a folder that contains a pipe',
    tree: { 'd/p': { special: true } },
    steps: [{ delete: 'd', recursive: true }],
    says: '"d/p" is not a regular file.',
  },
  {
    title: 'a URI that is not a file',
    tree: {},
    steps: [{ edit: 'untitled:Untitled-1', edits: put }],
    says: '"untitled:Untitled-1" is not a file',
  },
  ...(
    [
      ['an edit', { edit: '/etc/passwd', edits: put }],
      ['an edit through a link', { edit: 'out', edits: put }],
      ['a new file', { create: '/etc/new' }],
      ['a new file below a link', { create: 'folder/new/x' }],
      ['a move there', { rename: 'a.ts', to: '/etc/a.ts' }],
      ['a move from there', { rename: '/etc/passwd', to: 'b.ts' }],
      ['a removal', { delete: '/etc/passwd' }],
    ] satisfies readonly (readonly [string, ShortStep])[]
  ).map(([what, step]) => ({
    title: `BND-19 ${what} outside, among steps inside`,
    tree: {
      'a.ts': 'a',
      out: { link: '/etc/passwd' },
      folder: { link: '/etc' },
      '/etc/passwd': 'root',
    } as const,
    steps: [{ edit: 'a.ts', edits: put }, step],
    code: 'outside_workspace' as const,
    says: '"/etc/',
  })),
];

describe('the whole plan is refused for', () => {
  for (const { title, tree, steps, code = 'refused', says } of rows)
    test(title, () => {
      const refusal = refusalOf(() => planOver(memoryTree(tree), steps));
      expect(refusal.message).toContain(says);
      expect(refusal.code).toBe(code);
      expect(refusal.nextStep).toBeTruthy();
    });
});

describe('EDT-24 limits', () => {
  const files = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`d/${at}`, 'x']));

  test('as many files as the limit can be removed, and not one more', () => {
    const whole = [{ delete: 'd', recursive: true }];
    expect(planOver(memoryTree(files(limits.edit.files)), whole).files.length).toBe(limits.edit.files);
    const refusal = refusalOf(() => planOver(memoryTree(files(limits.edit.files + 1)), whole));
    expect(refusal.code).toBe('limit_exceeded');
    expect(refusal.message).toBe('The change touches more than 2000 files.');
  });

  test('a file as large as the limit can be edited, and not one byte larger, before or after', () => {
    const replace = [{ edit: 'a', edits: [[0, 0, 0, 1, 'y']] }] satisfies ShortStep[];
    const grow = [{ edit: 'a', edits: put }] satisfies ShortStep[];
    const most = 'x'.repeat(limits.edit.document);
    expect(planOver(memoryTree({ a: most }), replace).operations.length).toBe(1);
    expect(refusalOf(() => planOver(memoryTree({ a: `${most}x` }), replace)).code).toBe('limit_exceeded');
    expect(refusalOf(() => planOver(memoryTree({ a: most }), grow)).message).toBe(
      '"a" is larger than 4 MiB.',
    );
  });

  test('as many bytes as the limit can be removed, and not one more', () => {
    const half = Buffer.alloc(limits.edit.bytes / 2, 'x');
    const steps = [{ delete: 'a' }, { delete: 'b' }];
    expect(planOver(memoryTree({ a: half, b: half }), steps).operations.length).toBe(2);
    const more = Buffer.concat([half, Buffer.from('x')]);
    const refusal = refusalOf(() => planOver(memoryTree({ a: half, b: more }), steps));
    expect(refusal.code).toBe('limit_exceeded');
    expect(refusal.message).toContain('more than 64 MiB in all');
  });

  test('a file that is too large to be edited can be moved', () => {
    const tree = memoryTree({ a: Buffer.alloc(limits.edit.bytes + 1) });
    expect(planOver(tree, [{ rename: 'a', to: 'b' }]).operations).toMatchObject([{ kind: 'move' }]);
  });
});
