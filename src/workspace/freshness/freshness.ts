import type { Stats } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Doubt } from '../../core/doubts.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Log } from '../../core/log.ts';
import { BoundedCache } from '../../core/runtime/bounded-cache.ts';
import type { AllowedFolders } from '../gate/allowed-folders.ts';
import { isUnsettled, signatureOf, statsOf } from '../gate/signature.ts';
import type { Change } from '../workspace.ts';
import { NestedWorktrees } from '../worktrees/nested-worktrees.ts';
import { AlsoWatched } from './also-watched.ts';
import { ChangeSet } from './change-set.ts';
import { Cookie, halfOfEventQueue } from './cookie.ts';
import { createIgnoreRules, type IgnoreRules } from './ignore-rules.ts';
import { excludePath } from './repository-rules.ts';
import { checkNested, checkRoot, scan } from './scan.ts';
import type { ScanContext } from './scan-context.ts';
import { ScanQueue } from './scan-queue.ts';
import { createFolder, type Folder, Snapshot } from './snapshot.ts';
import { Watcher } from './watcher.ts';

/** Options and callbacks of a freshness barrier. */
interface FreshnessOptions {
  readonly allowed: AllowedFolders;
  readonly log: Log;
  readonly exclude: readonly string[];
  readonly watch: 'auto' | 'scan';
  readonly cookieFolder: string | undefined;
  /** Called with every batch that is not empty. */
  readonly publish: (changes: readonly Change[]) => void;
  /** Called when something may have changed, as soon as the kernel reports it. */
  readonly onEvent: () => void;
  /** Called with a path whose changes are no longer reported. */
  readonly onUntracked: (path: string) => void;
  /** Called when other folders are cut out of the roots than before. */
  readonly onCutOut: () => void;
}

/** Keeps the snapshot in step with the disk: by kernel events where there are any, else by comparing. */
export class FreshnessBarrier {
  readonly snapshot = new Snapshot();
  readonly #options: FreshnessOptions;
  readonly #cookie: Cookie | undefined;
  readonly #watcher: Watcher;
  readonly #also = new AlsoWatched();
  readonly #tracked: TrackedFiles;
  readonly #queue = new ScanQueue();
  readonly #nested: NestedWorktrees;
  readonly #rules: IgnoreRules;
  readonly #roots: readonly Folder[];
  readonly #skippedFolders: ReadonlySet<string>;
  readonly #barrier: Barrier<readonly Doubt[]>;
  /** Predicates of the folders to list for globs added since the last pass. */
  #addedGlobs: ((inside: string) => boolean)[] = [];
  /** A change may have been missed: everything must be compared. */
  #lost = false;
  #closed = false;

