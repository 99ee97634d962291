import type { ServerDefinition } from '../../../servers/definition.ts';
import { languageOf } from '../../../servers/language-of.ts';
import type { Change } from '../../../workspace/workspace.ts';
import type { DocumentWire } from './document-sender.ts';
import { inOrderOfUse } from './file-interest.ts';

/** The files that one server reads and whose text is held: it has them open with that text before it is asked anything. */
export class UnsavedDocuments {
  readonly #wire: Pick<DocumentWire, 'workspace' | 'capabilities' | 'definition'>;
  readonly #root: string;
  /** Files whose held text came, changed or went since the server was last told. */
  #stirred = new Set<string>();

  constructor(wire: Pick<DocumentWire, 'workspace' | 'capabilities' | 'definition'>, root: string) {
    this.#wire = wire;
    this.#root = root;
  }

  /** What is to be open, in the order in which it is opened; nothing where the server takes no other text than the disk's. */
  get paths(): readonly string[] {
    const { workspace, capabilities, definition } = this.#wire;
    const held = workspace.unsaved();
    if (held.size === 0 || !capabilities.wantsChanges) return none;
    return inOrderOfUse(
      [...held.keys()].filter((path) => this.#isServed(path)),
      definition,
    );
  }

  /** Whether the server was told of all that came and went. */
  get isSettled(): boolean {
    return this.#stirred.size === 0;
  }

  /** Whether the text of a file is held, and the server cannot be told it. */
  isUnheard(path: string): boolean {
    const { workspace, capabilities } = this.#wire;
    return !capabilities.wantsChanges && this.#isServed(path) && workspace.unsaved().has(path);
  }

  /** Takes note of texts that came or went; gives the changes of which servers are told as of the disk's. */
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

  /** Keeps what could not be told after all. */
  putBack(stirred: readonly string[]): void {
    for (const path of stirred) this.#stirred.add(path);
  }

  #isServed(path: string): boolean {
    const { workspace, definition } = this.#wire;
    return hasOpen({ definition, root: this.#root }, workspace.rootOf(path), path);
  }
}

/**
 * Whether a server has a file of a root open while its text is held: one of its own root, and of any where it knows
 * projects by their open files, of which one may use another.
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
