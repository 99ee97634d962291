import type { ServerDefinition } from '../../../servers/definition.ts';
import { changesFiles } from '../../../workspace/freshness/changes-files.ts';
import type { Change, Workspace } from '../../../workspace/workspace.ts';
import type { FileRules } from './file-rules.ts';
import { type IsHere, type Presence, presences } from './servers-present.ts';

interface PresenceParts {
  readonly workspace: Workspace;
  readonly definitions: readonly ServerDefinition[];
  readonly rules?: FileRules;
}

/** Remembers which definitions have files, until files come or go, or others are ignored. */
export class PresenceCache {
  readonly #parts: PresenceParts;
  readonly #isHere: IsHere;
  #all: readonly Presence[] | undefined;
  /** By list: who asks again about the same name has the same list. */
  #among = new WeakMap<readonly string[], readonly Presence[]>();

  constructor(parts: PresenceParts, isHere: IsHere) {
    this.#parts = parts;
    this.#isHere = isHere;
  }

  /** The definitions that have some of these files, or of all files, in each root. */
  among(files: readonly string[] | undefined): readonly Presence[] {
    if (files === undefined) {
      this.#all ??= this.#find(this.#parts.workspace.files());
      return this.#all;
    }
    const found = this.#among.get(files) ?? this.#find(files);
    this.#among.set(files, found);
    return found;
  }

  note(changes: readonly Change[]): void {
    if (!changesFiles(changes)) return;
    this.#all = undefined;
    this.#among = new WeakMap();
  }

  #find(files: Iterable<string>): readonly Presence[] {
    const { workspace, definitions, rules } = this.#parts;
    return presences({ files, rootOf: workspace.rootOf }, definitions, rules, this.#isHere);
  }
}
