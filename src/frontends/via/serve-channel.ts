import path from 'node:path';
import { BridgePool, type PooledSettings } from '../../bridge-pool.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Log } from '../../core/log.ts';
import { buildOf } from '../../platform/files/identity-files.ts';
import { catalogue } from '../../surfaces/catalogue.ts';
import { version } from '../../version.ts';
import { ClientSession } from '../daemon/server/client-session.ts';
import { EngineTuner } from '../engine-flags.ts';
import { additionalRoots, findWorkspace } from '../find-workspace.ts';
import { createLog } from '../observe/log.ts';
import { exitCodes, listenForEnd } from '../process-life.ts';
import { redirectStdout } from '../stdout.ts';
import { type BeginParams, type FarFlags, isBegin } from './begin.ts';
import { type ConnectionNote, endEarlier, noteConnection } from './earlier-process.ts';
import { greetingLine } from './greeting.ts';
import { JoinedStreams } from './joined-streams.ts';

/** The process at the far end. */
export interface FarContext {
  readonly script: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
}

/**
 * Runs `lspan channel`, the far end of `--via`: does the work of one client, whose lspan is at the other end of stdin and
 * stdout, until they end. Returns the exit code.
 */
export async function serveChannel(context: FarContext): Promise<number> {
  process.title = 'lspan channel';
  const log = new ChangingLog();
  const write = redirectStdout(log.write);
  const { ended, end } = listenForEnd(log.write);
  const tuner = new EngineTuner();
  const pool = new BridgePool({ log: log.write, onCallRemoved: (left) => tuner.onCallRemoved(left) });
  const far = new FarEnd(context, log);
  write(greetingLine({ version, build: buildOf(context.script).id }));
  const { channel } = new ClientSession(new JoinedStreams(process.stdin, process.stdout, write), {
    secret: undefined,
    pool: { bridgeFor: () => pool.bridgeFor(far.settings()) },
    onCallEnd: () => {},
    onRest: () => {},
    control: (method, params) => far.control(method, params),
    refusal: () => undefined,
  });
  channel.closed.then(() => end('client_gone'));
  // The near end says something from time to time. A connection that broke unseen would keep this process for ever.
  const abandoned = setTimeout(() => end('parent_gone'), limits.via.abandoned);
  process.stdin.on('data', () => abandoned.refresh());
  const touching = setInterval(() => far.touch(), limits.via.beat);
  const ending = await ended;
  clearTimeout(abandoned);
  clearInterval(touching);
  log.write('info', 'channel.leaving', { ending });
  channel.close();
  await pool.close({ hurried: true });
  far.forget();
  return exitCodes[ending];
}

/** What a client may say besides calls, and the settings that follow from it. */
class FarEnd {
  readonly #context: FarContext;
  readonly #log: ChangingLog;
  #begun: BeginParams | undefined;
  #note: ConnectionNote | undefined;

  constructor(context: FarContext, log: ChangingLog) {
    this.#context = context;
    this.#log = log;
  }

  control(method: string, params: unknown): Promise<unknown> | undefined {
    if (method === 'begin') return this.#begin(params);
    if (method === 'alive') return Promise.resolve(null);
    if (method === 'catalogue') return Promise.resolve(catalogue);
    return undefined;
  }

  /** Says in its note that this process lives. */
  touch(): void {
    this.#note?.touch();
  }

  forget(): void {
    this.#note?.remove();
  }

  /** Throws for folders that do not exist here, and before `begin`. */
  settings(): PooledSettings {
    if (!this.#begun) throw new LspanError('invalid_input', 'The connection has not begun.');
    return farSettings(this.#begun.flags, this.#context);
  }

  async #begin(params: unknown): Promise<null> {
    if (!isBegin(params) || this.#begun)
      throw new LspanError('invalid_input', 'The beginning cannot be read.');
    const { environment } = this.#context;
    this.#log.level = params.logLevel;
    this.#note = noteConnection(environment, params.id);
    for (const id of params.after) await endEarlier(environment, id);
    this.#begun = params;
    return null;
  }
}

/** Resolves the flags of the near end, whose paths are those of this one. */
function farSettings(flags: FarFlags, context: FarContext): PooledSettings {
  const { workspace, additionalRoot, wideWorkspace: wide, config } = flags;
  const { roots } = findWorkspace({ ...context, flags: workspace, wide });
  const additional = additionalRoots(additionalRoot, context);
  return {
    ...{ roots, environment: context.environment },
    ...(additional.length > 0 && { additionalRoots: additional }),
    ...(config !== undefined && { configFile: path.resolve(context.cwd, config) }),
  };
}

/** A log on stderr whose level the near end tells. */
class ChangingLog {
  level: BeginParams['logLevel'] = 'warn';
  readonly #logs = new Map<BeginParams['logLevel'], Log>();

  readonly write: Log = (level, event, fields) => {
    const log = this.#logs.get(this.level) ?? createLog({ level: this.level, format: 'human' });
    this.#logs.set(this.level, log);
    log(level, event, fields);
  };
}
