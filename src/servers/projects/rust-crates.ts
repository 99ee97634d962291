import { dirname, join } from 'node:path';
import { limits } from '../../core/limits.ts';
import type { CacheEntry, ProjectFacts } from '../definition.ts';
import { manifestsOf, projectFiles } from './rust-projects.ts';

/** The crates of others that a workspace needs, of which some were not fetched. */
interface FreshClone {
  readonly crates: readonly Crate[];
  /** Names of those that are needed on every system and were not fetched: cargo says nothing at all without them. */
  readonly missing: readonly string[];
  /** What the workspace turns on in any crate. */
  readonly features: readonly string[];
}

/** A package as a Cargo.lock describes it. */
interface Crate {
  readonly name: string;
  readonly version: string;
  /** Empty for those of the workspace. */
  readonly source: string;
  readonly checksum: string;
  /** Names, each with the version behind a blank if there are several. */
  readonly dependencies: readonly string[];
}

const known = new WeakMap<ProjectFacts, FreshClone | undefined>();

/**
 * Returns the environment in which cargo takes an empty crate for each one that a Cargo.lock names, if it would have to
 * fetch some. Otherwise cargo would not even say which crates of the workspace depend on each other.
 */
export function standInEnvironment(facts: ProjectFacts): Readonly<Record<string, string>> {
  const clone = freshClone(facts);
  return clone
    ? { CARGO_HOME: facts.cache('cargo-home', { ...standIns(clone), 'config.toml': { text: redirected } }) }
    : {};
}

/** Cargo reads paths from the folder above. */
const redirected = `[source.crates-io]
replace-with = "stand-ins"

[source.stand-ins]
directory = "cargo-home/crates"
`;

/** Returns whether cargo needs crates on every system that were not fetched, with or without a Cargo.lock: it fails then. */
export function lacksCrates(facts: ProjectFacts): boolean {
  if (hasOtherSources(facts)) return false;
  const manifests = [...manifestsOf(facts)];
  const known = fetchedNames(facts);
  const own = new Set(manifests.map((one) => /^[ \t]*name[ \t]*=[ \t]*["']([^"']*)["']/m.exec(one)?.[1]));
  return manifests.flatMap(requiredIn).some((name) => !own.has(name) && !known.has(name));
}

/** Returns the crates that were not fetched, as far as cargo needs them on every system. */
export function missingCrates(facts: ProjectFacts): readonly string[] {
  return freshClone(facts)?.missing ?? [];
}

/** Returns whether crates were fetched since the server was started without them. */
export function hasFetchedCrates(facts: ProjectFacts): boolean {
  const missing = known.get(facts)?.missing ?? [];
  if (missing.length === 0) return false;
  const fetched = fetchedNames(facts);
  return missing.some((name) => fetched.has(name));
}

/** What was found at first is kept, as the server was started with it. */
function freshClone(facts: ProjectFacts): FreshClone | undefined {
  if (!known.has(facts)) known.set(facts, readClone(facts));
  return known.get(facts);
}

function readClone(facts: ProjectFacts): FreshClone | undefined {
  if (hasOtherSources(facts)) return undefined;
  const locks = [...projectFiles(facts)].map((file) => facts.read(join(dirname(file), 'Cargo.lock')));
  const read = locks.flatMap((lock) => (lock === undefined ? [] : [cratesIn(lock)]));
  if (read.length === 0 || read.length < locks.length) return undefined;
  const crates = [...new Map(read.flat().map((one) => [`${one.name} ${one.version}`, one])).values()];
  const others = crates.filter(({ source }) => source !== '');
  if (others.length > limits.freshClone.crates || !others.every(canStandIn)) return undefined;
  const manifests = [...manifestsOf(facts)];
  const names = new Set(others.map(({ name }) => name));
  const fetched = fetchedNames(facts);
  const needed = new Set(manifests.flatMap(requiredIn));
  const missing = [...needed].filter((name) => names.has(name) && !fetched.has(name)).sort();
  const features = [...new Set(manifests.flatMap(featuresNamedIn))].sort();
  return missing.length === 0 ? undefined : { crates, missing, features };
}

/** Cargo may be told to take crates from elsewhere, by the files that it looks for in every folder above. */
function hasOtherSources(facts: ProjectFacts): boolean {
  const { root, exists, read, readSettings } = facts;
  const names = ['.cargo/config', '.cargo/config.toml'];
  for (let folder = dirname(root); folder !== dirname(folder); folder = dirname(folder))
    if (folder !== facts.environment.HOME && names.some((name) => exists(join(folder, name)))) return true;
  const home = facts.environment.CARGO_HOME || '.cargo';
  const own = names.map((name) => read(join(root, name)));
  const user = ['config', 'config.toml'].map((name) => readSettings(join(home, name)));
  return [...own, ...user].some((text) => text !== undefined && redirecting.test(text));
}

