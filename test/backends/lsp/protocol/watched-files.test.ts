import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Capabilities } from '../../../../src/backends/lsp/protocol/capabilities.ts';
import { readWatching, watchFilter } from '../../../../src/backends/lsp/protocol/watched-files.ts';
import { limits } from '../../../../src/core/limits.ts';
import { withSeed } from '../../../with-seed.ts';

type Kind = 'created' | 'changed' | 'deleted';

/** Whether a change is told to a server that asked for these watchers. */
function isTold(watchers: unknown, path: string, kind: Kind = 'changed'): boolean {
  return watchFilter(readWatching([{ watchers }]))({ kind, path });
}
const globs = (...patterns: unknown[]) => patterns.map((globPattern) => ({ globPattern }));
const isSimplified = (watchers: unknown) => readWatching([{ watchers }]).simplified;

describe('a glob of a server', () => {
  it.each([
    ['**/*.ts', '/w/a/b.ts', true],
    ['**/*.ts', '/w/a/b.tsx', false],
    ['*.ts', '/w/a/b.ts', true],
    ['package.json', '/w/a/package.json', true],
    ['a/b.ts', '/w/a/b.ts', true],
    ['a/b.ts', '/w/a/x/b.ts', false],
    ['/w/*.ts', '/w/a.ts', true],
    ['/w/*.ts', '/w/a/b.ts', false],
    ['/w/**', '/w/a/.hidden/b', true],
    ['/w/**/b/**/d', '/w/a/b/c/b/x/d', true],
    ['/w/**/b/**/d', '/w/a/c/d', false],
    ['**', '/w/a', true],
    ['**/{a,b}/*.{ts,js}', '/w/b/x.js', true],
    ['**/{a,b}/*.{ts,js}', '/w/c/x.js', false],
    ['**/*.{ts,{js,jsx}}', '/w/x.jsx', true],
    ['{**/*.ts,/w/x/**}', '/w/x/y', true],
    ['**/a{,.b}', '/w/a', true],
    ['**/a?c', '/w/abc', true],
    ['**/a?c', '/w/a/c', false],
    ['**/[a-c]x[!0-9]', '/w/bxz', true],
    ['**/[a-c]x[!0-9]', '/w/bx7', false],
    ['**/[a-c]x[!0-9]', '/w/dxz', false],
    ['**/a*b*c', '/w/aXbbYc', true],
    ['**/a*b*c', '/w/aXbbYcd', false],
    ['a,b', '/w/a,b', true],
    ['!a', '/w/!a', true],
    ['!a', '/w/b', false],
  ])('%s means %s: %s', (pattern, path, expected) => {
    expect(isTold(globs(pattern), path)).toBe(expected);
    expect(isSimplified(globs(pattern))).toBe(false);
  });

  it('means what the same rule says as a regular expression, for any pattern and any path', () => {
    const pieces = { a: 'a', '.': '\\.', '*': '[^/]*', '?': '[^/]', '[a-b]': '[a-b]', '[!a]': '[^a/]' };
    const groups = { '{a,b}': '(?:a|b)', '{a,b*,{.,a?}}': '(?:a|b[^/]*|\\.|a[^/])' };
    const piece = fc.constantFrom(...Object.entries({ ...pieces, ...groups }));
    const name = fc
      .array(piece, { minLength: 1, maxLength: 5 })
      .map((parts) => ({
        glob: parts.map(([glob]) => glob).join(''),
        rule: `/${parts.map(([, rule]) => rule).join('')}`,
      }))
      .filter(({ glob }) => !glob.includes('**'));
    const folders = fc.constant({ glob: '**', rule: '(?:/[^/]*)*' });
    const names = fc.array(fc.oneof(name, folders), { minLength: 1, maxLength: 5 });
    const path = fc.array(fc.stringMatching(/^[ab.]{0,4}$/), { minLength: 1, maxLength: 6 });
    const agrees = fc.property(names, path, (wanted, given) => {
      const full = `/${given.join('/')}`;
      const rule = new RegExp(`^${wanted.map((one) => one.rule).join('')}$`);
      const glob = `/${wanted.map((one) => one.glob).join('/')}`;
      fc.pre(!isSimplified(globs(glob)));
      expect(isTold(globs(glob), full), `${glob} ${full}`).toBe(rule.test(full));
    });
    fc.assert(agrees, withSeed({ numRuns: 5_000 }));
  });

  it('may be relative to a folder, whose neighbours do not count', () => {
    const watchers = globs({ baseUri: 'file:///w/a%20b', pattern: '**/*.ts' });
    expect(isTold(watchers, '/w/a b/c/x.ts')).toBe(true);
    expect(isTold(watchers, '/w/a b2/x.ts')).toBe(false);
    const folder = globs({ baseUri: { uri: 'file:///w/a/', name: 'a' }, pattern: '*.ts' });
    expect(isTold(folder, '/w/a/x.ts')).toBe(true);
    expect(isTold(folder, '/w/a/b/x.ts')).toBe(false);
  });

  it('counts for the kinds of change that it names', () => {
    const watchers = [{ globPattern: '**/a', kind: 5 }];
    expect(
      (['created', 'changed', 'deleted'] as const).map((kind) => isTold(watchers, '/w/a', kind)),
    ).toEqual([true, false, true]);
  });
});

