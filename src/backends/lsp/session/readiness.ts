import { limits } from '../../../core/limits.ts';
import { object, text } from '../../../core/runtime/json.ts';
import { visible } from '../../../core/wording/visible.ts';
import type { ReadySignal } from '../../../servers/definition.ts';

/** Follows a server's own signal that it has loaded the project. */
export class Readiness {
  #signal: ReadySignal;
  /** Tokens of the running progress whose title matches the signal. */
  readonly #active = new Set<unknown>();
  /** Complaints of the server, by progress token; the key '' is for notifications. */
  readonly #troubles = new Map<unknown, string>();
  #reached: boolean;
  #waiting: (() => void)[] = [];
  /** Current activities of the server, by progress token, the latest last. */
  readonly #doing = new Map<unknown, Doing>();
  #said = 0;
  /** Counts the beginnings of what the signal is about. */
  #begun = 0;
  #reloads = 0;
  #messageCount = 0;
  /** When the server last stopped being ready. */
  #since = performance.now();

  constructor(signal: ReadySignal) {
    this.#signal = signal;
    this.#reached = signal.kind === 'immediate' || (signal.kind === 'progress' && signal.orSilence === true);
  }

  /** True if the server is known to be ready; never if its signal is `unknown`. */
  get isReady(): boolean {
    return this.#reached && this.#active.size === 0;
  }

  /** True if waiting for the signal makes sense. */
  get hasSignal(): boolean {
    return this.#signal.kind !== 'unknown';
  }

