import { basename } from 'node:path';
import { limits } from '../../../core/limits.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';
import { languageOf } from '../../../servers/language-of.ts';

/** The definitions that know a file by its name; remembered, since every question asks and there are many. */
export class DefinitionsByName {
  readonly #definitions: readonly ServerDefinition[];
  readonly #known = new Map<string, readonly ServerDefinition[]>();

  constructor(definitions: readonly ServerDefinition[]) {
    this.#definitions = definitions;
  }

  of(path: string): readonly ServerDefinition[] {
    const name = basename(path);
    const known = this.#known.get(name);
    if (known) return known;
    const found = this.#definitions.filter((definition) => languageOf(name, definition) !== undefined);
    if (this.#known.size >= limits.knownNames) this.#known.clear();
    this.#known.set(name, found);
    return found;
  }
}
