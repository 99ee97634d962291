import { limits } from '../../core/limits.ts';
import { object, text } from './json.ts';
import type { ReadySignal } from './server-definition.ts';

/** Follows a server's own signal that it has loaded the project. */
export class Readiness {
  readonly #signal: ReadySignal;
  /** The tokens of what is under way whose title is the signal's. */
  readonly #active = new Set<unknown>();
  /** What the server complains of, by the token of the progress that tells it; the key '' where a notification did. */
  readonly #troubles = new Map<unknown, string>();
  #reached: boolean;
  #waiting: (() => void)[] = [];
  #doing: string | undefined;
  #said = 0;

  constructor(signal: ReadySignal) {
    this.#signal = signal;
    this.#reached = signal.kind === 'immediate' || (signal.kind === 'progress' && signal.orSilence === true);
  }

  /** Whether the server has said that it is ready; a server that never tells is never known to be. */
  get known(): boolean {
    return this.#reached && this.#active.size === 0;
  }

  /** Whether waiting for the signal makes sense. */
  get tells(): boolean {
    return this.#signal.kind !== 'unknown';
  }

  /** What the server says that it is doing. */
  get doing(): string | undefined {
    return this.#doing;
  }

  /** What the server itself says that is wrong with the project. */
  get trouble(): string | undefined {
    return [...this.#troubles.values()].at(-1);
  }

  /** What to ask the server in order to know whether it is ready, where it does not tell by itself. */
  get enquiry(): string | undefined {
    return this.#signal.kind === 'request' ? this.#signal.method : undefined;
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
  told(): void {
    if (this.#signal.kind !== 'request') return;
    this.#reached = false;
    this.#said = 0;
  }

  /** Tells whether what the server published so far is outdated by what it says. */
  hear(method: string, params: unknown): boolean {
    const wasBusy = this.#active.size > 0;
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
      this.#reached = signal.ready(params);
      this.#complain('', signal.trouble?.(params));
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
    const { kind, title, message } = object(params.value);
    if (kind === 'begin') this.#doing = inShort(title);
    if (kind === 'report') this.#doing = inShort(message) ?? this.#doing;
    if (kind === 'end') this.#doing = undefined;
    if (this.#signal.kind !== 'progress') return;
    // One that begins more than anybody can end is as little ready as one that begins a thousand things.
    const isRoom = this.#active.size < limits.progressTokens;
    if (kind === 'begin' && isRoom && this.#signal.title.test(text(title) ?? ''))
      this.#active.add(params.token);
    if (kind === 'begin' && this.#signal.trouble?.test(text(title) ?? '')) {
      this.#complain(params.token, text(message) ?? text(title));
    }
    if (kind === 'end') this.#complain(params.token, undefined);
    // https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#progress
    if (kind === 'end' && this.#active.delete(params.token)) this.#reached = true;
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

/** A server words its progress as it likes: it is shown on one line. */
function inShort(value: unknown): string | undefined {
  return text(value)?.slice(0, limits.results.lineLength).replace(/\s+/g, ' ');
}
