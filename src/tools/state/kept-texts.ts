import path from 'node:path';
import { limits } from '../../core/limits.ts';
import { BoundedCache, SharedQuota } from '../../core/runtime/bounded-cache.ts';
import { eachInSlices } from '../../core/runtime/slices.ts';
import type { Change, Workspace } from '../../workspace/workspace.ts';

/** The text of a file before a change; `unknown` if lspan had not read it. */
export type TextBefore =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'no_file' }
  | { readonly kind: 'unknown' };

type OnChange = (path: string, before: TextBefore) => void;

/**
 * Keeps the texts of a workspace, so that the text before a change is known whichever program made it. Begins with the
 * first listener: nobody else pays for it.
 */
export class KeptTexts {
  readonly #workspace: Pick<Workspace, 'files' | 'onChanges' | 'readNow'>;
  readonly #texts = new BoundedCache<string>({ quota: new SharedQuota(limits.keptTexts.bytes) });
  readonly #listeners = new Set<OnChange>();
  #reading: Promise<void> | undefined;
  #isListening = false;

  constructor(workspace: Pick<Workspace, 'files' | 'onChanges' | 'readNow'>) {
    this.#workspace = workspace;
  }

  /** Calls the listener with each later change and the text before it; returns a function that removes it. */
  onChange(listener: OnChange): () => void {
    if (!this.#isListening) this.#workspace.onChanges((changes) => this.#note(changes));
    this.#isListening = true;
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Reads the texts, once, after a barrier; resolves when they are read, or as many as are kept. */
  read(): Promise<void> {
    this.#reading ??= this.#readAll();
    return this.#reading;
  }

  async #readAll(): Promise<void> {
    await eachInSlices([...this.#workspace.files()], (file) => {
      if (!this.#texts.has(file) && this.#texts.bytes < limits.keptTexts.bytes) this.#keep(file);
    });
  }

  #note(changes: readonly Change[]): void {
    // Files that were ignored before are reported as created.
    const isCertain = !changes.some((change) => path.basename(change.path) === '.gitignore');
    for (const { path: file, kind, unsaved } of changes) {
      if (unsaved) continue;
      const text = this.#texts.get(file);
      const before: TextBefore =
        text !== undefined
          ? { kind: 'text', text }
          : { kind: kind === 'created' && isCertain ? 'no_file' : 'unknown' };
      for (const listener of this.#listeners) listener(file, before);
      this.#texts.delete(file);
    }
    const changed = changes.filter(({ kind, unsaved }) => kind !== 'deleted' && !unsaved);
    const reading = eachInSlices(changed, (change) => this.#keep(change.path));
    if (this.#reading) this.#reading = Promise.all([this.#reading, reading]).then(() => {});
  }

  #keep(file: string): void {
    const text = this.#workspace.readNow(file);
    if (text !== undefined && text.length <= limits.keptTexts.file) this.#texts.set(file, text, text.length);
  }
}
