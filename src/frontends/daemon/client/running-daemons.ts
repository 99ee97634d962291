import path from 'node:path';
import { stateFolder } from '../../../config/state-folder.ts';
import type { Environment } from '../../../config/user-file.ts';
import { LspanError } from '../../../core/errors.ts';
import { isRecord } from '../../../core/runtime/json.ts';
import { resultOrError } from '../../../core/runtime/result.ts';
import { removePrivateFile } from '../../../platform/files/private-file.ts';
import { hasEnded, isKnownToRun, thisProcess } from '../../../platform/processes/process-identity.ts';
import { Channel } from '../channel.ts';
import { holderOf, takeInstanceLock } from '../instance-lock.ts';
import type { DaemonStatus } from '../messages.ts';
import { type DaemonPlace, daemonFolder, daemonNames, placeNamed } from '../place.ts';
import { connectTo } from './connect.ts';

/** A daemon of the user, of whatever build. */
export interface RunningDaemon {
  readonly place: DaemonPlace;
  /** Its process, if that is known, and in the namespace of this one. */
  readonly pid: number | undefined;
  /** Absent if it does not answer. */
  readonly channel: Channel | undefined;
}

/** Returns the daemons of the user that run. Starts none, and makes no folder. */
export async function runningDaemons(environment: Environment): Promise<readonly RunningDaemon[]> {
  const names = resultOrError(() => daemonNames(path.join(stateFolder(environment), 'daemon')));
  if (names instanceof LspanError) return [];
  const folder = daemonFolder(environment);
  const looked = await Promise.all(names.map((name) => look(placeNamed(folder, name))));
  return looked.flatMap((one) => one ?? []);
}

/** Returns the places of daemons that have ended and left their socket behind. Makes no folder. */
export async function deadDaemons(environment: Environment): Promise<readonly DaemonPlace[]> {
  const folder = path.join(stateFolder(environment), 'daemon');
  const names = resultOrError(() => daemonNames(folder));
  if (names instanceof LspanError) return [];
  const places = names.map((name) => placeNamed(folder, name));
  const looked = await Promise.all(places.map(async (place) => ((await isDead(place)) ? place : undefined)));
  return looked.flatMap((place) => place ?? []);
}

async function isDead(place: DaemonPlace): Promise<boolean> {
  const found = await connectTo(place);
  if (found instanceof Channel) found.close();
  const holder = holderOf(place.process);
  return found === 'absent' && (holder === undefined || hasEnded(holder, thisProcess()));
}

/** Removes the socket of a daemon that has ended, unless one is starting there; true if it was removed. */
export async function removeDeadSocket(place: DaemonPlace): Promise<boolean> {
  const lock = await takeInstanceLock(place);
  if (!lock) return false;
  const remove = async () => {
    const dead = await isDead(place);
    if (dead) removePrivateFile(place.socket);
    return dead;
  };
  return remove().finally(() => lock.release());
}

async function look(place: DaemonPlace): Promise<RunningDaemon | undefined> {
  const found = await connectTo(place);
  const holder = holderOf(place.process);
  const pid = holder && isKnownToRun(holder, thisProcess()) ? holder.pid : undefined;
  if (found instanceof Channel) return { place, pid, channel: found };
  const mayRun = holder !== undefined && !hasEnded(holder, thisProcess());
  return found === 'silent' && mayRun ? { place, pid, channel: undefined } : undefined;
}

/** Returns the status of a daemon; `undefined` if it does not answer. */
export async function statusOf({ channel }: RunningDaemon): Promise<DaemonStatus | undefined> {
  const status = await channel?.request('status', {}).catch(() => undefined);
  return isStatus(status) ? status : undefined;
}

function isStatus(value: unknown): value is DaemonStatus {
  return isRecord(value) && Array.isArray(value.clients) && Array.isArray(value.workspaces);
}
