import { limits } from '../../../core/limits.ts';
import { type Json, list, object, text } from '../../../core/runtime/json.ts';
import { readWatching, type Watching, watchingAll } from './watched-files.ts';

interface Registration {
  readonly id: string;
  readonly method: string;
  readonly options: Json;
}

/** The capabilities of a server: announced in the handshake, and registered or unregistered since. */
export class Capabilities {
  readonly #registered = new Map<string, Registration>();
  #announced: Json = {};
  #overfull = false;
  /** True if the server was given a moment to register what it has not announced. */
  waitedFor = false;
  #watching: Watching | undefined;
  #isSimplified = false;
  readonly #onSimplified: () => void;

  /** @param onSimplified Called once, when the server receives more changes than it asked for from then on. */
  constructor(onSimplified: () => void = () => {}) {
    this.#onSimplified = onSimplified;
  }

  announce(capabilities: unknown): void {
    this.#announced = object(capabilities);
  }

  get hasRegistered(): boolean {
    return this.#registered.size > 0;
  }

  /** The commands that the server announces. */
  get commands(): readonly unknown[] {
    return list(this.options('workspace/executeCommand', 'executeCommandProvider')?.commands);
  }

  /** Returns whether a method can be asked; `key` is its dotted path in the announced capabilities. */
  supports(method: string, key: string): boolean {
    return this.options(method, key) !== undefined;
  }

  /** Returns the options of a capability; `undefined` if the server does not have it. */
  options(method: string, key: string): Json | undefined {
    for (const registration of this.#registered.values()) {
      if (registration.method === method) return registration.options;
    }
    const announced = key
      .split('.')
      .reduce<unknown>((unsaved, name) => object(unsaved)[name], this.#announced);
    if (announced === undefined || announced === null || announced === false) return undefined;
    return object(announced);
  }

  /** Returns the options of every registration of a capability, the latest last, or else those announced. */
  everyOptions(method: string, key: string): readonly Json[] {
    const registered = [...this.#registered.values()].filter((one) => one.method === method);
    if (registered.length > 0) return registered.map(({ options }) => options);
    const announced = this.options(method, key);
    return announced ? [announced] : [];
  }

  /** The file changes that the server watches; all of them once it registered more than is kept. */
  get watching(): Watching {
    if (this.#watching) return this.#watching;
    const watching = this.#overfull ? watchingAll : readWatching(this.#watchOptions());
    this.#watching = watching;
    if (watching.simplified && !this.#isSimplified) this.#onSimplified();
    this.#isSimplified = watching.simplified;
    return watching;
  }

  /** Reads no glob: a server may register very often before the next change. */
  register(registrations: unknown): void {
    this.#watching = undefined;
    for (const entry of list(registrations)) {
      const { id, method, registerOptions } = object(entry);
      if (typeof id !== 'string' || typeof method !== 'string') continue;
      const isRoom = this.#registered.size < limits.registrations || this.#registered.has(id);
      if (isRoom) this.#registered.set(id, { id, method, options: object(registerOptions) });
      else this.#overfull = true;
    }
  }

  unregister(unregistrations: unknown): void {
    this.#watching = undefined;
    for (const entry of list(unregistrations)) {
      const id = text(object(entry).id);
      if (id !== undefined) this.#registered.delete(id);
    }
  }

  /** True if changes may be sent as the whole text; false if the server wants none at all. */
  get wantsChanges(): boolean {
    const sync = this.#announced.textDocumentSync;
    return (typeof sync === 'number' ? sync : object(sync).change) !== 0;
  }

  #watchOptions(): readonly Json[] {
    const all = [...this.#registered.values()];
    return all.filter(({ method }) => method === watchMethod).map(({ options }) => options);
  }
}

const watchMethod = 'workspace/didChangeWatchedFiles';
