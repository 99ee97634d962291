import { randomUUID } from 'node:crypto';
import type { Bridge, CallFate, CallOptions } from '../../../bridge.ts';
import type { BridgeSettings } from '../../../bridge-settings.ts';
import type { Config } from '../../../config/config.ts';
import { asLspanError, LspanError } from '../../../core/errors.ts';
import { CallInProgress, CallsInProgress } from '../../../core/runtime/calls-in-progress.ts';
import { isRecord } from '../../../core/runtime/json.ts';
import { catalogue } from '../../../surfaces/catalogue.ts';
import { fail } from '../../../tools/run/render-error.ts';
import type { Outcome } from '../../../tools/run/tool.ts';
import { isConnectionEnd } from '../channel.ts';
import type { CallParams } from '../messages.ts';
import { type ChannelSource, daemonSource } from './channel-source.ts';
import { type ConnectionOptions, DaemonConnection, type DaemonUse } from './daemon-connection.ts';
import { lostEdit, notKnown } from './lost-edit.ts';
import type { DaemonSearch } from './obtain-daemon.ts';
import { outcomeIn, resourcesOver } from './remote-resources.ts';

/**
 * Opens a bridge whose work the user's daemon does; in this process if no daemon can be had. Rejects as `openBridge` does,
 * for a faulty configuration.
 */
export function openDaemonBridge(
  settings: BridgeSettings,
  options: DaemonSearch & Omit<ConnectionOptions, 'source'>,
): Promise<Bridge> {
  return openBridgeOver(settings, { ...options, source: daemonSource(options) });
}

/** Opens a bridge whose work is done at the other end of a channel. Rejects as `openBridge` does, and if there is none. */
export async function openBridgeOver(settings: BridgeSettings, options: ConnectionOptions): Promise<Bridge> {
  const connection = new DaemonConnection(settings, options);
  const first = await connection.use().catch(async (thrown: unknown) => {
    await connection.close();
    throw thrown;
  });
  const { config } = 'own' in first ? first.own : first;
  return new DaemonBridge(settings, { connection, config, wording: options.source.wording });
}

/** A bridge whose work another process does. It outlives that one: a call after its end starts another. */
class DaemonBridge implements Bridge {
  readonly config: Config;
  readonly calls = new CallsInProgress();
  readonly resources: NonNullable<Bridge['resources']>;
  readonly #settings: BridgeSettings;
  readonly #connection: DaemonConnection;
  readonly #wording: ChannelSource['wording'];
  /** The tools that change no file, by surface. */
  readonly #reads = new Map<string, ReadonlySet<string>>();
  /** The ids of calls begin with it. */
  readonly #id = randomUUID();
  #calls = 0;

  constructor(settings: BridgeSettings, { connection, config, wording }: Opened) {
    this.#settings = settings;
    this.#connection = connection;
    this.#wording = wording;
    this.config = config;
    this.resources = resourcesOver(connection);
  }

  async call(tool: string, args: unknown, options: CallOptions = {}): Promise<Outcome> {
    const { surface = this.#settings.surface, scope, shown = 'text' } = options;
    this.#calls += 1;
    const asked = { id: `${this.#id}-${this.#calls}`, tool, args, surface, shown };
    const call = this.calls.add(new CallInProgress({ owner: scope }));
    try {
      const isRead = this.#isRead(asked);
      const first = await ((isRead && this.#askReady(asked, options)) || this.#try(asked, options));
      return first instanceof LspanError ? await this.#afterLoss(asked, isRead, first, options) : first;
    } finally {
      this.calls.remove(call);
    }
  }

  async close(options?: { readonly hurried?: boolean }): Promise<void> {
    await this.#connection.close(options);
  }

  /** Answers a call whose first answer was lost. */
  async #afterLoss(
    asked: CallParams,
    isRead: boolean,
    loss: LspanError,
    options: CallOptions,
  ): Promise<Outcome> {
    if (options.signal?.aborted) return fail(new LspanError('cancelled', 'The call was cancelled.'));
    this.#settings.log('warn', 'daemon.lost', { tool: asked.tool, why: loss.message });
    if (!isRead) return this.#fateOf(asked);
    // A question only reads, so it is asked once more.
    const second = await this.#try({ ...asked, id: randomUUID() }, options);
    return second instanceof LspanError ? fail(this.#diedTwice()) : second;
  }

  /**
   * Asks at once, and looks at the disk while the daemon works: that takes as long as the way there and back. An answer of a
   * program that was replaced is of no use then. What writes looks first.
   */
  #askReady(asked: CallParams, options: CallOptions): Promise<Outcome | LspanError> | undefined {
    const { ready } = this.#connection;
    if (!ready) return undefined;
    const answer = this.#ask(ready, asked, options);
    return this.#connection.leaveIfReplaced() ? undefined : answer;
  }

  async #try(asked: CallParams, options: CallOptions): Promise<Outcome | LspanError> {
    const used = await this.#connection.use().catch(asLspanError);
    if (used instanceof LspanError) return fail(used);
    if ('own' in used) return used.own.call(asked.tool, asked.args, options);
    return this.#ask(used, asked, options);
  }

  /** Returns why the answer was lost, if the connection ended. */
  #ask(daemon: DaemonUse, asked: CallParams, { signal, report }: CallOptions): Promise<Outcome | LspanError> {
    return daemon.request('call', asked, { signal, report }).then(outcomeIn, (thrown: unknown) => {
      if (isConnectionEnd(thrown)) return thrown;
      return fail(asLspanError(thrown));
    });
  }

  /** Unknown tools and those whose effects depend on the input count as writes. */
  #isRead({ surface = '', tool }: CallParams): boolean {
    const known = this.#reads.get(surface) ?? readsOf(surface);
    this.#reads.set(surface, known);
    return known.has(tool);
  }

  /** The journal of edits knows what became of a call, also after the process that made it has died. */
  async #fateOf({ id, tool }: CallParams): Promise<Outcome> {
    const used = await this.#connection.use().catch(asLspanError);
    if (used instanceof LspanError) return fail(notKnown(tool, this.#wording.ended));
    const fate = 'own' in used ? used.own.fateOf?.(id) : used.request('fate', { call: id });
    const known = await Promise.resolve(fate).catch((thrown: unknown) => {
      this.#settings.log('warn', 'daemon.fate_unknown', { tool, error: thrown });
      return undefined;
    });
    const { ended } = this.#wording;
    return fail(isFate(known) ? lostEdit(tool, known, ended) : notKnown(tool, ended));
  }

  #diedTwice(): LspanError {
    const { ended, afterTwo: nextStep } = this.#wording;
    return new LspanError('server_crashed', `${ended} twice while it answered.`, { nextStep });
  }
}

interface Opened {
  readonly connection: DaemonConnection;
  readonly config: Config;
  readonly wording: ChannelSource['wording'];
}

function isFate(value: unknown): value is CallFate {
  return isRecord(value) && typeof value.state === 'string';
}

/** Returns the tools of a surface that change no file. */
function readsOf(surface: string): ReadonlySet<string> {
  const { tools = [], hookTools = [] } = catalogue.find(({ name }) => name === surface) ?? {};
  const reads = tools.filter(({ effects }) => effects === 'none' || effects === 'servers');
  return new Set([...reads.map(({ name }) => name), ...hookTools]);
}
