import type { BridgeSettings } from './bridge-settings.ts';
import { asLspanError, LspanError } from './core/errors.ts';
import { limits } from './core/limits.ts';
import { BoundedCache } from './core/runtime/bounded-cache.ts';
import { CallInProgress, CallsInProgress } from './core/runtime/calls-in-progress.ts';
import { isRecord } from './core/runtime/json.ts';
import { quotePath } from './core/wording/quote-path.ts';
import { FollowedRoots } from './followed-roots.ts';
import { type CallOptions, type OpenRoot, openRoot } from './open-root.ts';
import { isPathWithin } from './platform/files/path-within.ts';
import type { HostApi } from './tools/host/host-api.ts';
import type { McpResources } from './tools/host/resources.ts';
import { fail } from './tools/run/render-error.ts';
import type { Neighbour, Outcome } from './tools/run/tool.ts';

/**
 * The other worktrees of the repository that calls have named a path of: each is opened on demand as a root of its own,
 * with servers of its own. Their paths are given and shown relative to the workspace of the call, or absolute, so that a
 * path means one file whatever root answers.
 */
export class WorktreeRoots {
  /** The calls in progress, whichever root answers them. */
  readonly calls = new CallsInProgress();
  readonly #settings: BridgeSettings;
  /** By top folder, the least recently used first. */
  readonly #roots = new Map<string, UsedRoot>();
  /** The roots that gave what later calls may refer to: cursors, plans, edits. */
  readonly #givenBy = new BoundedCache<string>({ count: limits.roots.handles });
  /** The worktrees that were served so far. */
  readonly #served = new BoundedCache<true>({ count: limits.roots.remembered });
  readonly #followed = new FollowedRoots();
  /** The root of the latest edit of each caller, if it was made in another worktree. */
  readonly #lastEdited = new BoundedCache<string | undefined>({ count: limits.http.tokens });
  #isClosed = false;

  constructor(settings: BridgeSettings) {
    this.#settings = settings;
  }

