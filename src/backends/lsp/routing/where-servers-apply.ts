import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import type { ServerDefinition } from '../../../servers/definition.ts';
import { languageOf } from '../../../servers/language-of.ts';
import type { Change, Workspace } from '../../../workspace/workspace.ts';
import { KindsPresent } from './kinds-present.ts';
import { Vicinity } from './vicinity.ts';

/** Tells where a definition's server is of use: below or beside certain files, or wherever its own are. */
export class Reach {
  readonly #vicinity = new Vicinity(existsSync);
  readonly #kinds: KindsPresent;

  constructor(workspace: Workspace) {
    this.#kinds = new KindsPresent(workspace);
  }

  /** Whether it serves files in the folder of this one. */
  includes({ onlyBelow, onlyBeside }: ServerDefinition, path: string, root: string): boolean {
    const isBelow = onlyBelow === undefined || this.#vicinity.holds(path, root, onlyBelow);
    return isBelow && (onlyBeside === undefined || this.#kinds.holds(root, onlyBeside));
  }

  /** Whether it has files in the root that use what this one holds, unseen by the servers of this one. */
  sees(definition: ServerDefinition, path: string, root: string): boolean {
    if (!definition.sees?.includes(extname(path).slice(1))) return false;
    const isOwn = languageOf(path, definition) !== undefined;
    return !isOwn && this.#kinds.holds(root, Object.keys(definition.extensions));
  }

  note(changes: readonly Change[]): void {
    this.#vicinity.note(changes);
    this.#kinds.note(changes);
  }
}
