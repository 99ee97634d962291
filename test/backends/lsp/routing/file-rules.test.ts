import { expect, it } from 'vitest';
import { FileRules } from '../../../../src/backends/lsp/routing/file-rules.ts';
import { userSchema } from '../../../../src/config/schema/schema.ts';

const isMeant = (glob: string, path: string) =>
  new FileRules([{ glob, servers: ['s'] }]).of(`/r/${path}`, '/r') !== undefined;

it.each([
  ['*.ts', 'a/b/c.ts', true],
  ['*.ts', 'c.tsx', false],
  ['/src/*.ts', 'src/a.ts', true],
  ['src/*.ts', 'src/b/a.ts', false],
  ['src/**/*.{ts,tsx}', 'src/a.tsx', true],
  ['src/**/*.{ts,tsx}', 'src/b/c/a.ts', true],
  ['src/**', 'src/.hidden/a.ts', true],
  ['[ab].ts', 'x/b.ts', true],
  ['[!ab].ts', 'x/b.ts', false],
] as const)('the glob %s of a rule, with the file %s: %s', (glob, path, expected) => {
  expect(isMeant(glob, path)).toBe(expected);
});

it.each([
  ['stars that take for ever to go back over', `${'*a'.repeat(499)}b`],
  ['folders that do', `${'**/a/'.repeat(199)}b`],
  ['braces that stand for more than can be counted', '{a,b}'.repeat(199)],
  ['braces that nest', `${'{a,'.repeat(300)}b${'}'.repeat(300)}`],
  ['a megabyte', '*a?'.repeat(350_000)],
])('RES-04 a glob of %s is judged all the same', (_name, glob) => {
  expect(isMeant(glob, `${'a/'.repeat(100)}${'a'.repeat(250)}`)).toBe(false);
});

it('RES-04 a glob that cannot be read is an error of the configuration, and matches nothing silently', () => {
  const read = (glob: string) => userSchema.safeParse({ files: { [glob]: [] } }).success;
  expect(['**/*.{ts,tsx}', 'a/[a-z]?.py', 'legacy/**'].every(read)).toBe(true);
  expect(['a/[b', 'a\\*', '{a', 'a}', '{a,b}'.repeat(30)].some(read)).toBe(false);
});