  /** The current activity of the server, as `Indexing: 12/40 crates`. */
  get doing(): string | undefined {
    const { title, message } = [...this.#doing.values()].at(-1) ?? {};
    const parts = [title, message].filter((part) => part !== undefined);
    return parts.length > 0 ? parts.join(': ') : undefined;
  }

  /** Counts reloads: an answer during which the count changes is not from a loaded project. */
  get reloads(): number {
    return this.#reloads;
  }

  /** Counts its messages, replies aside, and updates sent to it: while unchanged, so is its knowledge. */
  get messageCount(): number {
    return this.#messageCount;
  }

  /** Milliseconds for which the server has not been ready; 0 if it is ready or has no signal. */
  get loadingFor(): number {
    return this.isReady || !this.hasSignal ? 0 : performance.now() - this.#since;
  }

  /** The latest complaint of the server about the project. */
  get trouble(): string | undefined {
    return [...this.#troubles.values()].at(-1);
  }

  /** The request that asks the server whether it is ready, if it does not signal that by itself. */
  get enquiry(): { readonly method: string; readonly params: unknown } | undefined {
    if (this.#signal.kind !== 'request') return undefined;
    return { method: this.#signal.method, params: this.#signal.params ?? {} };
  }

  /** The number of what the server is loading, if it may fail to tell the end: an answer to a later request proves that. */
  get provable(): number | undefined {
    const isInTurn = this.#signal.kind === 'progress' && this.#signal.inTurn === true;
    return isInTurn && this.#active.size > 0 ? this.#begun : undefined;
  }

  /** Records that the server answered a request which was sent while it was loading that, and nothing since. */
  onProven(loaded: number): void {
    if (loaded !== this.#begun) return;
    for (const token of this.#active) this.#doing.delete(token);
    this.#active.clear();
    this.#reached = true;
  }

  /** Records that the server does not support the enquiry, and so has no signal. */
  cannotTell(): void {
    this.#signal = { kind: 'unknown' };
    this.#reached = false;
  }

  /** Reads the reply to the enquiry; returns `true` if it was positive, but not yet often enough. */
  learn(result: unknown): boolean {
    if (this.#signal.kind !== 'request') return false;
    const said = this.#signal.ready(result);
    this.#said = said ? this.#said + 1 : 0;
    this.#reached = this.#said >= (this.#signal.times ?? 1);
    return said && !this.#reached;
  }

  /** Records that the server was sent something: a server with an enquiry must be asked again. */
  onSent(): void {
    this.#messageCount += 1;
    if (this.#signal.kind !== 'request') return;
    if (this.#reached) this.#since = performance.now();
    this.#reached = false;
    this.#said = 0;
  }

  /** Returns whether this message outdates what the server has published so far. */
  onMessage(method: string, params: unknown): boolean {
    // A token for a progress says nothing by itself.
    if (method !== 'window/workDoneProgress/create') this.#messageCount += 1;
    const wasBusy = this.#active.size > 0;
    const wasKnown = this.isReady;
    if (method === '$/progress') this.#hearProgress(object(params));
    const signal = this.#signal;
    if (signal.kind === 'log' && method === 'window/logMessage') {
      if (signal.message.test(text(object(params).message) ?? '')) this.#reached = true;
    }
    if (signal.kind === 'progress' && signal.orPublication && method === 'textDocument/publishDiagnostics') {
      this.#reached = true;
    }
    if (signal.kind === 'registration' && method === 'client/registerCapability') this.#reached = true;
    if (signal.kind === 'notification' && method === signal.method) {
      this.#reached = signal.ready(params) ?? this.#reached;
      this.#tell('', signal.doing?.(params));
      this.#complain('', signal.trouble?.(params));
    }
    if (wasKnown && !this.isReady) {
      this.#since = performance.now();
      this.#reloads += 1;
    }
    this.wake();
    const isOver = wasBusy && this.#active.size === 0;
    return isOver && signal.kind === 'progress' && signal.republishes === true;
  }

  /** Resolves at the next event of any kind, including the server's end. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #hearProgress(params: Readonly<Record<string, unknown>>): void {
    const { kind, title, message, percentage } = object(params.value);
    const share = typeof percentage === 'number' ? `${Math.round(percentage)} %` : undefined;
    if (kind === 'end') this.#doing.delete(params.token);
    else this.#tell(params.token, text(title), text(message) ?? share);
    if (this.#signal.kind !== 'progress') return;
    // Beyond the limit, further tokens make no difference: the server is not ready anyway.
    const isRoom = this.#active.size < limits.progressTokens;
    if (kind === 'begin' && isRoom && this.#signal.title.test(text(title) ?? '')) {
      this.#begun += 1;
      if (this.#signal.inTurn) this.#active.clear();
      this.#active.add(params.token);
    }
    if (kind === 'begin' && this.#signal.trouble?.test(`${text(title)}: ${text(message)}`)) {
      const error = text(message) ?? text(title) ?? '';
      this.#complain(params.token, this.#signal.reworded?.(error) ?? error);
    }
    if (kind === 'end') this.#complain(params.token, undefined);
    // https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#progress
    if (kind === 'end' && this.#active.delete(params.token)) this.#reached = true;
  }

  /** A progress report has no title, so the title of its beginning is kept. */
  #tell(key: unknown, title: string | undefined, message?: string): void {
    const before = this.#doing.get(key);
    const doing = { title: inShort(title) ?? before?.title, message: inShort(message) ?? before?.message };
    this.#doing.delete(key);
    const isSilent = doing.title === undefined && doing.message === undefined;
    if (!isSilent && this.#doing.size < limits.progressTokens) this.#doing.set(key, doing);
  }

  #complain(key: unknown, words: string | undefined): void {
    const told = inShort(words);
    if (told === undefined) this.#troubles.delete(key);
    else if (this.#troubles.size < limits.progressTokens) this.#troubles.set(key, told);
  }

  /** Resolves all pending `next` calls. */
  wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

interface Doing {
  readonly title: string | undefined;
  readonly message: string | undefined;
}

/** Cuts the server's free text to one line, which waiting clients see too. */
function inShort(value: unknown): string | undefined {
  const told = text(value)?.slice(0, limits.results.lineLength).replace(/\s+/g, ' ');
  return told === undefined ? undefined : visible(told);
}
