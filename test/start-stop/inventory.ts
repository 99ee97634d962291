import { createHook } from 'node:async_hooks';
import { EventEmitter, getEventListeners } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { queryObjects } from 'node:v8';

/** What makes objects that can be counted. */
type Constructor = Parameters<typeof queryObjects>[0];

/** How much there is of each kind of thing, by its name. */
export type Inventory = Readonly<Record<string, number>>;

/** Counts what this process holds of the system and of its memory. */
export class Stocktaking {
  /** What is alive of what Node keeps for a program, by its number: also timers that keep no process alive. */
  readonly #resources = new Map<number, string>();
  readonly #collect: () => void;
  readonly #folders: readonly string[];
  readonly #signal: AbortSignal;
  /** Of what nothing may stay once nobody can reach it. */
  readonly #noted = new Set<WeakRef<object>>();
  readonly #classes: Readonly<Record<string, Constructor>>;

  constructor(options: {
    /** Frees what nobody can reach. */
    readonly collect: () => void;
    /** In which nothing may be left. */
    readonly folders: readonly string[];
    /** One that all calls were given. */
    readonly signal: AbortSignal;
    /** Of whose instances none may stay, by the names to show. */
    readonly classes: Readonly<Record<string, Constructor>>;
  }) {
    this.#collect = options.collect;
    this.#folders = options.folders;
    this.#signal = options.signal;
    this.#classes = options.classes;
    createHook({
      init: (id, type) => {
        if (!passing.has(type)) this.#resources.set(id, type);
      },
      destroy: (id) => void this.#resources.delete(id),
    }).enable();
  }

  /** Looks from now on whether this is still there. */
  note(held: object): void {
    this.#noted.add(new WeakRef(held));
  }

  /** What there is once everything has been told that was due; objects too where asked for, which takes a second each. */
  async take({ deeply = false } = {}): Promise<Inventory> {
    // Where the machine is busy, the end of a bridge does not wait for the shell that watched over its servers.
    for (let time = 0; time < 1_000 && children().length > 0; time += 1) await pause(20);
    // What was closed tells so in the next turn.
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    for (let time = 0; time < 2; time += 1) {
      this.#collect();
      await nextTurn();
    }
    return {
      ...counted('fd', descriptors()),
      'inotify watches': watches(),
      ...counted('process', children()),
      ...counted('active', process.getActiveResourcesInfo()),
      ...counted('alive', this.#resources.values()),
      ...listeners(),
      'listeners of a shared signal': getEventListeners(this.#signal, 'abort').length,
      'temporary files': this.#folders.flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }),
      ).length,
      'bridges remembered': this.#remembered(),
      ...(deeply ? this.#objects() : {}),
    };
  }

  #remembered(): number {
    for (const one of this.#noted) if (one.deref() === undefined) this.#noted.delete(one);
    return this.#noted.size;
  }

  #objects(): Inventory {
    const all = { ...builtIn, ...this.#classes };
    return Object.fromEntries(
      Object.entries(all).map(([name, type]) => [`object ${name}`, queryObjects(type, { format: 'count' })]),
    );
  }
}

/** These end with the turn that they began in, or when memory is freed, which is looked at by itself. */
const passing: ReadonlySet<string> = new Set(['PROMISE', 'TickObject', 'Microtask', 'Immediate']);

const builtIn: Readonly<Record<string, Constructor>> = {
  Map,
  Set,
  Promise,
  AbortSignal,
  EventEmitter,
  Error,
  ArrayBuffer,
  WeakRef,
};

/** What each descriptor is: the kind of a pipe, of a socket or of the kernel's own, or a path. */
function descriptors(): string[] {
  return readdirSync('/proc/self/fd').flatMap((name) => {
    const target = linkOf(`/proc/self/fd/${name}`);
    // The list is read through a descriptor of its own.
    if (target === undefined || target === `/proc/${process.pid}/fd`) return [];
    return [target.replace(/:\[\d+\]$/, '')];
  });
}

function linkOf(name: string): string | undefined {
  try {
    return readlinkSync(name);
  } catch {
    return undefined;
  }
}

function watches(): number {
  const infos = readdirSync('/proc/self/fd')
    .filter((name) => linkOf(`/proc/self/fd/${name}`) === 'anon_inode:inotify')
    .map((name) => readFileSync(`/proc/self/fdinfo/${name}`, 'utf8'));
  return infos.join('').split('inotify wd:').length - 1;
}

/** The children of this process, by their state: `Z` is one that nobody has waited for. */
function children(): string[] {
  return readdirSync('/proc').flatMap((name) => {
    const [state, parent] = /^\d+$/.test(name) ? stateOf(name) : [];
    return state !== undefined && Number(parent) === process.pid ? [state === 'Z' ? 'zombie' : 'child'] : [];
  });
}

function stateOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  } catch {
    return [];
  }
}

function listeners(): Inventory {
  const emitters = { process, stdin: process.stdin, stdout: process.stdout, stderr: process.stderr };
  return Object.fromEntries(
    Object.entries(emitters).flatMap(([name, emitter]) =>
      emitter
        .eventNames()
        .map((event) => [`listeners of ${name} ${String(event)}`, emitter.listenerCount(event)]),
    ),
  );
}

function counted(kind: string, things: Iterable<string>): Inventory {
  const counts: Record<string, number> = {};
  for (const thing of things) counts[`${kind} ${thing}`] = (counts[`${kind} ${thing}`] ?? 0) + 1;
  return counts;
}
