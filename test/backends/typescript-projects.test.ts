import { expect, it } from 'vitest';
import { typescriptProjects } from '../../src/servers/projects/typescript-projects.ts';

/** Which of some files belong to a project with this configuration. */
async function included(config: object, files: readonly string[]): Promise<readonly string[]> {
  const read = async (path: string) => (path === '/p/tsconfig.json' ? JSON.stringify(config) : undefined);
  const [project] = await typescriptProjects('/p/tsconfig.json', read);
  return files.filter((file) => project?.includes(file));
}

it('includes and excludes files as the compiler reads patterns', async () => {
  const files = ['/p/src/a.ts', '/p/src/(x)/[id]/b.ts', '/p/src/.hid/c.ts', '/p/lib/d.ts', '/q/e.ts'];
  expect(await included({}, files)).toEqual(['/p/src/a.ts', '/p/src/(x)/[id]/b.ts', '/p/lib/d.ts']);
  expect(await included({ include: ['src'] }, files)).toEqual(['/p/src/a.ts', '/p/src/(x)/[id]/b.ts']);
  expect(await included({ include: ['src/(x)/**/*.ts'] }, files)).toEqual(['/p/src/(x)/[id]/b.ts']);
  expect(await included({ include: ['src/.hid/*'] }, files)).toEqual(['/p/src/.hid/c.ts']);
  expect(await included({ include: ['**/?.ts'], exclude: ['src'] }, files)).toEqual(['/p/lib/d.ts']);
});

it('RES-04 hostile patterns of a repository are matched in steps that do not multiply', async () => {
  const name = `${'a'.repeat(250)}b`;
  const hostile = [
    `${'*a'.repeat(60)}*c`,
    `${'**/*a*/'.repeat(40)}x`,
    '{a,b}'.repeat(200),
    `${'(a+)+'.repeat(50)}$`,
    '*'.repeat(4_000),
    'a'.repeat(1_000_000),
    `${'a*'.repeat(500_000)}c`,
  ];
  const file = `/p/${`${name}/`.repeat(10)}${name}.ts`;
  expect(await included({ include: hostile.filter((one) => !one.startsWith('**')) }, [file])).toEqual([]);
  expect(await included({ include: ['**/*'], exclude: hostile.slice(0, 4) }, [file])).toEqual([file]);
});