  constructor(options: FreshnessOptions) {
    this.#options = options;
    this.#tracked = new TrackedFiles(options.onUntracked);
    this.#nested = new NestedWorktrees(options.allowed, options.onCutOut);
    const canWatch = options.watch === 'auto' && process.platform === 'linux';
    this.#cookie = canWatch ? Cookie.open(options.cookieFolder) : undefined;
    this.#watcher = new Watcher({
      enabled: this.#cookie !== undefined,
      flood: halfOfEventQueue(),
      onFlood: () => this.#cookie?.interrupt(),
      onEvent: options.onEvent,
      log: options.log,
    });
    this.#rules = createIgnoreRules(options.exclude);
    this.#also.add([`**/${excludePath}`]);
    this.#skippedFolders = new Set([
      ...options.allowed.roots,
      ...(this.#cookie ? [this.#cookie.folder] : []),
    ]);
    this.#roots = options.allowed.roots.map((root) => this.#addRoot(root));
    // In the next turn, so that the opener can call `watchAlso` first.
    this.#barrier = new Barrier(
      nextTurn().then(() => this.#pass()),
      () => this.#pass(),
    );
  }

  /** Resolves when every earlier change has been published. */
  refresh(): Promise<readonly Doubt[]> {
    if (this.#closed) return Promise.reject(new LspanError('cancelled', 'The workspace has been closed.'));
    return this.#barrier.wait();
  }

  /** Cuts out the worktrees in the roots; every pass does so too, but not every caller waits for one. */
  cutOutWorktrees(): void {
    this.#nested.update();
  }

  watchAlso(globs: readonly string[]): void {
    const concerns = this.#also.add(globs);
    if (concerns) this.#addedGlobs.push(concerns);
  }

  /** True if a change to this path would be reported at the next barrier. */
  isTracked(path: string): boolean {
    return this.snapshot.has(path) || this.#tracked.has(path);
  }

  /** Reports changes to this path from now on, though nothing watches it. */
  track(path: string, stats: Stats, readByOthers = false): void {
    this.#tracked.track(path, stats, readByOthers);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cookie?.close();
    await this.#barrier.idle();
    this.#watcher.close();
  }

  async #pass(): Promise<readonly Doubt[]> {
    if (this.#closed) return [];
    const delivery = this.#cookie ? await this.#cookie.pass() : 'delivered';
    // libuv reads the kernel's queue until it is empty. A caller that asks again at once would fill it again from
    // within that read, and no timer, pipe or process would ever be heard.
    await nextTurn();
    if (this.#closed) return [];
    const changes = new ChangeSet();
    const context = this.#context(changes);
    this.#plan(context, delivery === 'late');
    const finished = await this.#run(scan(context));
    if (this.#closed) return [];
    this.#lost = !finished;
    this.#tracked.compare(changes, (path) => this.snapshot.has(path));
    const batch = changes.list();
    if (batch.length > 0) this.#options.publish(batch);
    const missing = this.#roots.filter(({ path }) => statsOf(path)?.isDirectory() !== true);
    if (missing.length > 0 && missing.length === this.#roots.length) throw workspaceGone();
    return this.#doubts(missing.length);
  }

  #plan(context: ScanContext, late: boolean): void {
    const { touched, flooded } = this.#watcher.take();
    if (late || flooded) this.#options.log('info', 'watch.compare_all', { late, flooded });
    this.#queue.touch(touched);
    const compared = late || flooded || this.#lost ? this.snapshot.folders : this.#watcher.unwatched;
    for (const folder of compared) this.#queue.checks.add(folder);
    for (const concerns of this.#addedGlobs.splice(0)) this.#listMatching(concerns);
    for (const root of this.#roots) checkRoot(context, root);
    checkNested(context);
  }

  #listMatching(concerns: (inside: string) => boolean): void {
    for (const folder of this.snapshot.folders)
      if (concerns(folder.inside) && !this.#queue.listings.has(folder))
        this.#queue.list(folder, { quiet: 'extras' });
  }

  /** Runs the scan without blocking the event loop for long; returns whether it finished. */
  async #run(steps: Generator<void>): Promise<boolean> {
    const end = performance.now() + limits.scan.time;
    let pause = performance.now() + limits.scan.slice;
    for (let step = 1; !steps.next().done; step++) {
      if (step % limits.scan.stepsAtOnce !== 0) continue;
      const now = performance.now();
      if (now > end || this.#closed) return false;
      if (now < pause) continue;
      await nextTurn();
      pause = performance.now() + limits.scan.slice;
    }
    return true;
  }

  #addRoot(root: string): Folder {
    const folder = createFolder({
      path: root,
      inside: '',
      parent: undefined,
      scope: 'all',
      rules: this.#rules,
    });
    this.snapshot.addFolder(folder);
    this.#queue.list(folder, { quiet: 'all' });
    return folder;
  }

  #context(changes: ChangeSet): ScanContext {
    return {
      allowed: this.#options.allowed,
      snapshot: this.snapshot,
      watcher: this.#watcher,
      also: this.#also,
      queue: this.#queue,
      nested: this.#nested,
      rules: this.#rules,
      skippedFolders: this.#skippedFolders,
      changes,
    };
  }

  #doubts(missingRoots: number): readonly Doubt[] {
    const doubts: Doubt[] = [];
    if (missingRoots > 0) doubts.push({ kind: 'watch_lost', detail: rootMissing });
    if (this.#lost) doubts.push({ kind: 'watch_lost', detail: unfinished });
    if (this.snapshot.overflowed) doubts.push({ kind: 'watch_lost', detail: tooMany });
    return doubts;
  }
}

/** Without its folder, every search would find nothing, which is not an answer. */
export function workspaceGone(): LspanError {
  const message = 'The folder of the workspace no longer exists: it was moved or deleted.';
  return new LspanError('workspace_gone', message, {
    nextStep: 'Put the folder back, or start lspan in its new place.',
  });
}

const rootMissing = 'One of the folders of the workspace no longer exists: its files are missing.';

const unfinished = `The disk scan took more than ${limits.scan.time / 1000} s: recent changes may be missing.`;

const tooMany = `The workspace has more than ${limits.scan.files} files: changes to the others are not seen.`;

/**
 * Lets many callers share passes over the disk: a pass serves every caller that asked before it began.
 * A caller that asks while one runs may mean a change that it missed, and so shares the next one with all that wait.
 */
class Barrier<T> {
  readonly #pass: () => Promise<T>;
  #latest: Promise<unknown>;
  #next: Promise<T> | undefined;

  /** @param first Already running; no pass begins before it ends. */
  constructor(first: Promise<unknown>, pass: () => Promise<T>) {
    this.#pass = pass;
    this.#latest = observed(first);
  }

  wait(): Promise<T> {
    if (this.#next) return this.#next;
    const begin = () => {
      this.#next = undefined;
      return this.#pass();
    };
    const next = observed(this.#latest.then(begin, begin));
    this.#next = next;
    this.#latest = next;
    return next;
  }

  /** Resolves when no pass is running, even if the last one failed. */
  async idle(): Promise<void> {
    await this.#latest.catch(() => {});
  }
}

// A pass may fail when no caller waits for it any more; the next one reports the failure.
function observed<T>(pass: Promise<T>): Promise<T> {
  pass.catch(() => {});
  return pass;
}

/** Files that were read though nothing watches them (ignored files, libraries): compared at every barrier. */
class TrackedFiles {
  /** By path; an empty signature counts as changed. */
  readonly #files: BoundedCache<{ signature: string; isNew: boolean }>;

  /** @param onEvict Called with each path that had to make room. */
  constructor(onEvict: (path: string) => void) {
    this.#files = new BoundedCache({ count: limits.trackedFiles, onEvict: (_, path) => onEvict(path) });
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  /**
   * Tracks a file as it was when read. A file that others may have read before, such as an ignored one that a server
   * read, counts as changed since.
   */
  track(path: string, stats: Stats, readByOthers = false): void {
    const signature = readByOthers || isUnsettled(stats) ? '' : signatureOf(stats);
    this.#files.set(path, { signature, isNew: readByOthers });
  }

  /** Adds what changed to `changes`, and stops tracking what is watched by now. */
  compare(changes: ChangeSet, isWatched: (path: string) => boolean): void {
    for (const [path, file] of this.#files) {
      const stats = statsOf(path);
      const after = stats?.isFile() ? signatureOf(stats) : undefined;
      const isChanged = after !== file.signature;
      const kind = kindOf(file, after, isWatched(path));
      if (isChanged) changes.add(path, kind, file.isNew && kind === 'created');
      if (after === undefined || isWatched(path)) this.#files.delete(path);
      else if (isChanged && stats) file.signature = isUnsettled(stats) ? '' : after;
      file.isNew = false;
    }
  }
}

/** Others may have looked for an ignored file in vain, so it counts as created at first. */
function kindOf(
  { isNew }: { readonly isNew: boolean },
  after: string | undefined,
  isWatched: boolean,
): Change['kind'] {
  if (after === undefined) return 'deleted';
  return isNew && !isWatched ? 'created' : 'changed';
}
