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
  /** Why the sandbox does not work; known after the first start. */
  #fault: string | undefined;
  #tried: Promise<Sandbox | undefined> | undefined;

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
  async sandboxFor(definition: ServerDefinition, trust: Trust): Promise<Sandbox | undefined> {
    const mode = modeOf(definition, this.#options.mode);
    const isWanted = mode === 'always' || (mode === 'untrusted' && !trust.granted);
    if (!isWanted || typeof this.#sandbox !== 'object') return undefined;
    this.#tried ??= this.#tryOut(this.#sandbox);
    return this.#tried;
  }

  async #tryOut(sandbox: Sandbox): Promise<Sandbox | undefined> {
    this.#fault = await sandbox.fault();
    if (this.#fault === undefined) return sandbox;
    this.#options.log('warn', 'servers_unconfined', { reason: this.#fault });
    return undefined;
  }
}

function modeOf({ confinement }: ServerDefinition, mode: ConfineMode): ConfineMode {
  return confinement?.confine ?? mode;
}
