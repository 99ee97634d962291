import { basename, dirname, join, parse, resolve } from 'node:path';
import { limits } from '../../core/limits.ts';
import type { Json } from '../../core/runtime/json.ts';
import type { ProjectFacts, SettingsOfFiles } from '../definition.ts';
import { codeWords, declaredForHeaders, type Inclusion, inclusionsOf } from './c-inclusions.ts';
import { libraryNames } from './c-library.ts';
import { isSourceOrHeader } from './compilation-database.ts';
import { type Compilation, compilations } from './safe-database.ts';

/**
 * Returns the settings by which clangd reads a header with the files that are included before it, where it needs their
 * macros or types. Read alone, its declarations would be errors, and clangd would forget their uses in other files.
 */
export function headerSettings(facts: ProjectFacts): SettingsOfFiles {
  const texts = new CTexts(facts);
  // When the database changes, the server is restarted.
  let compiled: readonly Compilation[] | undefined;
  let headers: Headers | undefined;
  return {
    of: (file) => {
      if (!isHeader.test(file)) return undefined;
      compiled ??= compilations(facts).slice(0, limits.compiledFilesRead);
      headers ??= new Headers(facts, texts, compiled);
      const command = headers.commandFor(file);
      return command && { compilationDatabaseChanges: { [file]: command } };
    },
    note: (changed) => {
      const concerned = changed.filter(isSourceOrHeader);
      if (concerned.length === 0) return;
      texts.forget(concerned);
      headers = undefined;
    },
  };
}

const isHeader = /\.(?:h|hh|hpp|hxx|h\+\+)$/i;

/** A place where a header is included: by a file that is compiled, or by another header. */
interface Includer {
  readonly file: string;
  readonly compilation: Compilation;
}

/** What a file includes. */
interface Included extends Inclusion {
  /** `undefined` if it is not in the workspace. */
  readonly path: string | undefined;
}

/** The headers of a root, and what is included before them, as of one moment. */
class Headers {
  readonly #facts: ProjectFacts;
  readonly #texts: CTexts;
  /** The compiled files that include a name. */
  readonly #includers = new Map<string, Includer[]>();
  readonly #declared = new Map<string, ReadonlySet<string>>();
  readonly #reached = new Map<string, readonly string[]>();
  readonly #searched = new Map<Compilation, Searched>();
  readonly #sameFolders = new Map<string, Searched>();

  constructor(facts: ProjectFacts, texts: CTexts, compiled: readonly Compilation[]) {
    this.#facts = facts;
    this.#texts = texts;
    for (const compilation of compiled) this.#note({ file: compilation.file, compilation });
  }

