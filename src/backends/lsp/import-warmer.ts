import { setImmediate as nextTurn } from 'node:timers/promises';
import { importedFiles } from '../../core/imported-files.ts';
import { limits } from '../../core/limits.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { languageOf } from './language-of.ts';
import type { ServerSlot } from './server-slot.ts';

/** Which servers are told ahead of what a file imports: those that profit, all, or none. */
export type Warming = 'paying' | 'all' | 'none';

/** A file that was asked about, and a server that was. */
interface Wish {
  readonly slot: ServerSlot;
  readonly path: string;
}

/**
 * Opens what a file imports before anybody asks about it, where that makes a server's next answer quicker: while no
 * question is in flight, within a budget, in sessions that live already, and only where it changes no answer.
 */
export class ImportWarmer {
  readonly #workspace: Workspace;
  readonly #which: Warming;
  /** The latest last; each is served once while its session lives. */
  readonly #wishes: Wish[] = [];
  readonly #served = new WeakMap<object, Set<string>>();
  #files: ReadonlySet<string> | undefined;
  #inFlight = 0;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(workspace: Workspace, which: Warming) {
    this.#workspace = workspace;
    this.#which = which;
  }

  /** Asks a question, during which nothing is warmed; what the file imports is warmed afterwards. */
  async after<T>(wishes: readonly Wish[], ask: () => Promise<T>): Promise<T> {
    this.#inFlight += 1;
    return ask().finally(() => {
      this.#inFlight -= 1;
      this.#wishes.push(
        ...wishes.filter(({ slot }) => this.#which === 'all' || slot.definition.warms === true),
      );
      this.#wishes.splice(0, this.#wishes.length - limits.warming.wishes);
      if (this.#wishes.length > 0) this.#running ??= this.#run();
    });
  }

  /** Takes note that files came or went. */
  note(): void {
    this.#files = undefined;
  }

  close(): void {
    this.#closed = true;
    this.#wishes.length = 0;
  }

  get #isIdle(): boolean {
    return this.#inFlight === 0 && !this.#closed;
  }

  async #run(): Promise<void> {
    // The answer goes out first.
    await nextTurn();
    while (this.#isIdle) {
      const wish = this.#wishes.pop();
      if (!wish) break;
      await this.#serve(wish).catch(() => {});
    }
    this.#running = undefined;
  }

  async #serve({ slot, path }: Wish): Promise<void> {
    const { session } = slot;
    if (!session?.alive || !session.readiness.known) return;
    const served = this.#served.get(session) ?? new Set();
    this.#served.set(session, served);
    if (served.has(path)) return;
    served.add(path);
    const text = this.#workspace.known(path)?.text;
    if (text === undefined || text.length > limits.warming.text) return;
    for (const file of this.#importsOf(path, text, slot)) {
      const { documents } = session;
      const isRoom = documents.paths.length < limits.openDocuments * limits.warming.share;
      if (!this.#isIdle || !slot.open || !session.alive || !isRoom) return;
      if (!documents.isOpen(file)) await documents.sync([], [file]);
      await nextTurn();
    }
  }

  #importsOf(path: string, text: string, { definition, root }: ServerSlot): readonly string[] {
    const { roots, rootOf } = this.#workspace;
    this.#files ??= new Set(this.#workspace.files());
    const isFile = (file: string) => this.#files?.has(file) === true;
    const isServed = (file: string) => languageOf(file, definition) !== undefined && rootOf(file) === root;
    const found = importedFiles(text, { from: path, roots, isFile });
    return found.filter(isServed).slice(0, limits.warming.files);
  }
}
