import { limits } from '../../../core/limits.ts';
import { object, text } from '../../../core/runtime/json.ts';
import { visible } from '../../../core/wording/visible.ts';
import type { ReadySignal } from '../../../servers/definition.ts';

/** Follows a server's own signal that it has loaded the project. */
export class Readiness {
  #signal: ReadySignal;
  /** The tokens of what is under way whose title is the signal's. */
  readonly #active = new Set<unknown>();
  /** What the server complains of, by the token of the progress that tells it; the key '' where a notification did. */
  readonly #troubles = new Map<unknown, string>();
  #reached: boolean;
  #waiting: (() => void)[] = [];
  /** What the server says that it is doing, by the token of the progress that tells it; what was told last comes last. */
  readonly #doing = new Map<unknown, Doing>();
  #said = 0;
  #reloads = 0;
  #messageCount = 0;
  /** When it was last not ready any more. */
  #since = performance.now();

  constructor(signal: ReadySignal) {
    this.#signal = signal;
    this.#reached = signal.kind === 'immediate' || (signal.kind === 'progress' && signal.orSilence === true);
  }

  /** Whether the server has said that it is ready; a server that never tells is never known to be. */
  get isReady(): boolean {
    return this.#reached && this.#active.size === 0;
  }

  /** Whether waiting for the signal makes sense. */
  get hasSignal(): boolean {
    return this.#signal.kind !== 'unknown';
  }

  /** What the server says that it is doing, as `Indexing: 12/40 crates`. */
  get doing(): string | undefined {
    const { title, message } = [...this.#doing.values()].at(-1) ?? {};
    const parts = [title, message].filter((part) => part !== undefined);
    return parts.length > 0 ? parts.join(': ') : undefined;
  }

  /** How often it said that it is loading again: an answer between two such is not from a loaded project. */
  get reloads(): number {
    return this.#reloads;
  }

  /** How often it said anything by itself or was told anything: as long as that is the same, it knows what it knew. */
  get messageCount(): number {
    return this.#messageCount;
  }

  /** For how many milliseconds it has not been ready; 0 where it is. */
  get loadingFor(): number {
    return this.isReady || !this.hasSignal ? 0 : performance.now() - this.#since;
  }

  /** What the server itself says that is wrong with the project. */
  get trouble(): string | undefined {
    return [...this.#troubles.values()].at(-1);
  }

  /** What to ask the server in order to know whether it is ready, where it does not tell by itself. */
  get enquiry(): { readonly method: string; readonly params: unknown } | undefined {
    if (this.#signal.kind !== 'request') return undefined;
    return { method: this.#signal.method, params: this.#signal.params ?? {} };
  }

  /** Takes note that the server does not know that question: it is one that never tells. */
  cannotTell(): void {
    this.#signal = { kind: 'unknown' };
    this.#reached = false;
  }

  /** Takes the answer to that; `true` where it said so, but not yet often enough. */
  learn(result: unknown): boolean {
    if (this.#signal.kind !== 'request') return false;
    const said = this.#signal.ready(result);
    this.#said = said ? this.#said + 1 : 0;
    this.#reached = this.#said >= (this.#signal.times ?? 1);
    return said && !this.#reached;
  }

  /** Takes note that the server was told something: a server that is asked whether it is ready is asked again. */
  onSent(): void {
    this.#messageCount += 1;
    if (this.#signal.kind !== 'request') return;
    if (this.#reached) this.#since = performance.now();
    this.#reached = false;
    this.#said = 0;
  }

  /** Tells whether what the server published so far is outdated by what it says. */
  onMessage(method: string, params: unknown): boolean {
    this.#messageCount += 1;
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

  /** Resolves at the next event of any kind, the server's end included. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #hearProgress(params: Readonly<Record<string, unknown>>): void {
    const { kind, title, message, percentage } = object(params.value);
    const share = typeof percentage === 'number' ? `${Math.round(percentage)} %` : undefined;
    if (kind === 'end') this.#doing.delete(params.token);
    else this.#tell(params.token, text(title), text(message) ?? share);
    if (this.#signal.kind !== 'progress') return;
    // One that begins more than anybody can end is as little ready as one that begins a thousand things.
    const isRoom = this.#active.size < limits.progressTokens;
    if (kind === 'begin' && isRoom && this.#signal.title.test(text(title) ?? '')) {
      if (this.#signal.inTurn) this.#active.clear();
      this.#active.add(params.token);
    }
    if (kind === 'begin' && this.#signal.trouble?.test(text(title) ?? '')) {
      this.#complain(params.token, text(message) ?? text(title));
    }
    if (kind === 'end') this.#complain(params.token, undefined);
    // https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#progress
    if (kind === 'end' && this.#active.delete(params.token)) this.#reached = true;
  }

  /** A report has no title: it is about what has begun. */
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

  /** Lets everybody who waits look again. */
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

/** A server words its progress as it likes: it is shown on one line, to clients too that wait. */
function inShort(value: unknown): string | undefined {
  const told = text(value)?.slice(0, limits.results.lineLength).replace(/\s+/g, ' ');
  return told === undefined ? undefined : visible(told);
}
