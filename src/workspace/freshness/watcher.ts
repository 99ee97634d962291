import { type FSWatcher, watch } from 'node:fs';
import path from 'node:path';
import type { Log } from '../../core/log.ts';
import { attempt } from '../gate/attempt.ts';
import type { Touched } from './scan-queue.ts';
import type { Folder } from './snapshot.ts';

/** The events since the last `take`. */
interface WatchEvents {
  readonly touched: Touched;
  /** There were so many events that the kernel may have dropped others. */
  readonly flooded: boolean;
}

interface WatcherOptions {
  /** If false, every folder is compared instead. */
  readonly enabled: boolean;
  /** This many events between two passes mean that others may have been lost. */
  readonly flood: number;
  readonly onFlood: () => void;
  /** Called for every event as it arrives. */
  readonly onEvent: () => void;
  readonly log: Log;
}

/** One watch per folder, all in the one event queue that the kernel keeps for this process. */
export class Watcher {
  /** Folders without a watch, which must be compared. */
  readonly unwatched = new Set<Folder>();
  readonly #handles = new Map<Folder, FSWatcher>();
  readonly #options: WatcherOptions;
  #touched: Touched = new Map();
  #events = 0;

  constructor(options: WatcherOptions) {
    this.#options = options;
  }

  /** Sets a new watch: an old one may belong to a folder that has been replaced. */
  watch(folder: Folder): void {
    this.unwatch(folder);
    const handle = this.#options.enabled ? this.#open(folder) : undefined;
    if (handle) this.#handles.set(folder, handle);
    else this.unwatched.add(folder);
  }

  /** True if a folder is either watched or compared. */
  handles(folder: Folder): boolean {
    return this.#handles.has(folder) || this.unwatched.has(folder);
  }

  unwatch(folder: Folder): void {
    this.unwatched.delete(folder);
    this.#handles.get(folder)?.close();
    this.#handles.delete(folder);
  }

  /** Compares a folder from now on, because it cannot be watched. */
  compareInstead(folder: Folder): void {
    this.unwatch(folder);
    this.unwatched.add(folder);
  }

  take(): WatchEvents {
    const events = { touched: this.#touched, flooded: this.#isFlooded() };
    this.#touched = new Map();
    this.#events = 0;
    return events;
  }

  close(): void {
    for (const handle of this.#handles.values()) handle.close();
    this.#handles.clear();
  }

  #open(folder: Folder): FSWatcher | undefined {
    const opened = attempt(() =>
      watch(folder.path, { persistent: false }, (event, name) =>
        this.#record(folder, event === 'rename', name),
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

  #record(folder: Folder, moved: boolean, name: string | null): void {
    this.#events++;
    this.#options.onEvent();
    if (this.#isFlooded()) {
      this.#touched.clear();
      this.#options.onFlood();
      return;
    }
    const names = this.#touched.get(folder) ?? new Map<string, boolean>();
    this.#touched.set(folder, names);
    names.set(name ?? ownName(folder), moved || names.get(name ?? ownName(folder)) === true);
  }

  #isFlooded(): boolean {
    return this.#events >= this.#options.flood;
  }
}

/** The name under which the kernel reports events of the watched folder itself. */
export function ownName(folder: Folder): string {
  return path.basename(folder.path);
}
