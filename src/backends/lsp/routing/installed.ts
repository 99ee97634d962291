import { LspanError } from '../../../core/errors.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';
import type { Program } from '../process/find-program.ts';

/** Finds a definition's program without starting it. */
export type Find = (definition: ServerDefinition) => Program | LspanError;

/** The installed servers, and the alternatives within a group. */
export class Installed {
  readonly #definitions: readonly ServerDefinition[];
  readonly #find: Find;
  readonly #known = new Set<ServerDefinition>();

  constructor(definitions: readonly ServerDefinition[], find: Find) {
    this.#definitions = definitions;
    this.#find = find;
  }

  /** Returns whether a server is installed. Caches only `true`, to avoid a disk access for every question. */
  has(definition: ServerDefinition): boolean {
    if (this.#known.has(definition)) return true;
    const found = !(this.#find(definition) instanceof LspanError);
    if (found) this.#known.add(definition);
    return found;
  }

  /** Returns the installed server of the same group that is preferred to this one for all of its files. */
  preferredTo(definition: ServerDefinition): string | undefined {
    const better = this.#alternatives(definition).find((other) => isPreferred(other, definition));
    return better && this.has(better) ? better.id : undefined;
  }

  /** True if a server need not be installed: another of its group is installed, or preferred. */
  isSpare(definition: ServerDefinition): boolean {
    return this.#alternatives(definition).some((other) => isPreferred(other, definition) || this.has(other));
  }

  /** The others of its group that serve all of its files in every folder. */
  #alternatives({ group, id, extensions }: ServerDefinition): readonly ServerDefinition[] {
    if (group === undefined) return [];
    const names = Object.keys(extensions);
    return this.#definitions
      .filter((other) => other.group === group && other.id !== id)
      .filter(({ files }) => files?.onlyBelow === undefined && files?.onlyWithExtensions === undefined)
      .filter((other) => names.every((name) => Object.hasOwn(other.extensions, name)));
  }
}

function isPreferred(other: ServerDefinition, definition: ServerDefinition): boolean {
  return (other.rank ?? 0) > (definition.rank ?? 0);
}
