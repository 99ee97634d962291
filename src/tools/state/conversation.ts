import { limits } from '../../core/limits.ts';
import { problemDelta, type Sighting } from '../../core/problem-delta.ts';
import { BoundedCache } from '../../core/runtime/bounded-cache.ts';
import { type CancelSignal, CancelSource } from '../../core/runtime/cancellation.ts';
import type { KeptTexts, TextBefore } from './kept-texts.ts';

/** The files that changed, what was known of their problems, and where the check says what it is about. */
export interface CheckRequest {
  /** With the texts before. */
  readonly changed: ReadonlyMap<string, TextBefore>;
  /** Returns the problems of a file at the last check; `undefined` if they are not known. */
  known(path: string): readonly Sighting[] | undefined;
  /** Called with the files whose problems the check compares. */
  onScope(paths: readonly string[]): void;
  readonly signal: CancelSignal;
}

/** What a check found. */
export interface CheckResult {
  readonly introduced: readonly Sighting[];
  /** The problems of the files about which the servers are certain. */
  readonly present: ReadonlyMap<string, readonly Sighting[]>;
  /** Changed files about which they may be certain later. */
  readonly uncertain: readonly string[];
}

/** Compares the problems of changed files and their dependents with those before. */
export type CheckChanges = (request: CheckRequest) => Promise<CheckResult>;

/** What one call is told. */
export interface Told {
  readonly introduced: readonly Sighting[];
  /** The number of files of a check that goes on, if this was not told before. */
  readonly goesOn: number | undefined;
}

/** Waits for work, but not for long; resolves to whether it has ended. */
export type WaitFor = (work: Promise<unknown>) => Promise<boolean>;

/** Knows which files changed since a conversation last heard of problems, and which problems are new to it. */
export class Conversation {
  /** The texts at the last check that was finished. */
  readonly #changed = new Map<string, TextBefore>();
  readonly #known = new BoundedCache<readonly Sighting[]>({ count: limits.afterEdit.known });
  /** Files that were checked again because servers were not certain. */
  readonly #repeated = new Set<string>();
  #untold: readonly Sighting[] = [];
  #running: RunningCheck | undefined;
  #isClosed = false;
  readonly #unlisten: () => void;

  constructor(texts: Pick<KeptTexts, 'onChange'>) {
    this.#unlisten = texts.onChange((path, before) => this.#note(path, before));
  }

  /** Returns what got worse since the last call, as far as it is known by the end of the wait. */
  async hear(check: CheckChanges, waitFor: WaitFor): Promise<Told> {
    if (this.#running?.isOutdated) {
      this.#running.cancel.abort();
      this.#running = undefined;
    }
    if (!this.#running && this.#changed.size > 0 && !this.#isClosed) this.#begin(check);
    const running = this.#running;
    if (running && !(await waitFor(running.ended))) return this.#told(running);
    return this.#told(undefined);
  }

  /** Ends the check in progress, and hears of no more changes. */
  close(): void {
    this.#isClosed = true;
    this.#unlisten();
    this.#running?.cancel.abort();
  }

  #note(path: string, before: TextBefore): void {
    // The oldest text counts: nothing was told since.
    if (!this.#changed.has(path)) this.#changed.set(path, before);
    this.#repeated.delete(path);
    if (this.#running) this.#running.isOutdated = true;
  }

  #begin(check: CheckChanges): void {
    const cancel = new CancelSource();
    const running: RunningCheck = { cancel, scope: undefined, isOutdated: false, isTold: false, ended: none };
    const request: CheckRequest = {
      changed: new Map(this.#changed),
      known: (path) => this.#known.get(path),
      onScope: (paths) => {
        running.scope = new Set(paths);
      },
      signal: cancel,
    };
    this.#running = running;
    running.ended = check(request).then(
      (result) => this.#finish(running, result),
      (thrown: unknown) => {
        if (this.#running === running) this.#running = undefined;
        if (!cancel.aborted) throw thrown;
      },
    );
    // The call that began it may have ended.
    running.ended.catch(() => {});
  }

  /** A result about texts that have changed meanwhile is of no use: the next call checks all of it again. */
  #finish(running: RunningCheck, { introduced, present, uncertain }: CheckResult): void {
    if (this.#running !== running) return;
    this.#running = undefined;
    if (running.isOutdated) return;
    const again = uncertain.filter((path) => !this.#repeated.has(path));
    const kept = new Map(again.flatMap((path) => [[path, this.#changed.get(path)] as const]));
    this.#changed.clear();
    for (const [path, before] of kept) {
      if (before) this.#changed.set(path, before);
      this.#repeated.add(path);
    }
    this.#untold = [...stillThere(this.#untold, present), ...introduced];
    for (const [path, sightings] of present) this.#known.set(path, sightings);
  }

  /** What a check in progress may prove wrong is told when it has ended. */
  #told(running: RunningCheck | undefined): Told {
    const isHeld = ({ path }: Sighting) => running !== undefined && running.scope?.has(path) !== false;
    const introduced = this.#untold.filter((one) => !isHeld(one));
    this.#untold = this.#untold.filter(isHeld);
    const isNews = running !== undefined && !running.isTold;
    if (running) running.isTold = true;
    return { introduced, goesOn: isNews ? (running.scope?.size ?? this.#changed.size) : undefined };
  }
}

const none: Promise<void> = Promise.resolve();

interface RunningCheck {
  readonly cancel: CancelSource;
  /** The files that it compares, once they are known. */
  scope: ReadonlySet<string> | undefined;
  /** True if something has changed since it began. */
  isOutdated: boolean;
  isTold: boolean;
  ended: Promise<void>;
}

function stillThere(
  untold: readonly Sighting[],
  present: ReadonlyMap<string, readonly Sighting[]>,
): readonly Sighting[] {
  const [checked, others] = [
    untold.filter(({ path }) => present.has(path)),
    untold.filter(({ path }) => !present.has(path)),
  ];
  const now = [...present.values()].flat();
  const fixed = new Set(problemDelta(checked, now).fixed);
  return [...others, ...checked.filter((one) => !fixed.has(one))];
}

/** The conversations of one caller, by the id that its client sends; most callers have one, without an id. */
export class Conversations {
  readonly #texts: Pick<KeptTexts, 'onChange' | 'read'>;
  readonly #kept = new BoundedCache<Conversation>({
    count: limits.afterEdit.conversations,
    onEvict: (conversation) => conversation.close(),
  });

  constructor(texts: Pick<KeptTexts, 'onChange' | 'read'>) {
    this.#texts = texts;
  }

  /** Returns a conversation. The first with an id is the one that began without: a handshake has none. */
  of(id: string | undefined): Conversation {
    const name = id ?? unnamed;
    const found = this.#kept.get(name) ?? this.#adopted() ?? new Conversation(this.#texts);
    this.#kept.set(name, found);
    return found;
  }

  /** Resolves when the texts are kept with which later ones are compared. */
  ready(): Promise<void> {
    return this.#texts.read();
  }

  /** Ends what they do in the background. */
  close(): void {
    for (const [, conversation] of this.#kept) conversation.close();
    this.#kept.close();
  }

  #adopted(): Conversation | undefined {
    const first = this.#kept.get(unnamed);
    this.#kept.delete(unnamed);
    return first;
  }
}

const unnamed = '';
