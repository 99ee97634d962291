import { expect, it } from 'vitest';
import { Packages } from '../../../src/source-text/packages/packages.ts';

const texts: Readonly<Record<string, string>> = {
  '/w/package.json': '{ "private": true, "devDependencies": { "tool": "1", "@x/a": "*" } }',
  '/w/a/package.json': JSON.stringify({
    name: '@x/a',
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './sub/*': { import: './dist/esm/*.mjs' },
      './feature': [{ node: './build/feature.js' }],
    },
  }),
  '/w/a/tsconfig.json': '{ /* comment */ "compilerOptions": { "outDir": "build", "rootDir": "code", }, }',
  '/w/a/src/index.ts': '',
  '/w/a/src/part.ts': '',
  '/w/a/code/feature.tsx': '',
  '/w/b/package.json': '{ "name": "b", "main": "./lib/main.js" }',
  '/w/b/src/main.js': '',
  '/w/b/src/other/index.js': '',
  '/w/c/package.json': '{ "name": "c" }',
  '/w/c/src/index.tsx': '',
  '/w/d/package.json': 'no JSON',
  '/w/e/package.json': JSON.stringify({
    name: 'e',
    imports: { '#part/*': './dist/*.js', '#c': 'c' },
    dependencies: { near: 'file:../b', 'other-a': 'workspace:@x/a@*' },
  }),
  '/w/e/tsconfig.json': '{ "extends": ["@x/config/base.json", "not-installed/tsconfig.json"] }',
  '/w/e/tsconfig.build.json': '{ "extends": "./tsconfig", "compilerOptions": { "outDir": "made" } }',
  '/w/e/src/part.ts': '',
  '/w/e/code/odd.ts': '',
  '/w/config/package.json': '{ "name": "@x/config" }',
  '/w/config/base.json': JSON.stringify({
    compilerOptions: {
      rootDir: '${configDir}/code',
      baseUrl: '../e/src',
      paths: { '~/*': ['*', '../../b/src/*'], '~/exact': ['../../c/src/index.tsx'] },
    },
  }),
  '/w/f/package.json': JSON.stringify({
    name: 'f',
    exports: { './*': './dist/*.js', './deep/*': './dist/inner/*.js', './old/': './lib/' },
    typesVersions: { '*': { typed: ['./dist/inner/one.d.ts'] } },
  }),
  '/w/f/src/inner/one.ts': '',
  '/w/g/pyproject.toml': '[project]\nname = "my-tool"\n[tool.setuptools.package-dir]\ngiven = "code"\n',
  '/w/g/code/__init__.py': '',
  '/w/g/code/mod.py': '',
  '/w/p/pkg/__init__.py': '',
  '/w/p/pkg/mod.py': '',
};

const packages = await Packages.read(Object.keys(texts), async (file) => texts[file]);

it.each([
  ['@x/a', '/w/b/src/main.js', ['/w/a/src/index.ts']],
  ['@x/a/sub/part', '/w/b/src/main.js', ['/w/a/src/part.ts']],
  ['@x/a/feature', '/w/b/src/main.js', ['/w/a/code/feature.tsx']],
  ['@x/a/hidden', '/w/b/src/main.js', []],
  ['b', '/w/a/src/index.ts', ['/w/b/src/main.js']],
  ['c', '/w/a/src/index.ts', ['/w/c/src/index.tsx']],
  ['./part', '/w/a/src/index.ts', ['/w/a/src/part.ts']],
  ['./part.js', '/w/a/src/index.ts', ['/w/a/src/part.ts']],
  ['./other', '/w/b/src/main.js', ['/w/b/src/other/index.js']],
  ['tool', '/w/a/src/index.ts', []],
  ['#part/part', '/w/e/src/part.ts', ['/w/e/src/part.ts']],
  ['#c', '/w/e/src/part.ts', ['/w/c/src/index.tsx']],
  ['near', '/w/e/src/part.ts', ['/w/b/src/main.js']],
  ['other-a', '/w/e/src/part.ts', ['/w/a/src/index.ts']],
  ['~/part', '/w/e/src/x.ts', ['/w/e/src/part.ts']],
  ['~/main', '/w/e/src/x.ts', ['/w/b/src/main.js']],
  ['~/exact', '/w/e/src/x.ts', ['/w/c/src/index.tsx']],
  ['part', '/w/e/src/x.ts', ['/w/e/src/part.ts']],
  ['../made/odd.js', '/w/e/test/x.ts', ['/w/e/code/odd.ts']],
  ['f/deep/one', '/w/a/src/index.ts', ['/w/f/src/inner/one.ts']],
  ['f/old/inner/one', '/w/a/src/index.ts', ['/w/f/src/inner/one.ts']],
  ['f/typed', '/w/a/src/index.ts', ['/w/f/src/inner/one.ts']],
  ['given.mod', '/w/p/other.py', ['/w/g/code/mod.py']],
  ['.mod', '/w/p/pkg/__init__.py', ['/w/p/pkg/mod.py']],
  ['pkg', '/w/p/other.py', ['/w/p/pkg/__init__.py']],
  ['pkg.mod', '/w/p/other.py', ['/w/p/pkg/mod.py']],
])('%s in %s means %j', (module, from, expected) => {
  expect(packages.sources(module, from)).toEqual(expected);
});

it.each([
  ['tool', '/w/a/src/index.ts', true],
  ['fs', '/w/a/src/index.ts', true],
  ['node:fs', '/w/a/src/index.ts', true],
  ['@x/a', '/w/a/src/index.ts', false],
  ['unknown', '/w/a/src/index.ts', false],
  ['./gone', '/w/a/src/index.ts', false],
  ['requests', '/w/p/other.py', true],
  ['pkg.gone', '/w/p/other.py', false],
  ['my_tool', '/w/p/other.py', false],
  ['given', '/w/p/other.py', false],
  ['#gone', '/w/e/src/part.ts', false],
])('%s in %s is known to be of another place: %s', (module, from, expected) => {
  expect(packages.isForeign(module, from)).toBe(expected);
});

it.each([
  ['/w/a/dist/part.d.ts', ['/w/a/src/part.ts']],
  ['/w/a/build/feature.js', ['/w/a/code/feature.tsx']],
  ['/w/a/src/part.ts', ['/w/a/src/part.ts']],
  ['/w/a/dist/gone.d.ts', []],
  ['/elsewhere/dist/part.d.ts', []],
])('%s is built from %j', (file, expected) => {
  expect(packages.sourcesOfBuilt(file)).toEqual(expected);
});
