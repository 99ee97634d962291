import { describe, expect, test } from 'vitest';
import { memoryTree, type Thing } from '../memory-tree.ts';
import { leftBy, planOver, refusalOf, type ShortStep } from '../plan-of.ts';

const hello = [0, 0, 0, 0, 'hello '] as const;

interface Case {
  readonly title: string;
  readonly tree: Readonly<Record<string, Thing>>;
  readonly steps: readonly ShortStep[];
  readonly left: Record<string, string>;
}

const cases: readonly Case[] = [
  {
    title: 'EDT-19 a file is created and then edited',
    tree: {},
    steps: [{ create: 'a.ts' }, { edit: 'a.ts', edits: [[0, 0, 0, 0, 'x\r\n']] }],
    left: { 'a.ts': 'x\r\n' },
  },
  {
    title: 'EDT-19 a file is moved and edited under its new name',
    tree: { 'a.ts': 'world' },
    steps: [
      { rename: 'a.ts', to: 'b.ts' },
      { edit: 'b.ts', edits: [hello] },
    ],
    left: { 'b.ts': 'hello world' },
  },
  {
    title: 'EDT-19 a file is edited, moved, and edited again in the text that the first edit left',
    tree: { 'a.ts': 'world' },
    steps: [
      { edit: 'a.ts', edits: [hello] },
      { rename: 'a.ts', to: 'b.ts' },
      { edit: 'b.ts', edits: [[0, 6, 0, 11, 'you']] },
    ],
    left: { 'b.ts': 'hello you' },
  },
  {
    title: 'EDT-19 a file is edited in two steps, each in the text that the one before left',
    tree: { 'a.ts': 'world' },
    steps: [
      { edit: 'a.ts', edits: [hello] },
      { edit: 'a.ts', edits: [[0, 11, 0, 11, '!']] },
    ],
    left: { 'a.ts': 'hello world!' },
  },
  {
    title: 'EDT-19 two files change places',
    tree: { a: 'A', b: 'B' },
    steps: [
      { rename: 'a', to: 't' },
      { rename: 'b', to: 'a' },
      { rename: 't', to: 'b' },
    ],
    left: { a: 'B', b: 'A' },
  },
  {
    title: 'EDT-20 a new file replaces an existing one if it may',
    tree: { 'a.ts': { bytes: 'old', mode: 0o600 } },
    steps: [{ create: 'a.ts', text: 'new', ifThere: 'overwrite' }],
    left: { 'a.ts': 'new' },
  },
  {
    title: 'EDT-20 a new file leaves an existing one alone if it should',
    tree: { 'a.ts': 'old' },
    steps: [{ create: 'a.ts', text: 'new', ifThere: 'ignore' }],
    left: { 'a.ts': 'old' },
  },
  {
    title: 'EDT-20 a new file replaces the target of a link, and the link stays',
    tree: { 'a.ts': { link: 'b.ts' }, 'b.ts': 'old' },
    steps: [{ create: 'a.ts', text: 'new', ifThere: 'overwrite' }],
    left: { 'a.ts ->': 'b.ts', 'b.ts': 'new' },
  },
  {
    title: 'EDT-21 a file is moved onto another if it may replace it',
    tree: { a: 'A', b: 'B' },
    steps: [{ rename: 'a', to: 'b', ifThere: 'overwrite' }],
    left: { b: 'A' },
  },
  {
    title: 'EDT-21 a file is not moved onto another that should be left alone',
    tree: { a: 'A', b: 'B' },
    steps: [{ rename: 'a', to: 'b', ifThere: 'ignore' }],
    left: { a: 'A', b: 'B' },
  },
  {
    title: 'EDT-21 a file is moved into folders that do not exist yet',
    tree: { a: 'A' },
    steps: [{ rename: 'a', to: 'd/e/a' }],
    left: { 'd/': '', 'd/e/': '', 'd/e/a': 'A' },
  },
  {
    title: 'EDT-21 a folder is moved with its contents, and a file in it is edited before and after',
    tree: { 'd/a': 'A', 'd/e/b': 'B', 'd/l': { link: '/etc' } },
    steps: [
      { edit: 'd/a', edits: [hello] },
      { rename: 'd', to: 'n/d' },
      { edit: 'n/d/e/b', edits: [hello] },
    ],
    left: {
      'n/': '',
      'n/d/': '',
      'n/d/a': 'hello A',
      'n/d/e/': '',
      'n/d/e/b': 'hello B',
      'n/d/l ->': '/etc',
    },
  },
  {
    title: 'EDT-21 a file is moved to another file system',
    tree: { a: { bytes: 'A', mode: 0o755 }, m: { folder: true, device: 2 } },
    steps: [{ rename: 'a', to: 'm/a' }],
    left: { 'm/': '', 'm/a': 'A' },
  },
  {
    title: 'EDT-21 a file is moved to another file system and back',
    tree: { a: 'A', m: { folder: true, device: 2 } },
    steps: [
      { rename: 'a', to: 'm/a' },
      { rename: 'm/a', to: 'a' },
    ],
    left: { a: 'A', 'm/': '' },
  },
  {
    title: 'EDT-21 a link itself is moved, also to another file system',
    tree: { l: { link: '/etc' }, k: { link: 'x' }, m: { folder: true, device: 2 } },
    steps: [
      { rename: 'l', to: 'm/l' },
      { rename: 'k', to: 'n' },
    ],
    left: { 'm/': '', 'm/l ->': '/etc', 'n ->': 'x' },
  },
  {
    title: 'EDT-22 a file is removed',
    tree: { 'a.ts': 'world' },
    steps: [{ delete: 'a.ts' }],
    left: {},
  },
  {
    title: 'EDT-22 a missing file is ignored if the step says so',
    tree: { 'a.ts': 'world' },
    steps: [{ delete: 'b.ts', ifMissing: 'ignore' }],
    left: { 'a.ts': 'world' },
  },
  {
    title: 'BND-22 links in a folder are removed as links',
    tree: { 'd/out': { link: '/etc' }, 'd/in': { link: '../a' }, 'd/e/b': 'B', a: 'A' },
    steps: [{ delete: 'd', recursive: true }],
    left: { a: 'A' },
  },
  {
    title: 'EDT-12 an edit changes the target of a link, which stays',
    tree: { 'l.ts': { link: 'd/a.ts' }, 'd/a.ts': 'world' },
    steps: [{ edit: 'l.ts', edits: [hello] }],
    left: { 'l.ts ->': 'd/a.ts', 'd/': '', 'd/a.ts': 'hello world' },
  },
  {
    title: 'EDT-08 a byte order mark stays, and columns count from after it',
    tree: { a: '\uFEFFworld' },
    steps: [{ edit: 'a', edits: [hello] }],
    left: { a: '\uFEFFhello world' },
  },
  {
    title: 'EDT-08 a byte order mark in a replacement of the whole document is not doubled',
    tree: { a: '\uFEFFworld' },
    steps: [{ edit: 'a', edits: [[0, 0, 9, 0, '\uFEFFhello']] }],
    left: { a: '\uFEFFhello' },
  },
  {
    title: 'a file that is removed and created again is replaced',
    tree: { 'a.ts': 'old' },
    steps: [{ delete: 'a.ts' }, { create: 'a.ts', text: 'new' }],
    left: { 'a.ts': 'new' },
  },
];

