import type { FileProblems } from '../../../core/problems.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';
import { languageOf } from '../../../servers/language-of.ts';
import { hasKnownDependencies } from '../../../source-text/packages/dependencies.ts';
import type { Change, Workspace } from '../../../workspace/workspace.ts';
import { outdating, settingUp } from '../documents/file-interest.ts';
import type { ServerSlot } from '../session/server-slot.ts';
import type { Session } from '../session/session.ts';
import { type Affected, ImportGraph } from './import-graph.ts';

/** What one run of a server has said about files, as long as nothing that they depend on has changed. */
interface SessionMemory {
  readonly session: Session;
  /** Refreshes that the server had asked for by itself: another one makes all of it doubtful. */
  readonly refreshes: number;
  readonly files: Map<string, FileProblems>;
}

/**
 * Remembers the problems of files that were checked for the whole workspace, so that the next check goes on where the
 * last one stopped. A result is forgotten when its file, or one that it may depend on, has another content.
 */
export class CheckMemory {
  readonly graph: ImportGraph;
  readonly #workspace: Workspace;
  readonly #slots = new Map<ServerSlot, SessionMemory>();
  /** Changes since the last `settle`; the later one of a file wins. */
  #pending = new Map<string, Change>();
  #settled = -1;
  #settling: Promise<void> = Promise.resolve();
  /** Files that changed since lspan has run, and those that may depend on them: the latest last. */
  readonly #urgent = new Set<string>();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
    this.graph = new ImportGraph(workspace);
  }

  note(changes: readonly Change[]): void {
    for (const change of changes) this.#pending.set(change.path, change);
  }

  /** Changed files and their dependents, the latest first. */
  get urgent(): readonly string[] {
    return [...this.#urgent].reverse();
  }

  /** Forgets what changes have made doubtful; returns the generation of the disk for which the rest holds. */
  async settle(): Promise<number> {
    while (this.#settled !== this.#workspace.generation()) {
      this.#settling = this.#settling.then(() => this.#settle());
      await this.#settling;
    }
    return this.#settled;
  }

  /** Reads on what the files of the workspace depend. */
  async learn(): Promise<void> {
    await this.settle();
    await this.graph.learn(this.#workspace.files());
  }

  /** Returns what was said about a file; a result that is not fresh is no reason not to ask again. */
  said(slot: ServerSlot, path: string): FileProblems | undefined {
    return this.#of(slot)?.files.get(path);
  }

  /** Remembers a result, unless the disk changed while it was asked for. */
  record(slot: ServerSlot, session: Session, generation: number, file: FileProblems): void {
    if (generation !== this.#workspace.generation() || generation !== this.#settled) return;
    if (slot.session !== session || session.diagnostics !== session.diagnostics.disk) return;
    const memory = this.#of(slot) ?? { session, refreshes: refreshesOf(session), files: new Map() };
    memory.files.set(file.path, file);
    this.#slots.set(slot, memory);
  }

  /** Forgets all results of a server. */
  forget(slot: ServerSlot): void {
    this.#slots.delete(slot);
  }

  #of(slot: ServerSlot): SessionMemory | undefined {
    const memory = this.#slots.get(slot);
    const isValid = memory?.session === slot.session && !slot.outdated;
    if (memory && isValid && memory.refreshes === refreshesOf(memory.session)) return memory;
    this.#slots.delete(slot);
    return undefined;
  }

  async #settle(): Promise<void> {
    const generation = this.#workspace.generation();
    if (this.#settled === generation) return;
    const changes = [...this.#pending.values()];
    this.#pending = new Map();
    if (changes.some(({ path }) => this.#isConfiguration(path))) this.graph.forgetAll();
    else if (changes.some(({ kind }) => kind !== 'changed')) this.graph.forgetResolution();
    // The dependents of what changed before the first check are checked first too.
    if (changes.length > 0) await this.graph.learn(this.#workspace.files());
    const affected = await this.graph.afterChanges(changes);
    for (const path of [...affected.files].reverse()) {
      this.#urgent.delete(path);
      this.#urgent.add(path);
    }
    const paths = changes.map(({ path }) => path);
    for (const [slot, { files }] of this.#slots) {
      const isDoubtful = doubtfulAfter(slot.definition, paths, affected, this.graph);
      for (const path of files.keys()) if (isDoubtful(path)) files.delete(path);
    }
    this.#settled = generation;
  }

  #isConfiguration(path: string): boolean {
    return [...this.#slots.keys()].some(({ definition }) => settingUp(definition)(path));
  }
}

function refreshesOf({ diagnostics }: Session): number {
  return diagnostics.disk.ownRefreshes;
}

/** Returns whether the problems of a file may have changed with these files. */
function doubtfulAfter(
  definition: ServerDefinition,
  changed: readonly string[],
  { files, isAnywhere }: Affected,
  graph: ImportGraph,
): (path: string) => boolean {
  const isConfigured = [settingUp(definition), outdating(definition)];
  if (changed.some((path) => isConfigured.some((matches) => matches(path)))) return () => true;
  const own = new Set(changed);
  if (definition.diagnostics?.checksFilesAlone) return (path) => own.has(path);
  const { otherLanguages } = definition.disk ?? {};
  const isUsed = (path: string) =>
    languageOf(path, definition) !== undefined || (otherLanguages?.test(path) ?? true);
  const isConcerned = changed.some(isUsed);
  return (path) =>
    hasKnownDependencies(path)
      ? isAnywhere || files.has(path) || !graph.knows(path)
      : isConcerned || own.has(path);
}
