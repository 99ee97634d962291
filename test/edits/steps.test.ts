import { describe, expect, test } from 'vitest';
import { memoryTree, type Thing } from './memory-tree.ts';
import { after, planOver, type ShortStep } from './plan-of.ts';

const hello = [0, 0, 0, 0, 'hello '] as const;

interface Case {
  readonly title: string;
  readonly tree: Readonly<Record<string, Thing>>;
  readonly steps: readonly ShortStep[];
  readonly left: Record<string, string>;
}

const cases: readonly Case[] = [
  {
    title: 'EDT-19 a file is made and then edited',
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
    title: 'a file is removed',
    tree: { 'a.ts': 'world' },
    steps: [{ delete: 'a.ts' }],
    left: {},
  },
];

describe('steps', () => {
  for (const { title, tree, steps, left } of cases)
    test(title, () => {
      expect(after(tree, steps)).toEqual(left);
    });

  test('a file that is edited and moved is one move and one writing', () => {
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
});
