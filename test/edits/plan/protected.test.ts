import { describe, expect, test } from 'vitest';
import { memoryTree, type Thing } from '../memory-tree.ts';
import { planOver, refusalOf, type ShortStep } from '../plan-of.ts';

interface Row {
  readonly title: string;
  readonly tree?: Readonly<Record<string, Thing>>;
  readonly steps: readonly ShortStep[];
  readonly named: readonly string[];
}

const tree = {
  '.git/config': '',
  '.git/hooks/pre-commit': '',
  '.vscode/tasks.json': '{}',
  'lspan.toml': '',
  'src/a.ts': 'a',
  'nested/.git/config': '',
  'nested/b.ts': 'b',
  'flows/workflows/ci.yml': '',
  '.envrc': { link: 'src/a.ts' },
} satisfies Record<string, Thing>;

const put = [[0, 0, 0, 0, 'x']] as const;

const rows: readonly Row[] = [
  { title: 'an edit', steps: [{ edit: '.vscode/tasks.json', edits: put }], named: ['.vscode/tasks.json'] },
  {
    title: 'an edit of our own configuration',
    steps: [{ edit: 'lspan.toml', edits: put }],
    named: ['lspan.toml'],
  },
  {
    title: 'an edit through a link with a protected name',
    steps: [{ edit: '.envrc', edits: put }],
    named: ['.envrc'],
  },
  { title: 'a new file', steps: [{ create: '.github/workflows/x.yml' }], named: ['.github/workflows/x.yml'] },
  {
    title: 'a new file in another spelling',
    steps: [{ create: '.GitHub/Workflows/x.yml' }],
    named: ['.GitHub/Workflows/x.yml'],
  },
  {
    title: 'a move to and from a protected path',
    steps: [
      { rename: 'src/a.ts', to: '.git/hooks/post-commit' },
      { rename: '.git/config', to: 'config' },
    ],
    named: ['.git/config', '.git/hooks/post-commit'],
  },
  { title: 'a removal', steps: [{ delete: '.git/config' }], named: ['.git/config'] },
  {
    title: 'the removal of a protected folder',
    steps: [{ delete: '.git', recursive: true }],
    named: ['.git'],
  },
  {
    title: 'the removal of a folder that contains a protected file',
    steps: [{ delete: 'nested', recursive: true }],
    named: ['nested/.git'],
  },
  {
    title: 'the move of a folder that contains a protected file',
    steps: [{ rename: 'nested', to: 'other' }],
    named: ['nested/.git'],
  },
  {
    title: 'the move of a folder to a protected path',
    steps: [{ rename: 'flows', to: '.github' }],
    named: ['.github/workflows'],
  },
];

describe('BND-17 protected paths', () => {
  for (const { title, steps, named } of rows)
    test(`${title} is refused unless each protected path is named`, () => {
      const refusal = refusalOf(() => planOver(memoryTree(tree), steps));
      expect(refusal.code).toBe('protected');
      for (const each of named) expect(refusal.message).toContain(`"${each}"`);
      expect(refusal.nextStep).toContain('allow_protected');
      const plan = planOver(memoryTree(tree), steps, { allowProtected: named });
      expect(plan.protectedPaths).toEqual(named.map((each) => `/w/${each}`));
    });

  test('one protected path that is not named is enough to refuse the plan', () => {
    const steps = [{ edit: 'lspan.toml', edits: put }, { create: '.mcp.json' }];
    const refusal = refusalOf(() => planOver(memoryTree(tree), steps, { allowProtected: ['lspan.toml'] }));
    expect(refusal.message).toContain('".mcp.json"');
    expect(refusal.message).not.toContain('lspan.toml');
  });

  test('each may be named as shown, relative to the root, or by its absolute path', () => {
    for (const given of ['lspan.toml', './lspan.toml', '/w/lspan.toml'])
      expect(
        planOver(memoryTree(tree), [{ edit: 'lspan.toml', edits: put }], { allowProtected: [given] }).files
          .length,
      ).toBe(1);
  });

  test('naming a folder does not name its contents', () => {
    const steps = [{ edit: '.git/config', edits: put }];
    expect(refusalOf(() => planOver(memoryTree(tree), steps, { allowProtected: ['.git'] })).code).toBe(
      'protected',
    );
  });

  test('a change that touches no protected path lists none', () => {
    expect(planOver(memoryTree(tree), [{ edit: 'src/a.ts', edits: put }]).protectedPaths).toEqual([]);
  });
});
