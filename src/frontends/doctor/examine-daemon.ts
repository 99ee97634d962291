import path from 'node:path';
import { stateFolder } from '../../config/state-folder.ts';
import type { Environment } from '../../config/user-file.ts';
import { asLspanError, LspanError } from '../../core/errors.ts';
import { resultOrError } from '../../core/runtime/result.ts';
import { shellWord } from '../../core/wording/shell-words.ts';
import { buildOf } from '../../platform/files/identity-files.ts';
import {
  deadDaemons,
  type RunningDaemon,
  removeDeadSocket,
  runningDaemons,
  statusOf,
} from '../daemon/client/running-daemons.ts';
import { daemonPlace, reasonOf } from '../daemon/place.ts';
import type { DoctorReport, Finding } from './report.ts';

/** What is looked at, and whether it may be repaired. */
export interface DaemonExamination {
  readonly environment: Environment;
  /** The script of this program. */
  readonly script: string;
  /** True if the user's configuration wants a daemon. */
  readonly isWanted: boolean;
  readonly fix: boolean;
}

type Daemon = DoctorReport['system']['daemons'][number];

/** The daemons, with what was found and repaired. */
export interface ExaminedDaemons {
  readonly daemons: readonly Daemon[];
  readonly findings: readonly Finding[];
  readonly fixed: readonly string[];
}

/** Looks at the daemons of the user. Starts none, and ends none. */
export async function examineDaemons(options: DaemonExamination): Promise<ExaminedDaemons> {
  const { environment } = options;
  const running = await runningDaemons(environment).catch((thrown: unknown) => asLspanError(thrown));
  if (running instanceof LspanError)
    return { daemons: [], findings: [unsafe(running, environment)], fixed: [] };
  const daemons = await Promise.all(running.map((one) => toDaemon(one, options)));
  for (const { channel } of running) channel?.close();
  const dead = await deadDaemons(environment);
  const removed = options.fix ? await Promise.all(dead.map(removeDeadSocket)) : [];
  const left = dead.filter((_, at) => removed[at] !== true);
  const findings = [...daemons.map(judgeDaemon), ...(left.length === 0 ? [] : [stale(left.length)])];
  return {
    daemons,
    findings: findings.length === 0 ? [none(options.isWanted)] : findings,
    fixed: dead
      .filter((_, at) => removed[at] === true)
      .map(({ socket }) => `removed ${socket}, the socket of a daemon that has ended`),
  };
}

async function toDaemon(running: RunningDaemon, { environment, script }: DaemonExamination): Promise<Daemon> {
  const status = await statusOf(running);
  const own = resultOrError(() => daemonPlace(environment, buildOf(script)));
  const pid = status?.pid ?? running.pid;
  return {
    ...(pid === undefined ? {} : { pid }),
    ...(status === undefined ? {} : { version: status.version }),
    answers: status !== undefined,
    same_build: !(own instanceof LspanError) && own.name === running.place.name,
  };
}

const base = { area: 'daemon', subject: 'daemon' } as const;

/** Judges one daemon that runs. */
export function judgeDaemon({ pid, version, answers, same_build }: Daemon): Finding {
  const which = `process ${pid ?? 'unknown'}`;
  if (!answers)
    return {
      ...base,
      level: 'error',
      text: `${which} runs and does not answer; calls work without it`,
      next_step: 'lspan stop --force',
    };
  if (!same_build)
    return {
      ...base,
      level: 'warning',
      text: `${which} is lspan ${version} of another build; its clients keep using it`,
      next_step: 'lspan stop',
    };
  return { ...base, level: 'ok', text: `lspan ${version} runs, ${which}, the same build as this` };
}

function none(isWanted: boolean): Finding {
  const text = isWanted
    ? 'not running; the next call of a client starts it'
    : 'not running; not used (daemon = false)';
  return { ...base, level: 'ok', text };
}

function stale(count: number): Finding {
  const text = `${count === 1 ? 'a daemon has' : `${count} daemons have`} ended and left a socket behind`;
  return { ...base, level: 'warning', text, next_step: 'lspan doctor --fix' };
}

function unsafe(error: LspanError, environment: Environment): Finding {
  const folder = path.join(stateFolder(environment), 'daemon');
  const { nextStep: next_step = `chmod 700 ${shellWord(path.dirname(folder))} ${shellWord(folder)}` } = error;
  return { ...base, level: 'error', text: reasonOf(error), next_step };
}
