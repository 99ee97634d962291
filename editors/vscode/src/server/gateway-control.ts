import { once } from 'node:events';
import { createServer } from 'node:http';
import * as vscode from 'vscode';
import { asLspanError } from '../../../../src/core/errors.ts';
import type { Log } from '../../../../src/core/log.ts';
import type { Gateway } from '../../../../src/frontends/mcp/http/serve-http.ts';
import { editorLimits } from '../editor-limits.ts';
import { obtainTokens, SecretTokens } from './secret-tokens.ts';
import { type GatewaySettings, readSettings } from './settings.ts';

/** The state of the server, as people see it. */
export type GatewayState =
  | { readonly kind: 'off'; readonly why: string }
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly url: string; readonly token: string; readonly surface: string }
  /** `freePort` is one that could be used instead of a taken one. */
  | { readonly kind: 'error'; readonly why: string; readonly freePort?: number };

/** What the control needs. */
export interface ControlParts {
  readonly secrets: vscode.SecretStorage;
  /** Makes the log for the settings and the folders. */
  readonly openLog: (settings: GatewaySettings, roots: readonly string[]) => Log;
}

/** Starts, stops and restarts the server: one change after the other, and only the latest wish counts. */
export class GatewayControl {
  readonly #parts: ControlParts;
  readonly #changed = new vscode.EventEmitter<GatewayState>();
  readonly onDidChange = this.#changed.event;
  #state: GatewayState = { kind: 'off', why: 'The server was not started yet.' };
  #gateway: Gateway | undefined;
  #tokens: SecretTokens | undefined;
  #key: string | undefined;
  #stored: string | undefined;
  #port: number | undefined;
  #calls = 0;
  #turn: Promise<void> = Promise.resolve();
  #wishes = 0;
  #isClosed = false;

  constructor(parts: ControlParts) {
    this.#parts = parts;
  }

  get state(): GatewayState {
    return this.#state;
  }

  /** The number of calls since the start. */
  get calls(): number {
    return this.#calls;
  }

  /** Starts the server again by the present settings, or leaves it off if they say so. */
  restart(): Promise<void> {
    this.#wishes += 1;
    const wish = this.#wishes;
    this.#turn = this.#turn.then(async () => {
      // A later wish comes to the same.
      if (wish === this.#wishes) await this.#begin();
    });
    return this.#turn;
  }

  /** Uses another port until the window is closed. */
  usePort(port: number): Promise<void> {
    this.#port = port;
    return this.restart();
  }

  /** The stored tokens have changed: clients with old ones are disconnected. */
  async secretChanged(key: string): Promise<void> {
    if (key !== this.#key) return;
    await this.#turn;
    const stored = await this.#parts.secrets.get(key);
    // What was stored at the start is in use already.
    if (stored !== this.#stored) await this.restart();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wishes += 1;
    await this.#turn;
    await this.#stop();
    this.#changed.dispose();
  }

  async #begin(): Promise<void> {
    await this.#stop();
    const failed = (thrown: unknown) => this.#fail(thrown);
    await this.#start().catch(failed);
  }

  async #start(): Promise<void> {
    if (this.#isClosed) return;
    const settings = readSettings();
    const why = whyOff(settings);
    if (why !== undefined) return this.#become({ kind: 'off', why });
    this.#become({ kind: 'starting' });
    const roots = fileFolders();
    const log = this.#parts.openLog(settings, roots);
    this.#key = settings.secretKey;
    const tokens = await obtainTokens(this.#parts.secrets, settings.secretKey);
    this.#stored = await this.#parts.secrets.get(settings.secretKey);
    const { startGateway } = await import('./start-gateway.ts');
    this.#tokens = new SecretTokens(tokens);
    this.#calls = 0;
    const onCallEnd = () => {
      this.#calls += 1;
      this.#changed.fire(this.#state);
    };
    const parts = { settings, port: this.#port, roots, tokens: this.#tokens, log, onCallEnd };
    this.#gateway = await startGateway(parts);
    const [token = ''] = tokens;
    this.#become({ kind: 'running', url: this.#gateway.url, token, surface: settings.surface });
  }

  async #stop(): Promise<void> {
    const gateway = this.#gateway;
    this.#gateway = undefined;
    await gateway?.close();
    this.#tokens?.close();
    this.#tokens = undefined;
  }

  async #fail(thrown: unknown): Promise<void> {
    const { message, code } = asLspanError(thrown);
    await this.#stop();
    const taken = code === 'busy' ? (this.#port ?? readSettings().port) : undefined;
    if (taken === undefined) return this.#become({ kind: 'error', why: message });
    const freePort = await freePortAfter(taken);
    const why = `Port ${taken} is in use by another program, or by another window of VS Code.`;
    this.#become({ kind: 'error', why, ...(freePort === undefined ? {} : { freePort }) });
  }

  #become(state: GatewayState): void {
    this.#state = state;
    if (!this.#isClosed) this.#changed.fire(state);
  }
}

/** Returns why nothing is to be served; `undefined` if the server is wanted. */
function whyOff({ enabled }: GatewaySettings): string | undefined {
  if (!enabled) return 'The setting mcpLspGateway.enabled is off.';
  if (!vscode.workspace.isTrusted) return 'This window is in Restricted Mode.';
  return fileFolders().length === 0 ? 'No folder is open.' : undefined;
}

function fileFolders(): readonly string[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
}

/** Returns a port that nobody listens on at present. */
async function freePortAfter(taken: number): Promise<number | undefined> {
  for (
    let port = taken + 1;
    port <= Math.min(taken + editorLimits.portsTried, editorLimits.settings.port.most);
    port += 1
  ) {
    const server = createServer();
    const isFree = once(server.listen(port, '127.0.0.1'), 'listening').then(
      () => true,
      () => false,
    );
    if (!(await isFree)) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
  return undefined;
}
