import { expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import type { CacheEntry, ProjectFacts } from '../../src/servers/definition.ts';
import {
  hasFetchedCrates,
  lacksCrates,
  missingCrates,
  standInEnvironment,
} from '../../src/servers/projects/rust-crates.ts';
import { noFacts } from '../project-facts.ts';

type Files = Readonly<Record<string, string>>;

/** Facts of a root with these files, on a machine with others; what is put into the cache is kept. */
function factsOf(files: Files, others: Files = {}) {
  const all = new Map([
    ...Object.entries(files).map(([name, text]) => [`/w/${name}`, text] as const),
    ...Object.entries(others),
  ]);
  const cached: Record<string, CacheEntry> = {};
  const below = (folder: string) =>
    [...all.keys()]
      .filter((file) => file.startsWith(`${folder}/`))
      .map((file) => file.slice(folder.length + 1));
  const facts: ProjectFacts = {
    ...noFacts,
    environment: { HOME: '/home/me' },
    exists: (file) => all.has(file),
    list: (folder) => [...new Set(below(folder).map((file) => file.split('/')[0] ?? ''))],
    folders: (folder) => [
      ...new Set(below(folder).flatMap((file) => (file.includes('/') ? [file.split('/')[0] ?? ''] : []))),
    ],
    read: (file) => all.get(file),
    readSettings: (file) => all.get(file.startsWith('/') ? file : `/home/me/${file}`),
    cache: (_name, content = {}) => {
      Object.assign(cached, content);
      return '/cache/cargo-home';
    },
  };
  return { facts, cached, all };
}

const registry = 'registry+https://github.com/rust-lang/crates.io-index';
const entry = (name: string, version: string, needs: readonly string[] = []) => `[[package]]
name = "${name}"
version = "${version}"
source = "${registry}"
checksum = "sum-of-${name}"
dependencies = [
${needs.map((one) => ` "${one}",\n`).join('')}]
`;
const own = '[[package]]\nname = "app"\nversion = "0.1.0"\ndependencies = [\n "serde",\n]\n';
const manifest = `[package]
name = "app"
[features]
fast = ["serde/rc", "dep:other"]
[dependencies]
serde = { version = "1", features = [
  "derive",
] }
other = "1.0"
`;
const clone = {
  'Cargo.toml': manifest,
  'Cargo.lock': `${own}\n${entry('serde', '1.0.2', ['other 1.1.0'])}\n${entry('other', '1.1.0')}`,
};
const fetched = (name: string) => `/home/me/.cargo/registry/cache/index-1/${name}-1.0.0.crate`;

it('has an empty crate for each one that a Cargo.lock names, if one that is needed was not fetched', () => {
  const { facts, cached } = factsOf(clone);
  expect(standInEnvironment(facts)).toEqual({ CARGO_HOME: '/cache/cargo-home' });
  expect(missingCrates(facts)).toEqual(['other']);
  expect(Object.keys(cached).sort()).toEqual([
    'config.toml',
    ...['other-1.1.0', 'serde-1.0.2'].flatMap((name) =>
      ['.cargo-checksum.json', 'Cargo.toml', 'src/lib.rs'].map((file) => `crates/${name}/${file}`),
    ),
  ]);
  expect(cached['crates/serde-1.0.2/.cargo-checksum.json']).toEqual({
    text: '{"files":{},"package":"sum-of-serde"}',
  });
  expect(cached['crates/serde-1.0.2/Cargo.toml']).toEqual({
    text: `[package]
name = "serde"
version = "1.0.2"
edition = "2021"
[dependencies]
stand-in-0 = { package = "other", version = "1.1.0" }
[features]
"derive" = []
"rc" = []
`,
  });
});

it.each<[string, Files, Files]>([
  ['all that is needed was fetched', clone, { [fetched('other')]: '' }],
  ['there is no Cargo.lock', { 'Cargo.toml': manifest }, {}],
  ['nothing of others is needed', { ...clone, 'Cargo.toml': '[package]\nname = "app"\n' }, {}],
  [
    'a crate may be for another system',
    { ...clone, 'Cargo.toml': `[package]\n[target.'cfg(windows)'.dependencies]\nother = "1"\n` },
    {},
  ],
  [
    'a crate may be off',
    { ...clone, 'Cargo.toml': '[package]\n[dependencies]\nother = { version = "1", optional = true }\n' },
    {},
  ],
  [
    'a crate comes from git',
    { ...clone, 'Cargo.lock': clone['Cargo.lock'].replace(registry, 'git+https://x') },
    {},
  ],
  [
    'the name of a crate is a path',
    { ...clone, 'Cargo.lock': clone['Cargo.lock'].replaceAll('"serde"', '"../a"') },
    {},
  ],
  ['the repository has its own sources', { ...clone, '.cargo/config.toml': '[source.crates-io]\n' }, {}],
  ['the user has other sources', clone, { '/home/me/.cargo/config.toml': '[source.crates-io]\n' }],
])('has none if %s', (_what, files, others) => {
  const { facts, cached } = factsOf(files, others);
  expect(standInEnvironment(facts)).toEqual({});
  expect(missingCrates(facts)).toEqual([]);
  expect(cached).toEqual({});
});

it('has none of more crates than the bound', () => {
  const { crates } = limits.freshClone;
  const locked = (count: number) =>
    Array.from({ length: count }, (_, index) => entry(index === 0 ? 'other' : `c${index}`, '1.0.0')).join(
      '\n',
    );
  const ofLock = (lock: string) =>
    missingCrates(factsOf({ 'Cargo.toml': manifest, 'Cargo.lock': lock }).facts);
  expect(ofLock(locked(crates))).toEqual(['other']);
  expect(ofLock(locked(crates + 1))).toEqual([]);
});

it('knows that what was missing has been fetched', () => {
  const { facts, all } = factsOf(clone);
  expect(hasFetchedCrates(facts)).toBe(false);
  standInEnvironment(facts);
  expect(hasFetchedCrates(facts)).toBe(false);
  all.set(fetched('other'), '');
  expect(hasFetchedCrates(facts)).toBe(true);
});

it.each<[string, Files, Files, boolean]>([
  ['a crate was not fetched', clone, {}, true],
  ['there is no Cargo.lock', { 'Cargo.toml': manifest }, {}, true],
  ['all were fetched', clone, { [fetched('other')]: '', [fetched('serde')]: '' }, false],
  [
    'a crate is of the workspace',
    {
      'Cargo.toml': '[package]\nname = "app"\n[dependencies]\nother.workspace = true\n',
      'other/Cargo.toml': '[package]\nname = "other"\n',
    },
    {},
    false,
  ],
  ['the user has other sources', clone, { '/home/me/.cargo/config.toml': '[source.crates-io]\n' }, false],
])('knows whether cargo lacks crates if %s', (_what, files, others, expected) => {
  expect(lacksCrates(factsOf(files, others).facts)).toBe(expected);
});