describe('steps', () => {
  for (const { title, tree, steps, left } of cases)
    test(title, () => {
      expect(leftBy(tree, steps)).toEqual(left);
    });

  test('a file that is edited and moved becomes one move and one write', () => {
    const tree = memoryTree({ 'a.ts': 'world' });
    const plan = planOver(tree, [
      { edit: 'a.ts', edits: [hello] },
      { rename: 'a.ts', to: 'b.ts' },
    ]);
    expect(plan.operations.map(({ kind }) => kind)).toEqual(['move', 'put']);
    expect(plan.files).toMatchObject([
      {
        path: '/w/a.ts',
        newPath: '/w/b.ts',
        change: 'rename',
        edits: 1,
        before: 'world',
        after: 'hello world',
      },
    ]);
  });

  test('a file that is removed and created again becomes one write', () => {
    const plan = planOver(memoryTree({ a: 'old' }), [{ delete: 'a' }, { create: 'a', text: 'new' }]);
    expect(plan.operations).toMatchObject([{ kind: 'put', before: { hash: plan.files[0]?.hashBefore } }]);
    expect(plan.files).toMatchObject([{ change: 'edit', before: 'old', after: 'new', edits: 1 }]);
  });

  test('a file that is moved and then removed is only removed', () => {
    const plan = planOver(memoryTree({ a: 'A' }), [{ rename: 'a', to: 'b' }, { delete: 'b' }]);
    expect(plan.operations).toMatchObject([{ kind: 'remove', path: '/w/a' }]);
    expect(plan.files).toMatchObject([{ path: '/w/a', change: 'delete' }]);
  });

  test('a folder cannot be moved and then removed, since that could not be undone', () => {
    const tree = memoryTree({ 'd/a': 'A', 'e/b': 'B' });
    const refused = refusalOf(() =>
      planOver(tree, [
        { rename: 'd', to: 'e/d' },
        { delete: 'e', recursive: true },
      ]),
    );
    expect(refused.message).toBe('"e/d" is moved by the same change that removes it.');
  });

  test('a folder is removed from the bottom up', () => {
    const plan = planOver(memoryTree({ 'd/e/a': 'A', 'd/b': 'B', 'd/empty': { folder: true } }), [
      { delete: 'd', recursive: true },
    ]);
    const done = plan.operations.map((each) => `${each.kind} ${'path' in each ? each.path : ''}`);
    expect(done).toEqual([
      'remove /w/d/b',
      'remove /w/d/e/a',
      'remove_folder /w/d/e',
      'remove_folder /w/d/empty',
      'remove_folder /w/d',
    ]);
    expect(plan.files.map(({ path }) => path)).toEqual(['/w/d/b', '/w/d/e/a', '/w/d/empty']);
  });

  test('a folder that moves is one entry, besides files in it whose text changes', () => {
    const plan = planOver(memoryTree({ 'd/a': 'A', 'd/b': 'B', 'd/e/c': 'C' }), [
      { rename: 'd', to: 'n' },
      { edit: 'n/a', edits: [hello] },
      { rename: 'n/e', to: 'e' },
    ]);
    expect(plan.files.map(({ path, newPath }) => `${path} ${newPath}`)).toEqual([
      '/w/d /w/n',
      '/w/d/a /w/n/a',
      '/w/d/e /w/e',
    ]);
  });

  test('EDT-21 a move that changes the case of a name respells it if case does not count, and means another file if it does', () => {
    const rename = [{ rename: 'a.ts', to: 'A.ts' }];
    const tree = memoryTree({ 'a.ts': 'a' }, { ignoresCase: true });
    tree.carryOut(planOver(tree, rename).operations);
    expect(tree.state()).toEqual({ 'A.ts': 'a' });
    const links = memoryTree({
      'a.ts': { bytes: 'a', inode: 7, names: 2 },
      'A.ts': { bytes: 'a', inode: 7, names: 2 },
    });
    expect(refusalOf(() => planOver(links, rename)).message).toBe('"A.ts" already exists.');
  });

  test('BND-08 EDT-13 an edit of a hard-linked file reports that its other names keep the old content', () => {
    const tree = memoryTree({ a: { bytes: 'A', names: 2 }, b: { bytes: 'B', names: 2 } });
    const plan = planOver(tree, [
      { edit: 'a', edits: [hello] },
      { rename: 'b', to: 'c' },
    ]);
    expect(plan.files.map(({ linkBroken }) => linkBroken)).toEqual([true, undefined]);
  });

  test('EDT-11 modes are kept by edits and moves', () => {
    const tree = memoryTree({
      a: { bytes: 'A', mode: 0o755 },
      b: { bytes: 'B', mode: 0o600 },
      m: { folder: true, device: 2 },
    });
    tree.carryOut(
      planOver(tree, [
        { edit: 'a', edits: [hello] },
        { rename: 'a', to: 'c' },
        { rename: 'b', to: 'm/b' },
        { create: 'n' },
      ]).operations,
    );
    expect([tree.mode('c'), tree.mode('m/b'), tree.mode('n')]).toEqual([
      0o755,
      0o600,
      0o666 & ~process.umask(),
    ]);
  });

  test('steps that cancel each other, and edits that change nothing, leave no operations', () => {
    const plan = planOver(memoryTree({ a: 'A', 'r.ts': { bytes: 'a\n', mode: 0o444 } }), [
      { rename: 'a', to: 'd/b' },
      { rename: 'd/b', to: 'a' },
      { edit: 'r.ts', edits: [[0, 0, 1, 0, 'a\n']] },
      { create: 'new' },
      { delete: 'new' },
    ]);
    expect([plan.files, plan.operations, plan.roots]).toEqual([[], [], []]);
  });

  test('a plan names the roots that it touches', () => {
    const tree = memoryTree({ a: 'A', '/v/b': 'B' }, { roots: ['/w', '/v', '/u'] });
    expect(planOver(tree, [{ rename: '/v/b', to: 'b' }]).roots).toEqual(['/w', '/v']);
    expect(planOver(tree, [{ edit: 'a', edits: [hello] }]).roots).toEqual(['/w']);
  });

  test('a file is not edited through a link that a step moves', () => {
    const tree = memoryTree({ l: { link: 'a' }, a: 'A' });
    const refusal = refusalOf(() =>
      planOver(tree, [
        { rename: 'l', to: 'k' },
        { edit: 'k', edits: [hello] },
      ]),
    );
    expect(refusal.message).toBe('"k" is a link that the same change moves.');
  });

  test('a path through a link that an earlier step removed or moved is refused', () => {
    const things = { l: { link: 'd' }, 'd/a': 'A', 'e/l': { link: '../d' } };
    const steps: readonly (readonly ShortStep[])[] = [
      [{ delete: 'l' }, { create: 'l/x' }],
      [{ delete: 'l' }, { create: 'none/../l/x' }],
      [
        { rename: 'l', to: 'k' },
        { edit: 'l/a', edits: [hello] },
      ],
      [
        { rename: 'e', to: 'f' },
        { rename: 'd/a', to: 'e/l/a' },
      ],
    ];
    for (const each of steps)
      expect(refusalOf(() => planOver(memoryTree(things), each)).message).toContain(
        'is a link that the same change',
      );
    expect(leftBy(things, [{ delete: 'd/a' }, { create: 'l/x' }])).toMatchObject({ 'd/x': '' });
  });

  test('a file that replaces a link is the one that is edited', () => {
    const left = leftBy({ l: { link: 'a' }, a: 'A' }, [
      { delete: 'l' },
      { create: 'l' },
      { edit: 'l', edits: [hello] },
    ]);
    expect(left).toEqual({ a: 'A', l: 'hello ' });
  });
});