  /** Notes what a file includes. */
  #note(includer: Includer): void {
    for (const { name } of this.#texts.inclusions(includer.file)) {
      const key = basename(name);
      const known = this.#includers.get(key);
      if (known) known.push(includer);
      else this.#includers.set(key, [includer]);
    }
  }

  commandFor(header: string): Json | undefined {
    const includers = this.#includersOf(header);
    const before = includers.map((includer) => [includer, this.#includedBefore(includer, header)] as const);
    const [found] = before;
    // What somebody includes before all else needs nothing.
    if (!found || before.some(([, files]) => files.length === 0)) return undefined;
    const [{ compilation }, files] = found;
    const own = this.#reach(header, compilation);
    const words = new Set(own.flatMap((path) => [...this.#texts.words(path)]));
    const known = new Set(this.#declaredBy(header, compilation));
    const needed = files.filter(({ path, name }) => {
      const declared = path === undefined ? libraryNames(name) : [...this.#declaredBy(path, compilation)];
      const isNeeded = declared.some((name) => words.has(name) && !known.has(name));
      if (isNeeded) for (const name of declared) known.add(name);
      return isNeeded;
    });
    const names = needed.map(({ path, name }) => path ?? name);
    return names.length === 0 ? undefined : commandOf(header, names, compilation);
  }

  /** Returns who includes a header, the source of the same name first. */
  #includersOf(header: string): readonly Includer[] {
    const { name, base } = parse(header);
    const isOwn = ({ file }: Includer) => Number(parse(file).name === name);
    return (this.#includers.get(base) ?? [])
      .toSorted((a, b) => isOwn(b) - isOwn(a))
      .slice(0, limits.headers.includers)
      .filter((includer) => this.#inclusions(includer).some(({ path }) => path === header));
  }

  /** Returns what is always included before a header, without what includes it too. */
  #includedBefore(includer: Includer, header: string): readonly Included[] {
    const inclusions = this.#inclusions(includer);
    const at = inclusions.findIndex(({ path }) => path === header);
    // It may be another file by a link.
    const isSameName = (path: string) => basename(path) === basename(header);
    return inclusions
      .slice(0, at)
      .filter(({ isConditional }) => !isConditional)
      .filter(({ path }) => !path || !this.#reach(path, includer.compilation).some(isSameName));
  }

  #inclusions({ file, compilation }: Includer): readonly Included[] {
    const folders = this.#foldersOf(compilation);
    const known = folders.found.get(file);
    if (known) return known;
    const found = this.#texts.inclusions(file).map((inclusion) => ({
      ...inclusion,
      path: this.#find(inclusion, dirname(file), folders),
    }));
    folders.found.set(file, found);
    return found;
  }

  #find({ name, isQuoted }: Inclusion, beside: string, { quoted, all }: Searched): string | undefined {
    const { root, exists } = this.#facts;
    return (isQuoted ? [beside, ...quoted, ...all] : all)
      .map((folder) => join(folder, name))
      .find((path) => path.startsWith(join(root, '/')) && exists(path));
  }

  /** Returns the folders of a compilation; most have the same, and so find the same. */
  #foldersOf(compilation: Compilation): Searched {
    const known = this.#searched.get(compilation);
    if (known) return known;
    const { quoted, all } = searched(compilation);
    const key = [...quoted, '', ...all].join('\0');
    const same = this.#sameFolders.get(key) ?? { quoted, all, found: new Map() };
    this.#sameFolders.set(key, same);
    this.#searched.set(compilation, same);
    return same;
  }

  /** Returns a file and what it includes, directly or not. */
  #reach(file: string, compilation: Compilation): readonly string[] {
    const known = this.#reached.get(file);
    if (known) return known;
    const found = new Set([file]);
    for (const one of found) {
      if (found.size > limits.headers.reached) break;
      for (const { path } of this.#inclusions({ file: one, compilation })) if (path) found.add(path);
    }
    this.#reached.set(file, [...found]);
    return [...found];
  }

  /** Returns what a file and those that it includes declare. */
  #declaredBy(file: string, compilation: Compilation): ReadonlySet<string> {
    const known = this.#declared.get(file);
    if (known) return known;
    const files = this.#reach(file, compilation);
    const own = files.flatMap((path) => [...this.#texts.declared(path)]);
    const inclusions = files.flatMap((path) => this.#inclusions({ file: path, compilation }));
    const outside = inclusions.flatMap(({ path, name }) => (path === undefined ? libraryNames(name) : []));
    const declared = new Set([...own, ...outside]);
    this.#declared.set(file, declared);
    return declared;
  }
}

/** What is read of texts of C, until they change. */
class CTexts {
  readonly #facts: ProjectFacts;
  readonly #known = new Map<string, CText>();

  constructor(facts: ProjectFacts) {
    this.#facts = facts;
  }

  forget(files: readonly string[]): void {
    for (const file of files) this.#known.delete(file);
  }

  inclusions(file: string): readonly Inclusion[] {
    const known = this.#of(file);
    known.inclusions ??= inclusionsOf(this.#facts.read(file) ?? '');
    return known.inclusions;
  }

  declared(file: string): ReadonlySet<string> {
    const known = this.#of(file);
    known.declared ??= declaredForHeaders(this.#facts.read(file) ?? '');
    return known.declared;
  }

  words(file: string): ReadonlySet<string> {
    const known = this.#of(file);
    known.words ??= codeWords(this.#facts.read(file) ?? '');
    return known.words;
  }

  #of(file: string): CText {
    const known = this.#known.get(file) ?? {};
    this.#known.set(file, known);
    return known;
  }
}

/** What was read of a text. */
interface CText {
  inclusions?: readonly Inclusion[];
  declared?: ReadonlySet<string>;
  words?: ReadonlySet<string>;
}

/** The folders in which a compiler looks for what is included, and what files include by them. */
interface Searched extends SearchedFolders {
  readonly found: Map<string, readonly Included[]>;
}

interface SearchedFolders {
  /** Those for names in quotes only. */
  readonly quoted: readonly string[];
  readonly all: readonly string[];
}

function searched({ directory, arguments: words }: Compilation): SearchedFolders {
  const folders = words.flatMap((word, at) => {
    const [, option = '', joined] = /^-(I|iquote|isystem|idirafter)(.*)$/.exec(word) ?? [];
    const folder = joined === '' ? words[at + 1] : joined;
    return folder === undefined ? [] : [{ option, folder: resolve(directory, folder) }];
  });
  const of = (...options: readonly string[]) =>
    options.flatMap((option) => folders.filter((one) => one.option === option).map(({ folder }) => folder));
  return { quoted: of('iquote'), all: of('I', 'isystem', 'idirafter') };
}

/** Returns the command of a header, with files that are read before it. */
function commandOf(
  header: string,
  before: readonly string[],
  { directory, file, arguments: words }: Compilation,
): Json {
  const [, byName = 'c++'] = languages.find(([pattern]) => pattern.test(file)) ?? [];
  const given = words[words.lastIndexOf('-x') + 1];
  const byOption = words.includes('-x') ? given : /\+\+(?:-\d+)?$/.test(words[0] ?? '') ? 'c++' : undefined;
  const language = byOption ?? byName;
  return {
    workingDirectory: directory,
    compilationCommand: [
      ...words.slice(0, -1),
      ...before.flatMap((path) => ['-include', path]),
      ...['-x', `${language}-header`, header],
    ],
  };
}

/** The languages of compiled files; all others are C++. */
const languages = [
  [/\.c$/, 'c'],
  [/\.m$/, 'objective-c'],
  [/\.mm$/, 'objective-c++'],
] as const;
