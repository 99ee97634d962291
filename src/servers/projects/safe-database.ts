import { isAbsolute, join, relative, resolve } from 'node:path';
import { parse } from 'jsonc-parser';
import { limits } from '../../core/limits.ts';
import type { CacheEntry, ProjectFacts } from '../definition.ts';
import { field } from '../traits.ts';
import {
  databaseFolder,
  databaseName,
  flagsIn,
  flagsName,
  guessedDatabase,
  isMadeElsewhere,
} from './compilation-database.ts';
import { safeCompiler, safeFlags, splitCommand } from './safe-flags.ts';

/** A copy of how the repository says that it is compiled, without what would write, load or run anything. */
export interface SafeDatabase {
  /** Tells copies of different kinds apart. */
  readonly name: string;
  /** The files of the copy, by name. */
  readonly files: Readonly<Record<string, CacheEntry>>;
  /** Names of the options that were left out and are not merely about output. */
  readonly leftOut: readonly string[];
  /** True if a database could not be read, such as one that is too large. */
  readonly unread: boolean;
}

/** Returns the safe copy of the databases of a repository that is not trusted. */
export function safeDatabase(facts: ProjectFacts): SafeDatabase {
  const own = databaseFolder(facts);
  const folders = own === undefined ? foldersWithDatabase(facts, facts.root, 0) : [own];
  const unread = folders.some((folder) => facts.read(join(folder, databaseName)) === undefined);
  const entries = folders.flatMap((folder) => entriesIn(facts, folder));
  const guessed = folders.length === 0 ? guessedDatabase(facts) : undefined;
  const flags = facts.read(join(facts.root, flagsName));
  if (entries.length === 0 && guessed === undefined && flags !== undefined) {
    const { kept, leftOut } = safeFlags(flagsIn(flags));
    // Its paths are relative to its folder, and the copy is in another one.
    const text = [`-working-directory=${facts.root}`, ...kept].join('\n');
    return { name: 'flags', files: { [flagsName]: { text } }, leftOut, unread };
  }
  const text = guessed?.text ?? JSON.stringify(entries.map(({ entry }) => entry));
  const leftOut = guessed?.leftOut ?? [...new Set(entries.flatMap((one) => one.leftOut))];
  return { name: 'commands', files: { [databaseName]: { text } }, leftOut, unread };
}

/** How a file is compiled. */
export interface Compilation {
  readonly directory: string;
  readonly file: string;
  /** The compiler, its options, and the file last. */
  readonly arguments: readonly string[];
}

interface SafeEntry {
  readonly entry: Compilation;
  readonly leftOut: readonly string[];
  /** All arguments as they are given. */
  readonly words: readonly string[];
}

/** Returns how the files of the root are compiled, by its own database or the guessed one; without trust only safely. */
export function compilations(facts: ProjectFacts): readonly Compilation[] {
  const folder = databaseFolder(facts);
  const entries =
    folder === undefined
      ? safeEntries(guessedDatabase(facts)?.text, facts.root, facts.root)
      : entriesIn(facts, folder);
  return entries.map(({ entry, words }) =>
    facts.trusted ? { ...entry, arguments: withFileLast(words, entry) } : entry,
  );
}

function entriesIn({ root, read }: ProjectFacts, folder: string): SafeEntry[] {
  return safeEntries(read(join(folder, databaseName)), root, folder);
}

function safeEntries(database: string | undefined, root: string, folder: string): SafeEntry[] {
  const entries: unknown = parse(database ?? '');
  return Array.isArray(entries) ? entries.flatMap((entry) => safeEntry(entry, root, folder)) : [];
}

/** Leaves out files outside the root: a server would index them. */
function safeEntry(given: unknown, root: string, folder: string): SafeEntry[] {
  const [named, file, command, words] = ['directory', 'file', 'command', 'arguments'].map((key) =>
    field(given, key),
  );
  const directory = resolve(folder, typeof named === 'string' ? named : '');
  const path = typeof file === 'string' ? resolve(directory, file) : '';
  const inside = relative(root, path);
  if (path === '' || inside.startsWith('..') || isAbsolute(inside)) return [];
  const all = Array.isArray(words)
    ? words.filter((word) => typeof word === 'string')
    : splitCommand(typeof command === 'string' ? command : 'cc');
  const { compiler, rest } = safeCompiler(all);
  const { kept, leftOut } = safeFlags(rest);
  return [{ entry: { directory, file: path, arguments: [compiler, ...kept, path] }, leftOut, words: all }];
}

/** Returns all arguments, without what is about the output, and with the file last. */
function withFileLast(words: readonly string[], { directory, file }: Compilation): readonly string[] {
  const others = words.filter(
    (word, at) => !isOutput(word, words[at - 1]) && resolve(directory, word) !== file,
  );
  return [...others, file];
}

/** Returns whether an argument only says where the output goes. */
function isOutput(word: string, before: string | undefined): boolean {
  return /^-(?:c|o.*|M[DMGPFTQVJ]*)$/.test(word) || /^-(?:o|MF|MT|MQ|MJ)$/.test(before ?? '');
}

/** Finds databases below the root, where the root itself has none; a server would look above each file. */
function foldersWithDatabase(facts: ProjectFacts, folder: string, depth: number): string[] {
  if (facts.exists(join(folder, databaseName)) && !isMadeElsewhere(facts, folder)) return [folder];
  if (depth === limits.projects.c.databaseDepth) return [];
  const below = facts.folders(folder).filter((name) => !name.startsWith('.') && name !== 'node_modules');
  return below.flatMap((name) => foldersWithDatabase(facts, join(folder, name), depth + 1));
}

/** Makes the safe copy in the cache; returns its folder. */
export function copySafely(facts: ProjectFacts, server: string): string {
  const { name, files } = safeDatabase(facts);
  return facts.cache(`${server}-${name}`, files);
}

/** Says what the safe copy leaves out; `configuration` is a file of the root that is not read either. */
export function withoutUnsafeFlags(
  server: string,
  configuration: string,
): (facts: ProjectFacts) => string | undefined {
  return (facts) => {
    const { leftOut, unread } = safeDatabase(facts);
    const shown = leftOut.slice(0, limits.named.replacements).join(', ');
    const more = leftOut.length > limits.named.replacements ? ' and others' : '';
    const tooLarge = `${server} does not read ${databaseName}, because it is too large to be checked.`;
    const flags = `${server} compiles without ${shown}${more}, because such options can write files or load code.`;
    const file = `${server} does not read ${configuration}, because its options can write files or load code.`;
    const said = [
      ...(unread ? [tooLarge] : []),
      ...(leftOut.length > 0 ? [flags] : []),
      ...(facts.exists(join(facts.root, configuration)) ? [file] : []),
    ];
    return said.length === 0 ? undefined : said.join(' ');
  };
}
