import { expect, it } from 'vitest';
import { findProjects } from '../../src/backends/lsp/search/load-projects.ts';
import { typescript } from '../../src/servers/typescript.ts';

const { markers = [] } = typescript.projects ?? {};
const plain = { ...typescript, projects: { markers } };
const nothing = async () => undefined;

it('the nearest marker above a file decides its project, and its first file stands for it', async () => {
  const files = [
    '/w/tsconfig.json',
    '/w/src/b.ts',
    '/w/src/a.ts',
    '/w/packages/one/tsconfig.json',
    '/w/packages/one/src/c.ts',
  ];
  expect(await findProjects(files, plain, nothing)).toMatchObject({
    representatives: ['/w/packages/one/src/c.ts', '/w/src/a.ts'],
    loose: [],
  });
});

it('files without a marker above them stand for themselves', async () => {
  const files = ['/w/a.ts', '/w/b.ts', '/w/c.md', '/w/one/tsconfig.json', '/w/one/d.ts'];
  const found = { representatives: ['/w/one/d.ts'], loose: ['/w/a.ts', '/w/b.ts'] };
  expect(await findProjects(files, plain, nothing)).toMatchObject(found);
});

/** One row: what the configuration files say, and what of the files it includes. */
const files = ['/w/src/a.ts', '/w/src/deep/b.ts', '/w/test/a.test.ts', '/w/build.ts'];
const table: readonly {
  readonly what: string;
  readonly configs: Readonly<Record<string, string>>;
  readonly representatives: readonly string[];
  readonly loose: readonly string[];
}[] = [
  {
    what: 'nothing includes everything below',
    configs: { '/w/tsconfig.json': '{}' },
    representatives: ['/w/build.ts'],
    loose: [],
  },
  {
    what: 'a folder in include, with comments and a trailing comma',
    configs: { '/w/tsconfig.json': '{ /* only */ "include": ["src",], }' },
    representatives: ['/w/src/a.ts'],
    loose: ['/w/build.ts', '/w/test/a.test.ts'],
  },
  {
    what: 'patterns in include',
    configs: { '/w/tsconfig.json': '{ "include": ["src/*.ts", "./test/**/*"] }' },
    representatives: ['/w/src/a.ts'],
    loose: ['/w/build.ts', '/w/src/deep/b.ts'],
  },
  {
    what: 'exclude inherited beside an own include',
    configs: {
      '/w/base.json': '{ "exclude": ["src/deep"] }',
      '/w/tsconfig.json': '{ "extends": "./base", "include": ["src"] }',
    },
    representatives: ['/w/src/a.ts'],
    loose: ['/w/build.ts', '/w/src/deep/b.ts', '/w/test/a.test.ts'],
  },
  {
    what: 'a base of an installed package that speaks of the folder of who extends it',
    configs: {
      '/w/node_modules/@cfg/base/tsconfig.json': '{ "include": ["${configDir}/test"] }',
      '/w/tsconfig.json': '{ "extends": ["./none.json", "@cfg/base/tsconfig.json"] }',
    },
    representatives: ['/w/test/a.test.ts'],
    loose: ['/w/build.ts', '/w/src/a.ts', '/w/src/deep/b.ts'],
  },
  {
    what: 'braces and parentheses, which are names here',
    configs: { '/w/tsconfig.json': '{ "include": ["{src,test}/*", "(build).ts"] }' },
    representatives: [],
    loose: ['/w/build.ts', '/w/src/a.ts', '/w/src/deep/b.ts', '/w/test/a.test.ts'],
  },
  {
    what: 'files alone',
    configs: { '/w/tsconfig.json': '{ "files": ["build.ts"] }' },
    representatives: ['/w/build.ts'],
    loose: ['/w/src/a.ts', '/w/src/deep/b.ts', '/w/test/a.test.ts'],
  },
  {
    what: 'include inherited by extends, relative to where it is written',
    configs: {
      '/w/tsconfig.json': '{ "extends": "./config/base" }',
      '/w/config/base.json': '{ "include": ["../src"] }',
    },
    representatives: ['/w/src/a.ts'],
    loose: ['/w/build.ts', '/w/test/a.test.ts'],
  },
  {
    what: 'a solution that refers to configurations beside it',
    configs: {
      '/w/tsconfig.json':
        '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }, { "path": "./tsconfig.test.json" }] }',
      '/w/tsconfig.app.json': '{ "include": ["src"] }',
      '/w/tsconfig.test.json': '{ "include": ["test"] }',
    },
    representatives: ['/w/src/a.ts', '/w/test/a.test.ts'],
    loose: ['/w/build.ts'],
  },
  {
    what: 'a configuration that cannot be read, as one that says nothing',
    configs: { '/w/tsconfig.json': '{ "include": ' },
    representatives: ['/w/build.ts'],
    loose: [],
  },
];

for (const { what, configs, representatives, loose } of table) {
  it(`TypeScript's projects: ${what}`, async () => {
    const all = [...Object.keys(configs), ...files];
    const found = await findProjects(all, typescript, async (path) => configs[path]);
    expect(found).toMatchObject({ representatives, loose });
  });
}
