import { basename, dirname, extname } from 'node:path';
import { limits } from '../../../core/limits.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';
import { languageOf } from '../../../servers/language-of.ts';
import type { FileRules } from './file-rules.ts';
import { type AppliesHere, inPreferredOrder, type ServersOfKind } from './root-servers.ts';

/** The definitions that serve each file; cached until something changes, since every question needs them. */
export class FileServers {
  readonly #byName: DefinitionsByName;
  readonly #rules: FileRules | undefined;
  readonly #isHere: AppliesHere;
  readonly #known = new Map<string, ServersOfKind>();
  /** By folder: which of the definitions that are able to serve a file do so there does not depend on the file. */
  readonly #here = new Map<string, Map<readonly ServerDefinition[], ServersOfKind>>();

  constructor(definitions: readonly ServerDefinition[], rules: FileRules | undefined, isHere: AppliesHere) {
    this.#byName = new DefinitionsByName(definitions);
    this.#rules = rules;
    this.#isHere = isHere;
  }

  /** Returns the servers of a file; a rule of the user overrides the scope of the definitions. */
  of(path: string, root: string): ServersOfKind {
    const known = this.#known.get(path);
    if (known) return known;
    const found = this.#find(path, root);
    if (this.#known.size >= limits.knownNames) this.#known.clear();
    this.#known.set(path, found);
    return found;
  }

  /** Clears the cache after a change on the disk. */
  note(): void {
    this.#known.clear();
    this.#here.clear();
  }

  #find(path: string, root: string): ServersOfKind {
    const able = this.#byName.of(path);
    const wanted = this.#rules?.of(path, root);
    if (wanted) return { definitions: inPreferredOrder(able, wanted), ordered: true };
    return this.#ofKind(able, path, root);
  }

  /** Returns the same object for all files of a folder that the same definitions are able to serve. */
  #ofKind(able: readonly ServerDefinition[], path: string, root: string): ServersOfKind {
    const folder = dirname(path);
    const inFolder = this.#here.get(folder) ?? new Map<readonly ServerDefinition[], ServersOfKind>();
    const known = inFolder.get(able);
    if (known) return known;
    const definitions = able.filter((definition) => this.#isHere(definition, path, root));
    const found = { definitions, ordered: false };
    if (this.#here.size >= limits.knownNames) this.#here.clear();
    this.#here.set(folder, inFolder.set(able, found));
    return found;
  }
}

/** The definitions that match a file name; cached, since every question needs them and there are many. */
class DefinitionsByName {
  readonly #definitions: readonly ServerDefinition[];
  readonly #known = new Map<string, readonly ServerDefinition[]>();
  /** Endings, names and beginnings of names that some definition serves. */
  readonly #keys: ReadonlySet<string>;

  constructor(definitions: readonly ServerDefinition[]) {
    this.#definitions = definitions;
    this.#keys = new Set(definitions.flatMap(({ extensions }) => Object.keys(extensions)));
  }

  of(path: string): readonly ServerDefinition[] {
    const name = basename(path);
    const key = this.#keyOf(name);
    const known = this.#known.get(key);
    if (known) return known;
    const found = this.#definitions.filter((definition) => languageOf(name, definition) !== undefined);
    if (this.#known.size >= limits.knownNames) this.#known.clear();
    this.#known.set(key, found);
    return found;
  }

  /** Most names are served by their ending alone. */
  #keyOf(name: string): string {
    const isSpecial = this.#keys.has(name) || this.#keys.has(`${name.split('.', 1)[0]}.*`);
    return isSpecial ? name : extname(name) || name;
  }
}