describe('PRO-25 a watcher that asks for too much, or for what cannot be read, is told everything', () => {
  const nested = `${'{a,'.repeat(500)}b${'}'.repeat(500)}`;
  it.each<[string, unknown]>([
    ['a pattern of a megabyte', 'a'.repeat(1 << 20)],
    ['a pattern longer than the limit by one', 'a'.repeat(limits.watch.pattern - 2)],
    ['30 pairs of braces', '{a,b}'.repeat(30)],
    ['braces in braces', `{${nested},${nested}}{${nested},c}`],
    ['braces that are not closed', '**/{a,b'],
    ['braces that are not opened', '**/a}'],
    ['a bracket that is not closed', '**/[a'],
    ['an escape', '**/\\*'],
    ['no text', 7],
    ['nothing', undefined],
    ['a folder that is none', { baseUri: 'https://example.org', pattern: '*' }],
    ['a folder on another machine', { baseUri: 'file://host/share', pattern: '*' }],
    ['a malformed folder', { baseUri: 'file:///%zz', pattern: '*' }],
    ['no pattern in a folder', { baseUri: 'file:///w' }],
  ])('%s', (_what, pattern) => {
    expect(isTold(globs(pattern), '/w/anything/at.all')).toBe(true);
    expect(isSimplified(globs(pattern))).toBe(true);
  });

  it('and so are 1,001 globs, but not 1,000', () => {
    const some = (count: number) => globs(...Array.from({ length: count }, (_, index) => `**/${index}.x`));
    expect(isSimplified(some(limits.watch.globs))).toBe(false);
    expect(isTold(some(limits.watch.globs), '/w/y')).toBe(false);
    for (const count of [limits.watch.globs + 1, 10_000]) {
      expect(isSimplified(some(count))).toBe(true);
      expect(isTold(some(count), '/w/y')).toBe(true);
    }
  });

  it('and so are braces that stand for 1,001 globs, but not for 1,000', () => {
    const some = (count: number) =>
      globs(`**/{${Array.from({ length: count }, (_, index) => index).join(',')}}`);
    expect(isTold(some(limits.watch.globs), '/w/y')).toBe(false);
    expect(isTold(some(limits.watch.globs + 1), '/w/y')).toBe(true);
  });

  it('and so is a server with more registrations than are kept', () => {
    const watch = (id: number) => ({
      id: `${id}`,
      method: 'workspace/didChangeWatchedFiles',
      registerOptions: { watchers: globs('**/a') },
    });
    const capabilities = new Capabilities();
    for (let id = 1; id <= limits.registrations; id++) capabilities.register([watch(id)]);
    capabilities.register([watch(1)]);
    expect(watchFilter(capabilities.watching)({ kind: 'changed', path: '/w/b' })).toBe(false);
    capabilities.register([watch(0)]);
    expect(watchFilter(capabilities.watching)({ kind: 'changed', path: '/w/b' })).toBe(true);
    expect(capabilities.watching.simplified).toBe(true);
  });

  it('a flood of registrations costs one reading of each, when the next change is sent', () => {
    let reads = 0;
    const counted = {
      get watchers() {
        reads += 1;
        return globs('**/a');
      },
    };
    let simplified = 0;
    const capabilities = new Capabilities(() => {
      simplified += 1;
    });
    const method = 'workspace/didChangeWatchedFiles';
    for (let id = 1; id <= limits.registrations; id++)
      capabilities.register([{ id: `${id}`, method, registerOptions: counted }]);
    expect(reads).toBe(0);
    expect(capabilities.watching.globs).toBe(limits.registrations);
    expect(reads).toBe(limits.registrations);
    capabilities.register([{ id: 'more', method, registerOptions: counted }]);
    expect([capabilities.watching.simplified, capabilities.watching.simplified, simplified]).toEqual([
      true,
      true,
      1,
    ]);
  });

  it('and so is one whose globs would have to be compared too often in one batch', () => {
    const some = globs(...Array.from({ length: limits.watch.globs }, (_, index) => `**/${index}.x`));
    const asked = watchFilter(readWatching([{ watchers: some }]));
    const most = limits.watch.comparisons / limits.watch.globs;
    const told = Array.from({ length: most + 2 }, (_, index) =>
      asked({ kind: 'changed', path: `/w/y${index}` }),
    );
    expect(told.indexOf(true)).toBe(most);
  });
});

describe('PRO-25 a glob that would take for ever where stars are tried in turn', () => {
  const path = `/w/${'a/'.repeat(120)}${'a'.repeat(250)}b`;
  it.each([
    ['stars in a name', `**/${'*a'.repeat(100)}`],
    ['folders in a row', '**/a/'.repeat(100)],
    ['both', '**/*a*/'.repeat(100)],
    ['alternatives that overlap', `**/${'{a,aa}'.repeat(9)}`],
    ['more stars than letters', `**/${'*'.repeat(1_000)}`],
  ])('%s', (_what, start) => {
    expect(isTold(globs(`${start}*c`), path)).toBe(false);
    expect(isTold(globs(`${start}*b`), path)).toBe(true);
    expect(isSimplified(globs(`${start}*c`))).toBe(false);
  });
});