const redirecting = /^\s*(?:\[+\s*["']?source\b|source\s*\.|paths\s*=|include\s*=)/m;

/** Returns the names of the crates that cargo has fetched, in any version. */
function fetchedNames({ environment: { CARGO_HOME, HOME = '' }, list }: ProjectFacts): ReadonlySet<string> {
  const cache = join(CARGO_HOME || join(HOME, '.cargo'), 'registry/cache');
  const files = list(cache).flatMap((index) => list(join(cache, index)));
  return new Set(files.map((file) => file.replace(/-\d+\.\d+\.\d+.*$/, '')));
}

function cratesIn(lock: string): readonly Crate[] {
  return lock
    .split(/^\[\[package\]\]/m)
    .slice(1)
    .map((part) => {
      const value = (key: string) => new RegExp(`^${key} = "([^"\\n]*)"`, 'm').exec(part)?.[1] ?? '';
      const [, list = ''] = /^dependencies = \[([^\]]*)\]/m.exec(part) ?? [];
      return {
        name: value('name'),
        version: value('version'),
        source: value('source'),
        checksum: value('checksum'),
        dependencies: Array.from(list.matchAll(/"([^"\n]*)"/g), ([, one = '']) => one),
      };
    });
}

function canStandIn({ name, version, source }: Crate): boolean {
  return source === ofRegistry && /^[A-Za-z][\w-]*$/.test(name) && /^\d[\w.+-]*$/.test(version);
}

/** How a Cargo.lock calls the common registry, by whatever protocol it is asked. */
const ofRegistry = 'registry+https://github.com/rust-lang/crates.io-index';

/** Returns the crates that a manifest requires on every system, as far as one line says so. */
function requiredIn(manifest: string): readonly string[] {
  return manifest.split(/^[ \t]*\[/m).flatMap((table) => {
    if (!/^(?:(?:dev|build)-)?dependencies\]/.test(table)) return [];
    return Array.from(table.matchAll(dependency), ([, key = '', rest = '']) => {
      const isChosen = /\b(?:optional|path|git|registry)\s*=/.test(rest) || /^\{[^}]*$/.test(rest);
      return isChosen ? [] : [/\bpackage\s*=\s*["']([^"']*)["']/.exec(rest)?.[1] ?? key];
    }).flat();
  });
}

const dependency = /^[ \t]*["']?([\w-]+)["']?(?:[ \t]*=|\.(?:workspace|version)[ \t]*=)[ \t]*([^\n]*)/gm;

/** Returns all that may be a feature of another crate in the lists of a manifest. */
function featuresNamedIn(manifest: string): readonly string[] {
  const lists = Array.from(manifest.matchAll(/\[([^[\]]*)\]/g), ([, list = '']) => list);
  const named = lists.flatMap((list) =>
    Array.from(list.matchAll(/["']([^"'\n]*)["']/g), ([, word = '']) => word.replace(/^.*\//, '')),
  );
  return named.filter((name) => name !== 'default' && /^[A-Za-z0-9_][\w.+-]*$/.test(name));
}

/** Returns the content of a folder with an empty crate for each one of a registry. */
function standIns({ crates, features }: FreshClone): Readonly<Record<string, CacheEntry>> {
  const featureLines = features.map((name) => `${JSON.stringify(name)} = []`);
  const entries = crates.flatMap(({ name, version, source, checksum, dependencies }) => {
    if (source === '') return [];
    const needs = dependencies.map((one, index) => {
      const [needed = '', exactly = '*'] = one.split(' ');
      return `stand-in-${index} = { package = ${JSON.stringify(needed)}, version = ${JSON.stringify(exactly)} }`;
    });
    const manifest = [
      ...['[package]', `name = "${name}"`, `version = "${version}"`, 'edition = "2021"'],
      ...['[dependencies]', ...needs, '[features]', ...featureLines, ''],
    ].join('\n');
    const sums = JSON.stringify({ files: {}, package: checksum });
    const texts = { 'Cargo.toml': manifest, '.cargo-checksum.json': sums, 'src/lib.rs': '' };
    return Object.entries(texts).map(
      ([file, text]) => [`crates/${name}-${version}/${file}`, { text }] as const,
    );
  });
  return Object.fromEntries(entries);
}
