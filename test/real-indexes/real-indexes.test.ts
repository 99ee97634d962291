import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { pinned, pinnedFolder } from '../campaigns/pinned.js';
import { isComplete, missingPrograms } from '../missing-programs.ts';
import { explain, sentences } from './explain-difference.ts';
import { compareWithServer, type IndexedProject } from './indexed-project.ts';

const modules = path.resolve('node_modules');
/** Indexers, and a package of npm that has a real project in Python in it. */
const packages = {
  typescript: ['@sourcegraph/scip-typescript', '0.4.0'],
  python: ['@sourcegraph/scip-python', '0.6.6'],
  gyp: ['node-gyp', '13.1.0'],
} as const;
const crates = '/usr/lib/rustlib/src/rust/library/vendor';
const demangle = existsSync(crates)
  ? readdirSync(crates).find((name) => name.startsWith('rustc-demangle'))
  : undefined;

/** How many symbols of each project are asked about. */
const symbols = Number(process.env.LSPAN_TEST_INDEXED_SYMBOLS ?? 40);

interface Case {
  readonly name: string;
  readonly packages: readonly (keyof typeof packages)[];
  readonly missing?: string;
  project(...folders: readonly string[]): IndexedProject;
}

const cases: readonly Case[] = [
  typescriptCase('@jridgewell/trace-mapping', 'src'),
  typescriptCase('entities', 'src'),
  ...(process.env.LSPAN_TEST_INDEXED_ALL ? [typescriptCase('zod', 'src/v4/core')] : []),
  {
    name: 'packaging',
    packages: ['python', 'gyp'],
    project: (indexer = '', gyp = '') => ({
      sources: path.join(gyp, 'gyp/pylib/packaging'),
      server: 'pyright',
      indexer: [
        ...[process.execPath, path.join(indexer, 'index.js'), 'index'],
        ...['--project-name', 'packaging', '--project-version', '1'],
        // It would ask pip for all packages of the machine, of which this project uses none.
        ...['--environment', 'environment.json', '--output'],
      ],
      files: {
        'pyproject.toml': '[project]\nname = "packaging"\nversion = "1"\n',
        'environment.json': '[]',
      },
      pattern: /\.py$/,
    }),
  },
  {
    name: 'rustc-demangle',
    packages: [],
    missing: missingPrograms('rust-analyzer') || (demangle ? '' : 'the sources of Rust are not installed'),
    project: () => ({
      sources: path.join(crates, demangle ?? '', 'src'),
      server: 'rust-analyzer',
      indexer: ['rust-analyzer', 'scip', '.', '--output'],
      files: { 'Cargo.toml': '[package]\nname = "rustc-demangle"\nversion = "0.1.0"\nedition = "2018"\n' },
      pattern: /\.rs$/,
    }),
  },
];

describe('IDX-14 an index of a real project', () => {
  for (const one of cases) {
    const missing = one.missing || whyNotInstalled(one);
    const title = `has the uses that the live server has, but for what is explained: ${one.name}`;
    it.skipIf(missing !== '')(
      `${title}${missing && ` (skipped: ${missing})`}`,
      { timeout: 240_000 },
      async () => {
        const folders = await Promise.all(
          one.packages.map(async (key) => pinned(packages[key][0], packages[key][1])),
        );
        const { same, differences } = await compareWithServer(one.project(...folders), symbols);
        const unexplained = differences.filter((difference) => explain(difference) === undefined);
        expect(unexplained.map(({ only, of, place, line }) => `${only} ${of} -> ${place} ${line}`)).toEqual(
          [],
        );
        expect(same).toBeGreaterThan(differences.length);
      },
    );
  }
});

it('what explains a difference is documented', () => {
  const page = readFileSync(path.resolve('docs/indexes.md'), 'utf8').replace(/\s+/g, ' ');
  expect(sentences.filter((sentence) => !page.includes(`- ${sentence}`))).toEqual([]);
});

function typescriptCase(name: string, folder: string): Case {
  const compilerOptions = {
    ...{ strict: true, module: 'esnext', moduleResolution: 'bundler', target: 'es2023', types: [] },
    ...{ allowImportingTsExtensions: true, noEmit: true, skipLibCheck: true },
  };
  return {
    name,
    packages: ['typescript'],
    project: (indexer = '') => ({
      sources: path.join(modules, name, folder),
      server: 'typescript',
      indexer: [process.execPath, path.join(indexer, 'dist/src/main.js'), 'index', '--output'],
      files: {
        'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
        'package.json': JSON.stringify({ name, version: '1.0.0' }),
      },
      pattern: /\.ts$/,
    }),
  };
}

/** Tests install nothing unasked, but where everything has to be tested. */
function whyNotInstalled({ packages: needed }: Case): string {
  const lacking = needed.map((key) => packages[key]).find((one) => !existsSync(pinnedFolder(one[0], one[1])));
  return isComplete || process.env.LSPAN_TEST_INDEXED_ALL || lacking === undefined
    ? ''
    : `${lacking.join('@')} is not installed: npm run campaign:index`;
}
