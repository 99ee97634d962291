import { randomUUID } from 'node:crypto';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { LogLevel } from '../../core/log.ts';
import { resultOrError } from '../../core/runtime/result.ts';
import { programOnPath } from '../../platform/files/executable.ts';
import { type Build, buildOf } from '../../platform/files/identity-files.ts';
import { version } from '../../version.ts';
import type { ChannelSource, ObtainedChannel } from '../daemon/client/channel-source.ts';
import type { BeginParams, FarFlags } from './begin.ts';
import {
  type FarProgram,
  noCommand,
  notReached,
  otherBuild,
  replacedHere,
  showCommand,
} from './far-advice.ts';
import { ViaProcess } from './via-process.ts';

/** How lspan at the far end is reached. */
export interface ViaOptions extends FarProgram {
  readonly flags: FarFlags;
  readonly logLevel: LogLevel;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The program that runs here, as it was when it was loaded. */
  readonly build: Build;
}

/** Returns the channels to lspan at the far end of a command, which is run for each of them. */
export function viaSource(options: ViaOptions): ChannelSource {
  const far = new FarEnds(options);
  const shown = showCommand(options.command);
  return {
    wording: {
      ended: `The connection by ${shown} ended`,
      afterTwo: `Call again; if it ends again, look at why ${shown} ends.`,
    },
    obtain: () => far.obtain(),
    isReplaced: () => false,
    // The far end resolves the flags, which it gets when the connection begins.
    settingsOf: () => ({ roots: [], environment: {} }),
    close: () => far.close(),
  };
}

/** The commands that were started for one bridge, one after the other. */
class FarEnds {
  readonly #options: ViaOptions;
  /** Connections that broke, until the next one has seen to it that nothing of them runs. */
  #broken: readonly string[] = [];
  readonly #running = new Set<ViaProcess>();

  constructor(options: ViaOptions) {
    this.#options = options;
  }

  async obtain(): Promise<ObtainedChannel> {
    const running = this.#start();
    const ending = () => running.end().finally(() => this.#running.delete(running));
    this.#running.add(running);
    const obtained = await this.#greet(running).catch(async (thrown: unknown) => {
      await ending();
      throw thrown;
    });
    obtained.channel.closed.then(ending);
    return obtained;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running].map((one) => one.end()));
  }

  #start(): ViaProcess {
    const { command, program, environment } = this.#options;
    const [name = '', ...args] = command;
    const file = programOnPath(name, environment);
    if (file === undefined) throw noCommand(name);
    return new ViaProcess({ file, args: [...args, ...program, 'channel'], environment });
  }

  async #greet(running: ViaProcess): Promise<ObtainedChannel> {
    const { build } = this.#options;
    const greeted = await running.greeted();
    if ('said' in greeted) throw notReached(this.#options, greeted);
    const { greeting, channel } = greeted;
    if (greeting.build !== build.id) {
      channel.close();
      throw this.#otherBuild(greeting);
    }
    const begin = this.#beginning();
    channel.closed.then(() => {
      this.#broken = [...this.#broken, begin.id];
    });
    await channel.request('begin', begin);
    this.#broken = this.#broken.filter((id) => !begin.after.includes(id));
    const beat = setInterval(() => channel.notify('alive', {}), limits.via.beat).unref();
    channel.closed.then(() => clearInterval(beat));
    const onSilent = () => {
      if (running.silence > limits.via.silence) running.kill();
    };
    return { channel, build: greeting.build, onSilent };
  }

  #beginning(): BeginParams {
    const { flags, logLevel } = this.#options;
    return { id: randomUUID(), after: this.#broken, logLevel, flags };
  }

  #otherBuild(there: { readonly version: string; readonly build: string }): LspanError {
    const { build } = this.#options;
    const now = resultOrError(() => buildOf(build.executable));
    if (!(now instanceof LspanError) && now.id === there.build) return replacedHere();
    return otherBuild(this.#options, { version, build: build.id }, there);
  }
}
