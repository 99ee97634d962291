import { object, text } from './json.ts';
import type { ReadySignal } from './server-definition.ts';

/** Follows a server's own signal that it has loaded the project. */
export class Readiness {
  readonly #signal: ReadySignal;
  /** Progress under way whose title is the signal's, and whatever else is under way, by token. */
  readonly #active = new Map<unknown, string>();
  #reached: boolean;
  #waiting: (() => void)[] = [];
  #doing: string | undefined;

  constructor(signal: ReadySignal) {
    this.#signal = signal;
    this.#reached = signal.kind === 'immediate';
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

  hear(method: string, params: unknown): void {
    if (method === '$/progress') this.#hearProgress(object(params));
    const signal = this.#signal;
    if (signal.kind === 'log' && method === 'window/logMessage') {
      if (signal.message.test(text(object(params).message) ?? '')) this.#reached = true;
    }
    if (signal.kind === 'progress' && signal.orPublication && method === 'textDocument/publishDiagnostics') {
      this.#reached = true;
    }
    if (signal.kind === 'notification' && method === signal.method) this.#reached = signal.ready(params);
    this.wake();
  }

  /** Resolves at the next event of any kind, the server's end included. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #hearProgress(params: Readonly<Record<string, unknown>>): void {
    const { kind, title, message } = object(params.value);
    if (kind === 'begin') this.#doing = text(title);
    if (kind === 'report') this.#doing = text(message) ?? this.#doing;
    if (kind === 'end') this.#doing = undefined;
    if (this.#signal.kind !== 'progress') return;
    if (kind === 'begin' && this.#signal.title.test(text(title) ?? '')) this.#active.set(params.token, '');
    // https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#progress
    if (kind === 'end' && this.#active.delete(params.token)) this.#reached = true;
  }

  /** Lets everybody who waits look again. */
  wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
