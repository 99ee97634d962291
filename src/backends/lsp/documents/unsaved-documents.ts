import type { ServerDefinition } from '../../../servers/definition.ts';
import { languageOf } from '../../../servers/language-of.ts';
import type { Change } from '../../../workspace/workspace.ts';
import type { DocumentWire } from './document-sender.ts';
import { inOrderOfUse } from './file-interest.ts';

/** The unsaved files that one server reads: they are open with that text before any question. */
export class UnsavedDocuments {
  readonly #wire: Pick<DocumentWire, 'workspace' | 'capabilities' | 'definition'>;
  readonly #root: string;
  /** Files whose unsaved text was set, changed or dropped since the server was last notified. */
  #stirred = new Set<string>();

  constructor(wire: Pick<DocumentWire, 'workspace' | 'capabilities' | 'definition'>, root: string) {
    this.#wire = wire;
    this.#root = root;
  }

  /** Files to keep open, in the order of opening; empty if the server only reads the disk. */
  get paths(): readonly string[] {
    const { workspace, capabilities, definition } = this.#wire;
    const held = workspace.unsaved();
    if (held.size === 0 || !capabilities.wantsChanges) return none;
    return inOrderOfUse(
      [...held.keys()].filter((path) => this.#isServed(path)),
      definition,
    );
  }

  /** True if the server was notified of all changes to unsaved texts. */
  get isSettled(): boolean {
    return this.#stirred.size === 0;
  }

  /** Returns whether a file is unsaved and its text cannot be sent to the server. */
  isUnheard(path: string): boolean {
    const { workspace, capabilities } = this.#wire;
    return !capabilities.wantsChanges && this.#isServed(path) && workspace.unsaved().has(path);
  }

  /** Records changes of unsaved texts; returns the changes to send to servers as changes on disk. */
  sift(changes: readonly Change[]): readonly Change[] {
    const isToldOf = ({ unsaved, kind }: Change) => !unsaved || kind === 'deleted';
    for (const { path, unsaved } of changes) if (unsaved && this.#isServed(path)) this.#stirred.add(path);
    return changes.filter(isToldOf);
  }

  take(): readonly string[] {
    const taken = [...this.#stirred];
    this.#stirred.clear();
    return taken;
  }

  /** Restores what could not be sent. */
  putBack(stirred: readonly string[]): void {
    for (const path of stirred) this.#stirred.add(path);
  }

  #isServed(path: string): boolean {
    const { workspace, definition } = this.#wire;
    return hasOpen({ definition, root: this.#root }, workspace.rootOf(path), path);
  }
}

/**
 * Returns whether a server keeps an unsaved file open: a file of its own root, or of any root if it knows
 * projects by their open files, since one project may use another.
 */
export function hasOpen(
  { definition, root }: { readonly definition: ServerDefinition; readonly root: string },
  rootOfFile: string | undefined,
  path: string,
): boolean {
  if (languageOf(path, definition) === undefined) return false;
  const { loadsOnOpen, ofFile } = definition.projects ?? {};
  return rootOfFile === root || (loadsOnOpen === true && ofFile === undefined);
}

const none: readonly string[] = [];
