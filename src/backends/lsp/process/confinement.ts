import type { Log } from '../../../core/log.ts';
import type { Trust } from '../../../core/trust.ts';
import { openSandbox } from '../../../platform/sandbox/open-sandbox.ts';
import type { Sandbox } from '../../../platform/sandbox/sandbox.ts';
import type { ConfineMode, ServerDefinition } from '../../../servers/definition.ts';
import { safePath } from './search-path.ts';

/** Dependencies of `Confinement`. */
interface ConfinementOptions {
  /** When servers are confined, unless a definition says otherwise. */
  readonly mode: ConfineMode;
  readonly definitions: readonly ServerDefinition[];
  /** Real paths of the workspace, from where nothing is run. */
  readonly roots: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  /** Folders beside the workspace that servers may read. */
  readonly reads?: readonly string[];
  /** Files and folders of lspan that no confined server sees. */
  readonly hides?: readonly string[];
  /** Default: that of this platform. */
  readonly sandbox?: Sandbox | string;
}

/** Decides which servers run in a sandbox, and knows whether that is possible here. */
export class Confinement {
  readonly reads: readonly string[];
  readonly hides: readonly string[];
  readonly #options: ConfinementOptions;
  readonly #sandbox: Sandbox | string | undefined;
  /** Why the sandbox does not work; known after a start that failed. */
  #fault: string | undefined;
  /** A server has started in the sandbox, so what fails later is the server's own fault. */
  #isProven = false;
  #tried: Promise<boolean> | undefined;

  constructor(options: ConfinementOptions) {
    this.#options = options;
    this.reads = options.reads ?? [];
    this.hides = options.hides ?? [];
    const { mode, definitions, environment, roots } = options;
    const isWanted = [mode, ...definitions.map((each) => modeOf(each, mode))].some(
      (each) => each !== 'never',
    );
    const folders = isWanted ? safePath(environment.PATH, roots).split(':') : [];
    this.#sandbox = isWanted ? (options.sandbox ?? openSandbox(folders)) : undefined;
    if (typeof this.#sandbox === 'string') this.#fault = this.#sandbox;
  }

  /** A line for the status if servers that should be confined are not. */
  get notice(): string | undefined {
    if (this.#fault === undefined) return undefined;
    return `Language servers run unconfined, with all rights of the user: ${this.#fault}.`;
  }

  /** Returns the sandbox in which to run a server; `undefined` if it runs without one. */
  sandboxFor(definition: ServerDefinition, trust: Trust): Sandbox | undefined {
    const mode = modeOf(definition, this.#options.mode);
    const isWanted = mode === 'always' || (mode === 'untrusted' && !trust.granted);
    return isWanted && this.#fault === undefined && typeof this.#sandbox === 'object'
      ? this.#sandbox
      : undefined;
  }

  /** Notes that a server has started in the sandbox. */
  prove(): void {
    this.#isProven = true;
  }

  /**
   * After a start in the sandbox failed: true if the sandbox works nowhere here, and servers start without it from now
   * on. The sandbox is tried without a server, since a server could end in any way to be let out of it.
   */
  async isImpossible(): Promise<boolean> {
    if (this.#isProven || typeof this.#sandbox !== 'object') return false;
    this.#tried ??= this.#tryOut(this.#sandbox);
    return this.#tried;
  }

  async #tryOut(sandbox: Sandbox): Promise<boolean> {
    this.#fault = await sandbox.fault();
    if (this.#fault === undefined) return false;
    this.#options.log('warn', 'servers_unconfined', { reason: this.#fault });
    return true;
  }
}

function modeOf({ confinement }: ServerDefinition, mode: ConfineMode): ConfineMode {
  return confinement?.confine ?? mode;
}
