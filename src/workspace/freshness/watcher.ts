import { type FSWatcher, watch } from 'node:fs';
import path from 'node:path';
import type { Log } from '../../core/log.ts';
import { attempt } from '../gate/attempt.ts';
import type { Touched } from './scan-queue.ts';
import type { Folder } from './snapshot.ts';

/** What was heard since the last time. */
export interface Heard {
  readonly touched: Touched;
  /** So much was heard that the kernel may have dropped the rest. */
  readonly flooded: boolean;
}

interface WatcherOptions {
  /** Off, every folder is compared instead. */
  readonly enabled: boolean;
  /** So many events between two questions mean that others may have been lost. */
  readonly flood: number;
  readonly onFlood: () => void;
  /** Called with every event, before anybody asks. */
  readonly onEvent: () => void;
  readonly log: Log;
}

/** One watch per folder, all in the one queue that the kernel keeps for this process. */
export class Watcher {
  /** Folders that have no watch: those have to be compared. */
  readonly unwatched = new Set<Folder>();
  readonly #handles = new Map<Folder, FSWatcher>();
  readonly #options: WatcherOptions;
  #touched: Touched = new Map();
  #events = 0;

  constructor(options: WatcherOptions) {
    this.#options = options;
  }

  /** Watches a folder anew: an old watch may belong to a folder that has been replaced. */
  watch(folder: Folder): void {
    this.unwatch(folder);
    const handle = this.#options.enabled ? this.#open(folder) : undefined;
    if (handle) this.#handles.set(folder, handle);
    else this.unwatched.add(folder);
  }

  /** Whether a folder is taken care of, with a watch or without. */
  knows(folder: Folder): boolean {
    return this.#handles.has(folder) || this.unwatched.has(folder);
  }

  unwatch(folder: Folder): void {
    this.unwatched.delete(folder);
    this.#handles.get(folder)?.close();
    this.#handles.delete(folder);
  }

  /** Gives up on a folder whose file system does not tell of changes. */
  compareInstead(folder: Folder): void {
    this.unwatch(folder);
    this.unwatched.add(folder);
  }

  take(): Heard {
    const heard = { touched: this.#touched, flooded: this.#isFlooded() };
    this.#touched = new Map();
    this.#events = 0;
    return heard;
  }

  close(): void {
    for (const handle of this.#handles.values()) handle.close();
    this.#handles.clear();
  }

  #open(folder: Folder): FSWatcher | undefined {
    const opened = attempt(() =>
      watch(folder.path, { persistent: false }, (event, name) =>
        this.#hear(folder, event === 'rename', name),
      ),
    );
    if (!opened.ok) {
      this.#options.log('debug', 'watch.refused', { code: opened.code });
      return undefined;
    }
    // An error after the start means that this watch is dead.
    opened.value.on('error', () => this.compareInstead(folder));
    return opened.value;
  }

  #hear(folder: Folder, moved: boolean, name: string | null): void {
    this.#events++;
    this.#options.onEvent();
    if (this.#isFlooded()) {
      this.#touched.clear();
      this.#options.onFlood();
      return;
    }
    const names = this.#touched.get(folder) ?? new Map<string, boolean>();
    this.#touched.set(folder, names);
    names.set(name ?? itself(folder), moved || names.get(name ?? itself(folder)) === true);
  }

  #isFlooded(): boolean {
    return this.#events >= this.#options.flood;
  }
}

/** The name under which the kernel tells about the watched folder itself. */
export function itself(folder: Folder): string {
  return path.basename(folder.path);
}
