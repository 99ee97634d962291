import fc from 'fast-check';
import ts from 'typescript';
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

it('leaves out folders that are excluded anywhere, and what the compiler writes', async () => {
  const files = ['/p/src/a.ts', '/p/src/__tests__/b.ts', '/p/src/x/__tests__/deep/c.ts', '/p/out/d.d.ts'];
  expect(await included({ exclude: ['**/__tests__'] }, files)).toEqual(['/p/src/a.ts', '/p/out/d.d.ts']);
  const built = { compilerOptions: { outDir: './out' } };
  expect(await included(built, files)).toEqual(files.slice(0, 3));
  expect(await included({ ...built, exclude: [] }, files)).toEqual(files);
});

it('reads any patterns as the compiler does', async () => {
  const name = fc.constantFrom('src', 'lib', '.hid', 'node_modules', '__tests__', 'v1.0', '(x)');
  const last = fc.constantFrom('a.ts', 'b.test.ts', 'c.tsx', 'd.js', 'e.min.js', 'f.mts');
  const files = fc.uniqueArray(
    fc
      .tuple(fc.array(name, { maxLength: 4 }), last)
      .map(([folders, file]) => ['/p', ...folders, file].join('/')),
    { minLength: 5, maxLength: 25 },
  );
  const part = fc.oneof(name, fc.constantFrom('**', '*', 's*', '?rc', '.*', '*.test.ts', '*.ts', 'a.ts'));
  const pattern = fc
    .tuple(fc.constantFrom('', './', '../p/'), fc.array(part, { minLength: 1, maxLength: 4 }))
    .map(([start, parts]) => start + parts.join('/'));
  const patterns = fc.array(pattern, { maxLength: 3 });
  const config = fc.record(
    {
      include: patterns,
      exclude: patterns,
      compilerOptions: fc.record(
        { allowJs: fc.boolean(), outDir: fc.constantFrom('lib', './src/lib', '../p/v1.0') },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(files, config, async (all, some) => {
      expect(await included(some, [...all].sort())).toEqual(compiled(some, all));
    }),
    { numRuns: 3_000 },
  );
});

/** The files that the compiler itself takes for those of a project. */
function compiled(config: object, files: readonly string[]): readonly string[] {
  const entries = (folder: string) => {
    const below = files
      .filter((file) => file.startsWith(`${folder}/`))
      .map((file) => file.slice(folder.length + 1));
    const isFile = (name: string) => !name.includes('/');
    const folders = below.filter((one) => !isFile(one)).map((one) => one.split('/')[0] ?? '');
    return { files: below.filter(isFile), directories: [...new Set(folders)] };
  };
  const host: ts.ParseConfigHost = {
    useCaseSensitiveFileNames: true,
    fileExists: (file) => files.includes(file),
    readFile: () => undefined,
    readDirectory: (root, endings, excludes, includes, depth) =>
      matchFiles(root, endings, excludes, includes, true, '/p', depth, entries, (path: string) => path),
  };
  return [
    ...ts.parseJsonConfigFileContent(config, host, '/p', undefined, '/p/tsconfig.json').fileNames,
  ].sort();
}

/** What the compiler walks folders with; not declared. */
const { matchFiles }: { matchFiles(...args: unknown[]): string[] } = Object.assign(
  { matchFiles: () => [] },
  ts,
);

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
