import { LspanError } from './core/errors.ts';
import { limits } from './core/limits.ts';
import type { OpenRoot } from './open-root.ts';

type OnProblems = (path?: string) => void;

/** The worktrees beside the workspace in which files are followed, and who is told when their problems may have changed. */
export class FollowedRoots {
  readonly #listeners = new Set<OnProblems>();
  /** Stops listening, by the top folder of a root; absent while the root is not open. */
  readonly #roots = new Map<string, (() => void) | undefined>();

  has(folder: string): boolean {
    return this.#listeners.size > 0 && this.#roots.has(folder);
  }

  /** Follows a root, once it is open, until nobody listens. Throws if no more can be open at once. */
  add(folder: string): void {
    if (this.#roots.has(folder)) return;
    // Whoever looked for files there may have left without listening.
    if (this.#listeners.size === 0) this.#clear();
    if (this.#roots.size >= limits.roots.open)
      throw new LspanError('limit_exceeded', `Files of ${limits.roots.open} other worktrees are followed.`, {
        nextStep: 'Unsubscribe from those first, or ask get_diagnostics.',
      });
    this.#roots.set(folder, undefined);
  }

  /** Calls the listener when problems may have changed; returns a function that removes it. */
  tellTo(listener: OnProblems): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#clear();
    };
  }

  /** Listens to a root that is open, if files in it are followed. */
  hear(folder: string, { resources }: Pick<OpenRoot, 'resources'>): void {
    if (!this.#roots.has(folder) || this.#roots.get(folder)) return;
    this.#roots.set(
      folder,
      resources.onProblems((path) => this.#tell(path)),
    );
  }

  /** A root that was closed is heard no more: whoever follows it should ask again, which opens it. */
  leave(folder: string): void {
    if (!this.#roots.has(folder)) return;
    this.#roots.get(folder)?.();
    this.#roots.set(folder, undefined);
    this.#tell();
  }

  #clear(): void {
    for (const end of this.#roots.values()) end?.();
    this.#roots.clear();
  }

  #tell(path?: string): void {
    for (const listener of this.#listeners) listener(path);
  }
}
