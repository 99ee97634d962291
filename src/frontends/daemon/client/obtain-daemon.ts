import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '../../../config/user-file.ts';
import { within } from '../../../core/call.ts';
import { asLspanError, LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import { resultOrError } from '../../../core/runtime/result.ts';
import { type Build, buildOf } from '../../../platform/files/identity-files.ts';
import {
  isKnownToRun,
  type ProcessIdentity,
  thisProcess,
} from '../../../platform/processes/process-identity.ts';
import { Channel } from '../channel.ts';
import { holderOf, takeInstanceLock } from '../instance-lock.ts';
import { type DaemonPlace, daemonPlace, reasonAndRemedy, reasonOf } from '../place.ts';
import { connectTo } from './connect.ts';
import { forgetSilence, noteSilence } from './silence.ts';
import { type Started, startDaemon } from './start-daemon.ts';

/** Where a client looks for its daemon. */
export interface DaemonSearch {
  /** The script of this program. */
  readonly script: string;
  readonly environment: Environment;
  /** Milliseconds after which it does without one. */
  readonly time?: number;
}

/** A connection to the daemon, or why there is none. */
export type Obtained =
  | { readonly channel: Channel; readonly place: DaemonPlace; readonly build: Build }
  | { readonly unavailable: string };

/** Connects to the user's daemon, and starts it if there is none; gives up after a short time. */
export async function obtainDaemon(search: DaemonSearch): Promise<Obtained> {
  const found = resultOrError(() => {
    const build = buildOf(search.script);
    return { build, place: daemonPlace(search.environment, build) };
  });
  if (found instanceof LspanError) return { unavailable: reasonAndRemedy(found) };
  const { build, place } = found;
  const attempt = new Attempt(build, place, search.environment);
  const failed = (thrown: unknown): Obtained => ({ unavailable: reasonOf(asLspanError(thrown)) });
  const obtained = await within(attempt.run().catch(failed), search.time ?? limits.daemon.start);
  attempt.giveUp();
  return obtained ?? { unavailable: attempt.trouble };
}

class Attempt {
  /** Why there is no daemon so far. */
  trouble = 'it was not ready in time.';
  readonly #build: Build;
  readonly #place: DaemonPlace;
  readonly #environment: Environment;
  #isOver = false;

  constructor(build: Build, place: DaemonPlace, environment: Environment) {
    this.#build = build;
    this.#place = place;
    this.#environment = environment;
  }

  /** A daemon that is found later is of no use. */
  giveUp(): void {
    this.#isOver = true;
  }

  async run(): Promise<Obtained> {
    for (;;) {
      const found = await connectTo(this.#place);
      if (found instanceof Channel) return this.#taken(found);
      if (found === 'stranger') return { unavailable: 'its socket is answered by another program.' };
      if (found === 'silent') {
        this.trouble = 'it does not answer.';
        this.#onSilence();
      }
      const failure = found === 'absent' ? await this.#start() : undefined;
      if (failure !== undefined) return { unavailable: failure };
      if (this.#isOver) return { unavailable: this.trouble };
    }
  }

  /** Too slow is not dead: it is ended only after a longer silence, which nobody waits for. */
  #onSilence(): void {
    const holder = holderOf(this.#place.process);
    if (holder && noteSilence(this.#place, holder)) endProcess(holder);
    else void replaceIfHung(this.#place);
  }

  /** Starts a daemon, unless another client is doing so: of fifty first calls, one starts it. */
  async #start(): Promise<string | undefined> {
    const { folder, name } = this.#place;
    const starting = await takeInstanceLock({ folder, name: `${name}-start` });
    const started = starting ? await this.#startLocked().finally(() => starting.release()) : 'taken';
    if (started === 'ready') return undefined;
    if (typeof started === 'object') return `it could not be started: ${started.failure}`;
    // One is starting or leaving; or somebody has taken its name.
    this.trouble = 'its name is taken by a program that does not answer.';
    await pause(limits.daemon.lookAgain);
    return undefined;
  }

  /** One may have started since nobody was found. */
  async #startLocked(): Promise<Started> {
    const found = await connectTo(this.#place);
    if (!(found instanceof Channel)) return startDaemon(this.#build, this.#environment);
    found.close();
    return 'ready';
  }

  #taken(channel: Channel): Obtained {
    forgetSilence(this.#place);
    if (this.#isOver) channel.close();
    return { channel, place: this.#place, build: this.#build };
  }
}

/** Ends a daemon that leaves a hello unanswered for long. */
export async function replaceIfHung(place: DaemonPlace): Promise<void> {
  const before = holderOf(place.process);
  const found = await connectTo(place, limits.daemon.hung);
  if (found instanceof Channel) {
    forgetSilence(place);
    found.close();
  }
  if (found !== 'silent') return;
  const holder = holderOf(place.process);
  const isSame = holder && before?.pid === holder.pid && before.started === holder.started;
  if (isSame) endProcess(holder);
}

/** Its number may belong to another program by now, or in this namespace, which is left alone. */
function endProcess(holder: ProcessIdentity): void {
  if (isKnownToRun(holder, thisProcess())) resultOrError(() => process.kill(holder.pid, 'SIGKILL'));
}
