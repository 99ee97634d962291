import { type Json, list, object, text } from './json.ts';

/** One capability that a server registered after the handshake. */
export interface Registration {
  readonly id: string;
  readonly method: string;
  readonly options: Json;
}

/** What a server can do: what it announced in the handshake, and what it registered and unregistered since. */
export class Capabilities {
  readonly #registered = new Map<string, Registration>();
  #announced: Json = {};

  announce(capabilities: unknown): void {
    this.#announced = object(capabilities);
  }

  /** Whether a method can be asked, given the key under which the handshake announces it. */
  supports(method: string, key: string): boolean {
    return this.options(method, key) !== undefined;
  }

  /** The options of a capability; `undefined` where the server has none. */
  options(method: string, key: string): Json | undefined {
    for (const registration of this.#registered.values()) {
      if (registration.method === method) return registration.options;
    }
    const announced = this.#announced[key];
    if (announced === undefined || announced === null || announced === false) return undefined;
    return object(announced);
  }

  registrations(method: string): readonly Registration[] {
    return [...this.#registered.values()].filter((registration) => registration.method === method);
  }

  register(registrations: unknown): void {
    for (const entry of list(registrations)) {
      const { id, method, registerOptions } = object(entry);
      if (typeof id !== 'string' || typeof method !== 'string') continue;
      this.#registered.set(id, { id, method, options: object(registerOptions) });
    }
  }

  unregister(unregistrations: unknown): void {
    for (const entry of list(unregistrations)) {
      const id = text(object(entry).id);
      if (id !== undefined) this.#registered.delete(id);
    }
  }

  /** Whether changes may be sent as the whole text; `false` where the server wants none at all. */
  get wantsChanges(): boolean {
    const sync = this.#announced.textDocumentSync;
    return (typeof sync === 'number' ? sync : object(sync).change) !== 0;
  }
}
