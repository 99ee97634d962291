import { LspanError } from '../../../core/errors.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';
import type { Program } from '../process/find-program.ts';

/** Finds a definition's program without starting it. */
export type Find = (definition: ServerDefinition) => Program | LspanError;

/** Which servers are installed, and which of a group stand in for each other. */
export class Installed {
  readonly #definitions: readonly ServerDefinition[];
  readonly #find: Find;
  readonly #known = new Set<ServerDefinition>();

  constructor(definitions: readonly ServerDefinition[], find: Find) {
    this.#definitions = definitions;
    this.#find = find;
  }

  /** Remembered once it is so: the disk is not asked at every question. */
  has(definition: ServerDefinition): boolean {
    if (this.#known.has(definition)) return true;
    const found = !(this.#find(definition) instanceof LspanError);
    if (found) this.#known.add(definition);
    return found;
  }

  /** The installed server of the same group that is preferred to this one for all of its files. */
  preferredTo(definition: ServerDefinition): string | undefined {
    const better = this.#alternatives(definition).find((other) => isPreferred(other, definition));
    return better && this.has(better) ? better.id : undefined;
  }

  /** Whether a server that is not installed is not missed: another of its group is there, or is the one to install. */
  isSpare(definition: ServerDefinition): boolean {
    return this.#alternatives(definition).some((other) => isPreferred(other, definition) || this.has(other));
  }

  /** The others of its group that serve all of its files, wherever they lie. */
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
