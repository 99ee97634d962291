import path from 'node:path';
import type { IndexContext } from './backends/index/answers/index-context.ts';
import { IndexedRepositories } from './backends/index/answers/indexed-repositories.ts';
import { IndexBackend } from './backends/index/index-backend.ts';
import type { IndexStore } from './backends/index/store/index-store.ts';
import type { Config } from './config/config.ts';
import { hasIndexes, indexPlace } from './config/index-place.ts';
import { rootAround } from './config/state-folder.ts';
import type { Environment } from './config/user-file.ts';
import type { Repositories } from './core/backend.ts';
import { LspanError } from './core/errors.ts';
import type { Workspace } from './workspace/workspace.ts';
import { repositoryAround } from './workspace/worktrees/repository-facts.ts';

/** Answers from indexes, for one workspace. */
interface OpenIndex {
  /** Answers about files of the workspace where no server can. */
  readonly backend: IndexBackend;
  readonly repositories: Repositories;
}

/** Prepares answers from indexes. Nothing is opened before a question needs it. */
export function openIndex(workspace: Workspace, config: Config, environment: Environment): OpenIndex {
  const opener = new StoreOpener(config, environment, workspace.roots);
  const context: IndexContext = {
    workspace,
    store: () => opener.ifThere(),
    repositoryOf: repositoryFacts,
  };
  return { backend: new IndexBackend(context), repositories: new IndexedRepositories(context) };
}

/** Opens the store that the configuration names, to change it. */
export function openIndexStore(
  config: Config,
  environment: Environment,
  roots: readonly string[],
): Promise<IndexStore> {
  return new StoreOpener(config, environment, roots).open();
}

/** Returns the name and the top folder of the repository around a folder; without git, those of the folder. */
export function repositoryFacts(folder: string) {
  const found = repositoryAround(folder);
  return found ?? { root: folder, name: path.basename(folder), commit: undefined };
}

/** Opens a store once, when it is first needed. */
class StoreOpener {
  readonly #config: Config;
  readonly #environment: Environment;
  readonly #roots: readonly string[];
  #opened: Promise<IndexStore> | undefined;

  constructor(config: Config, environment: Environment, roots: readonly string[]) {
    this.#config = config;
    this.#environment = environment;
    this.#roots = roots;
  }

  /** Returns the store; `undefined` if it is embedded, and nothing was ever added to it. */
  async ifThere(): Promise<IndexStore | undefined> {
    if (this.#opened) return this.#opened;
    return hasIndexes(this.#config.index, this.#environment) ? this.open() : undefined;
  }

  open(): Promise<IndexStore> {
    this.#opened ??= this.#open().catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  async #open(): Promise<IndexStore> {
    const place = indexPlace(this.#config.index, this.#environment);
    if ('address' in place) {
      const { openPostgresStore } = await import('./backends/index/store/postgres-store.ts');
      return openPostgresStore(place.address, this.#config.index.tenant);
    }
    // What is in a repository could be made to say anything.
    const around = rootAround(place.folder, this.#roots);
    if (around !== undefined)
      throw new LspanError('refused', `The indexes would be in the workspace, below ${around}.`, {
        nextStep: 'Set XDG_STATE_HOME to a folder outside of the workspace.',
      });
    const { openEmbeddedStore } = await import('./backends/index/store/embedded-store.ts');
    return openEmbeddedStore(place.folder);
  }
}
