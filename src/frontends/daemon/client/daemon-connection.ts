import type { Bridge } from '../../../bridge.ts';
import type { BridgeSettings } from '../../../bridge-settings.ts';
import type { Config } from '../../../config/config.ts';
import { type ErrorCode, LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import { isRecord, object, text } from '../../../core/runtime/json.ts';
import type { CatalogueSurface } from '../../../surfaces/catalogue-fields.ts';
import { tuneForPassing } from '../../engine-flags.ts';
import { type Channel, isConnectionEnd, type RequestOptions } from '../channel.ts';
import type { AttachParams } from '../messages.ts';
import { AliveCheck } from './alive-check.ts';
import type { ChannelSource, ObtainedChannel } from './channel-source.ts';

/** Opens a bridge in this process, with the reason why. */
export type OwnBridge = (settings: BridgeSettings, why: string) => Promise<Bridge>;

/** How a connection is made. */
export interface ConnectionOptions {
  readonly source: ChannelSource;
  /** `mcp`, `call`, …, for the status. */
  readonly command: string;
  /** The build of this process, whose catalogue is known. */
  readonly loaded?: string | undefined;
  /** Opens a bridge in this process, with a notice that says why. */
  readonly openOwn?: OwnBridge;
  /** Called with the catalogue of the daemon, if it is another version of lspan than this process. */
  readonly onCatalogue?: (surfaces: readonly CatalogueSurface[]) => void;
}

/** What answers at present: the daemon, or a bridge in this process. */
export type Used = DaemonUse | { readonly own: Bridge };

/** The daemon, attached to the workspace. */
export interface DaemonUse {
  readonly config: Config;
  request(method: string, params: unknown, options?: RequestOptions): Promise<unknown>;
}

/** A bridge in this process, where no daemon can be had. */
interface OwnUse {
  readonly bridge: Bridge;
  /** When it was asked for at last. */
  usedAt: number;
  /** Stops listening for problems. */
  unfollow?: (() => void) | undefined;
}

/** The connection of one bridge to the process that does its work, made again when it was lost. */
export class DaemonConnection {
  readonly #settings: BridgeSettings;
  readonly #options: ConnectionOptions;
  readonly #listeners = new Set<(path?: string) => void>();
  #present: Promise<Used> | undefined;
  #own: OwnUse | undefined;
  #channel: Channel | undefined;
  #use: DaemonUse | undefined;
  /** The build of the daemon. */
  #connected: string | undefined;
  #isClosed = false;

  constructor(settings: BridgeSettings, options: ConnectionOptions) {
    this.#settings = settings;
    this.#options = options;
  }

  /** Returns what answers; concurrent calls share one attempt, and after a failure the next call tries again. */
  use(): Promise<Used> {
    if (this.#isClosed) return Promise.reject(new LspanError('cancelled', 'lspan is stopping.'));
    this.leaveIfReplaced();
    if (this.#channel?.isClosed) this.#leave(this.#channel);
    this.#leaveOwn();
    this.#present ??= this.#connect().catch((thrown: unknown) => {
      this.#present = undefined;
      throw thrown;
    });
    return this.#present;
  }

  /** The daemon, if it can be asked at once. Its program may have been replaced since. */
  get ready(): DaemonUse | undefined {
    return this.#isClosed || this.#channel?.isClosed !== false ? undefined : this.#use;
  }

  /** Returns whether the program on the disk is another one by now, and leaves the daemon: nobody is shown answers of old code. */
  leaveIfReplaced(): boolean {
    if (!this.#channel || !this.#options.source.isReplaced(this.#connected)) return false;
    this.#leave(this.#channel);
    return true;
  }

  /** Calls the listener when problems may have changed; returns a function that removes it. */
  onProblems(listener: (path?: string) => void): () => void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#follow(true);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#follow(false);
    };
  }

  async close(options?: { readonly hurried?: boolean }): Promise<void> {
    this.#isClosed = true;
    await this.#present?.catch(() => {});
    this.#channel?.close();
    await Promise.all([this.#options.source.close(), this.#own?.bridge.close(options)]);
  }

  /** Calls that are in progress end there; later ones go to a new connection. */
  #leave(channel: Channel): void {
    this.#channel = undefined;
    this.#present = undefined;
    channel.closeWhenIdle();
  }

  async #connect(): Promise<Used> {
    tuneForPassing(true);
    const { log } = this.#settings;
    for (let attempt = 1; ; attempt += 1) {
      const obtained = await this.#options.source.obtain();
      if ('unavailable' in obtained) return this.#serveHere(obtained.unavailable);
      const { channel } = obtained;
      const isAlive = new AliveCheck(channel, obtained.onSilent);
      isAlive.begin();
      const attached = await channel
        .request('attach', this.#attachParams())
        .catch((thrown: unknown) => thrown);
      if (isRecord(attached) && isConfig(attached.config))
        return this.#adopt(obtained, isAlive, attached.config);
      channel.close();
      const code = attached instanceof LspanError ? attached.code : undefined;
      if (attached instanceof LspanError && cannotServe.has(attached.code))
        return this.#serveHere(attached.message);
      if (!isConnectionEnd(attached) && code !== 'busy') throw attached;
      log('info', 'daemon.leaving', { attempt });
      if (attempt > limits.daemon.attempts) return this.#serveHere('it keeps leaving.');
    }
  }

  #adopt({ channel, build }: ObtainedChannel, isAlive: AliveCheck, config: Config): DaemonUse {
    this.#channel = channel;
    this.#connected = build;
    if (build !== this.#options.loaded) this.#readCatalogue(channel);
    channel.onNotification = (method, params) => this.#hear(method, params);
    channel.closed.then(() => {
      if (this.#channel !== channel) return;
      this.#channel = undefined;
      this.#present = undefined;
      // Nobody hears of changes until the next question connects again.
      this.#tell();
    });
    if (this.#isClosed) channel.close();
    else if (this.#listeners.size > 0) this.#followOn(channel);
    this.#use = {
      config,
      request: (method, params, options) => {
        isAlive.begin();
        return channel.request(method, params, options);
      },
    };
    return this.#use;
  }

  #readCatalogue(channel: Channel): void {
    channel.request('catalogue', {}).then(
      (surfaces) => {
        if (isCatalogue(surfaces)) this.#options.onCatalogue?.(surfaces);
      },
      (error: unknown) => this.#settings.log('warn', 'daemon.no_catalogue', { error }),
    );
  }

  async #serveHere(why: string): Promise<Used> {
    tuneForPassing(false);
    this.#settings.log('warn', 'daemon.unavailable', { why });
    const { openOwn } = this.#options;
    if (!openOwn) throw new LspanError('server_crashed', why);
    const own = await openOwn(this.#settings, why);
    this.#own = { bridge: own, usedAt: performance.now() };
    if (this.#listeners.size > 0) this.#followOwn(this.#own);
    return { own };
  }

  /**
   * A daemon is looked for again when this process has had no call for as long as a daemon waits before it leaves: the
   * plans and cursors of its clients end then too, so that nothing is lost.
   */
  #leaveOwn(): void {
    const own = this.#own;
    if (!own) return;
    const unused = performance.now() - own.usedAt;
    own.usedAt = performance.now();
    if (unused < limits.daemon.idle) return;
    this.#own = undefined;
    this.#present = undefined;
    own.unfollow?.();
    const { log } = this.#settings;
    own.bridge.calls
      .idle()
      .then(() => own.bridge.close({ hurried: true }))
      .catch((error: unknown) => log('warn', 'bridge.close_failed', { error }));
  }

  #followOwn(own: OwnUse): void {
    own.unfollow ??= own.bridge.resources?.onProblems((path) => this.#tell(path));
  }

  #attachParams(): AttachParams {
    const { source, command } = this.#options;
    return {
      settings: source.settingsOf(this.#settings),
      folders: source.foldersOf?.(this.#settings.roots),
      client: { pid: process.pid, command },
      readOnly: this.#settings.overrides?.readOnly === true,
    };
  }

  #follow(isFollowed: boolean): void {
    if (isFollowed) void this.use().catch(() => {});
    this.#channel?.request('follow', { isFollowed }).catch(() => {});
    if (!this.#own) return;
    if (isFollowed) this.#followOwn(this.#own);
    else {
      this.#own.unfollow?.();
      this.#own.unfollow = undefined;
    }
  }

  #tell(path?: string): void {
    for (const listener of this.#listeners) listener(path);
  }

  /** A new daemon may have missed a change. */
  #followOn(channel: Channel): void {
    channel.request('follow', { isFollowed: true }).catch(() => {});
    this.#tell();
  }

  #hear(method: string, params: unknown): void {
    if (method === 'problems') this.#tell(text(object(params).path));
  }
}

/** The codes of a daemon that answers, but can do nothing for this client. */
const cannotServe: ReadonlySet<ErrorCode> = new Set(['limit_exceeded', 'not_supported']);

function isCatalogue(value: unknown): value is readonly CatalogueSurface[] {
  return Array.isArray(value) && value.every((one) => isRecord(one) && Array.isArray(one.tools));
}

function isConfig(value: unknown): value is Config {
  return isRecord(value) && typeof value.output === 'string';
}