  /** The roots that are open. */
  get opened(): readonly OpenRoot[] {
    return [...this.#roots.values()].flatMap(({ root }) => root ?? []);
  }

  /** Calls a tool in the workspace, or in the worktree that contains what the call names. */
  call(main: OpenRoot, tool: string, args: unknown, options: CallOptions = {}): Promise<Outcome> {
    const { scope, signal } = options;
    return this.calls.run(
      new CallInProgress({ owner: scope }),
      async (own) => {
        const asked = { main, tool, args, options: { ...options, signal: own } };
        const start = this.#rootMeantBy(tool, args, scope);
        const outcome = await this.#callIn(start, asked);
        const elsewhere = placeOf(outcome, main);
        if (elsewhere !== undefined && elsewhere !== start)
          return aboutOneRoot(await this.#callIn(elsewhere, asked), elsewhere);
        return start === undefined ? this.#toldIfGone(outcome) : aboutOneRoot(outcome, start);
      },
      signal,
    );
  }

  /** Returns the resources of the workspace, and of files in other worktrees. */
  resourcesWith(main: OpenRoot): McpResources {
    return {
      ...main.resources,
      problemsOf: (file, options = {}) =>
        this.calls.run(
          new CallInProgress({ owner: options.scope }),
          (signal) => this.#problemsOf(main, file, { ...options, signal }),
          options.signal,
        ),
      locate: (file) =>
        main.resources.locate(file).catch((thrown: unknown) => {
          const elsewhere = placeOf({ error: asLspanError(thrown) }, main);
          if (elsewhere === undefined) throw thrown;
          this.#followed.add(elsewhere);
          return this.#askIn(elsewhere, main, (root) => {
            this.#followed.hear(elsewhere, root);
            return root.resources.locate(file);
          });
        }),
      onProblems: (listener) => {
        const ends = [main.resources.onProblems(listener), this.#followed.tellTo(listener)];
        return () => {
          for (const end of ends) end();
        };
      },
    };
  }

  /**
   * Returns the host API of the workspace, which checks files in other worktrees too. A text that is not on the disk is held
   * in the workspace alone: another root is closed when it is not used, and would lose it unnoticed.
   */
  hostApiWith(main: OpenRoot): HostApi {
    return {
      ...main.hostApi,
      check: (file, text, options = {}) =>
        this.calls.run(
          new CallInProgress({ owner: options.scope }),
          (signal) => this.#check(main, file, text, { ...options, signal }),
          options.signal,
        ),
    };
  }

  /** Returns the servers of the open roots. */
  neighbours(): Promise<readonly Neighbour[]> {
    const open = [...this.#roots].flatMap(([folder, { root }]) => (root ? [{ folder, root }] : []));
    return Promise.all(
      open.map(async ({ folder, root: { servers: control } }) => ({
        root: folder,
        servers: await control.status(),
        control,
      })),
    );
  }

  async close(options?: { readonly hurried?: boolean }): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#roots.keys()].map((folder) => this.#closeRoot(folder, options)));
  }

  async #callIn(folder: string | undefined, asked: AskedCall): Promise<Outcome> {
    const { main, tool, args, options } = asked;
    if (folder === undefined) {
      const outcome = await main.call(tool, args, options);
      if (this.#givenBy.size > 0) this.#note(undefined, outcome, options.scope);
      return outcome;
    }
    const used = await this.#use(folder, main).catch(asLspanError);
    if (used instanceof LspanError) return fail(used);
    const { root, release } = used;
    const outcome = await root.call(tool, args, options).finally(release);
    this.#note(folder, outcome, options.scope);
    if (outcome.error?.code === 'workspace_gone') this.#forget(folder);
    return outcome;
  }

  async #problemsOf(main: OpenRoot, ...asked: Parameters<McpResources['problemsOf']>): Promise<Outcome> {
    const outcome = await main.resources.problemsOf(...asked);
    const elsewhere = placeOf(outcome, main);
    if (elsewhere === undefined) return this.#toldIfGone(outcome);
    return this.#askIn(elsewhere, main, ({ resources }) => resources.problemsOf(...asked)).catch(
      (thrown: unknown) => fail(asLspanError(thrown)),
    );
  }

  #check(main: OpenRoot, ...asked: Parameters<HostApi['check']>): ReturnType<HostApi['check']> {
    return main.hostApi.check(...asked).catch((thrown: unknown) => {
      const elsewhere = placeOf({ error: asLspanError(thrown) }, main);
      if (elsewhere === undefined) throw thrown;
      return this.#askIn(elsewhere, main, ({ hostApi }) => hostApi.check(...asked));
    });
  }

  async #askIn<T>(folder: string, main: OpenRoot, ask: (root: OpenRoot) => Promise<T>): Promise<T> {
    const { root, release } = await this.#use(folder, main);
    return ask(root).finally(release);
  }

  /** Says of a refused path that it was in a worktree, if that was served before. */
  #toldIfGone(outcome: Outcome): Outcome {
    const { outside } = outcome.error ?? {};
    if (outside === undefined || this.#served.size === 0) return outcome;
    const gone = this.#served.keys.find((folder) => isPathWithin(folder, outside));
    return gone === undefined ? outcome : fail(worktreeGone(gone));
  }

  /** Opens a root or takes the open one, for as long as the caller has not released it. */
  async #use(
    folder: string,
    main: OpenRoot,
  ): Promise<{ readonly root: OpenRoot; readonly release: () => void }> {
    if (this.#isClosed) throw new LspanError('cancelled', 'lspan is stopping.');
    const used = this.#roots.get(folder) ?? this.#begin(folder, main);
    // The most recently used comes last.
    this.#roots.delete(folder);
    this.#roots.set(folder, used);
    used.users += 1;
    clearTimeout(used.idle);
    const release = () => {
      used.users -= 1;
      clearTimeout(used.idle);
      used.idle = setTimeout(() => this.#rest(folder), limits.roots.idle).unref();
    };
    const root = await used.opening.catch((error: unknown) => {
      release();
      this.#forget(folder);
      throw error;
    });
    return { root, release };
  }

  #begin(folder: string, { roots }: OpenRoot): UsedRoot {
    this.#makeRoom();
    this.#settings.log('info', 'worktree.open', { root: folder });
    this.#served.set(folder, true);
    const base = roots[0] ?? folder;
    const onRootLost = () => this.#forget(folder);
    const opening = openRoot({ ...this.#settings, roots: [folder], base, besides: roots, onRootLost });
    const used: UsedRoot = { opening, root: undefined, users: 0, idle: undefined };
    opening.then(
      (root) => {
        used.root = root;
        this.#followed.hear(folder, root);
      },
      () => {},
    );
    return used;
  }

  /** A root that somebody listens to stays open. */
  #rest(folder: string): void {
    if (!this.#followed.has(folder)) this.#forget(folder);
  }

  /** Closes the least recently used root without a call if the most are open; one that is listened to only if all are. */
  #makeRoom(): void {
    if (this.#roots.size < limits.roots.open) return;
    const unused = [...this.#roots].filter(([, { users }]) => users === 0);
    const [folder] = unused.find(([one]) => !this.#followed.has(one)) ?? unused[0] ?? [];
    if (folder === undefined)
      throw new LspanError('busy', `${limits.roots.open} other worktrees are in use.`, {
        nextStep: 'Call again when an earlier call has ended.',
      });
    this.#forget(folder);
  }

  /** Closes a root that nobody waits for. */
  #forget(folder: string): void {
    const { log } = this.#settings;
    if (this.#roots.get(folder)?.users) return;
    this.#closeRoot(folder, { hurried: true }).catch((error) =>
      log('warn', 'worktree.close_failed', { error }),
    );
  }

  async #closeRoot(folder: string, options?: { readonly hurried?: boolean }): Promise<void> {
    const used = this.#roots.get(folder);
    if (!used) return;
    this.#roots.delete(folder);
    clearTimeout(used.idle);
    this.#settings.log('info', 'worktree.close', { root: folder });
    if (!this.#isClosed) this.#followed.leave(folder);
    const root = await used.opening.catch(() => undefined);
    await root?.close(options);
  }

  /** Returns the root that gave what a call refers to; `undefined` for the workspace itself. */
  #rootMeantBy(tool: string, args: unknown, scope: string | undefined): string | undefined {
    if (this.#givenBy.size === 0) return undefined;
    const named = handlesIn(args).map(({ handle }) => this.#givenBy.get(handle));
    const isLatest = tool === undoTool && !handlesIn(args).some(({ isEdit }) => isEdit);
    return (
      named.find((folder) => folder !== undefined) ??
      (isLatest ? this.#lastEdited.get(scope ?? '') : undefined)
    );
  }

  #note(folder: string | undefined, { data, isError }: Outcome, scope: string | undefined): void {
    if (isError) return;
    for (const { handle, isEdit } of handlesIn(data)) {
      // Some are hashes of what they stand for, so that two roots may give the same.
      if (folder === undefined) this.#givenBy.delete(handle);
      else this.#givenBy.set(handle, folder);
      if (isEdit) this.#lastEdited.set(scope ?? '', folder);
    }
  }
}

interface UsedRoot {
  readonly opening: Promise<OpenRoot>;
  root: OpenRoot | undefined;
  users: number;
  idle: NodeJS.Timeout | undefined;
}

interface AskedCall {
  readonly main: OpenRoot;
  readonly tool: string;
  readonly args: unknown;
  readonly options: CallOptions;
}

/** The tool that means the latest edit if none is named. */
const undoTool = 'undo_edit';

/** Returns the other worktree that contains the path because of which a call was refused. */
function placeOf({ error }: Pick<Outcome, 'error'>, main: OpenRoot): string | undefined {
  return error?.outside === undefined ? undefined : main.otherWorktree(error.outside);
}

/** Says of a path that the root which was asked refused that a call is about one root. */
function aboutOneRoot(outcome: Outcome, folder: string): Outcome {
  const { outside } = outcome.error ?? {};
  if (outside === undefined) return outcome;
  const message = `${quotePath(outside)} is not in the worktree ${quotePath(folder)}.`;
  return fail(new LspanError('outside_workspace', message, { nextStep: 'Call once for each worktree.' }));
}

function worktreeGone(folder: string): LspanError {
  const message = `The worktree ${quotePath(folder)} no longer exists, or is none of this repository any more.`;
  return new LspanError('workspace_gone', message, {
    nextStep: 'Put it back with `git worktree`, or pass a path inside the workspace.',
  });
}

/** What an answer gives, by which a later call continues it. */
interface Handle {
  readonly handle: string;
  readonly isEdit: boolean;
}

function handlesIn(value: unknown, depth = 0): readonly Handle[] {
  if (depth > limits.roots.handleDepth || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one) => handlesIn(one, depth + 1));
  return Object.entries(value).flatMap(([name, one]) => {
    if (typeof one !== 'string') return isRecord(one) || Array.isArray(one) ? handlesIn(one, depth + 1) : [];
    const [, kind] = handleName.exec(name) ?? [];
    return kind === undefined ? [] : [{ handle: one, isEdit: kind.toLowerCase() === 'edit' }];
  });
}

/** The names of fields, on any surface, that contain a handle. */
const handleName = /^(?:next_?)?(cursor|plan|edit|action|since)(?:_?id)?$/i;
