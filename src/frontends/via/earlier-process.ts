import { readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stateFolder } from '../../config/state-folder.ts';
import type { Environment } from '../../config/user-file.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { resultOrError } from '../../core/runtime/result.ts';
import { removePrivateFile, touchPrivateFile, untouchedTime } from '../../platform/files/private-file.ts';
import { fillPrivateFile } from '../../platform/files/private-folder.ts';
import { hasEnded, type ProcessIdentity, thisProcess } from '../../platform/processes/process-identity.ts';
import { sendSignal } from '../../platform/processes/signal.ts';
import { holderOf } from '../daemon/instance-lock.ts';

/** A note in the state folder that this process serves a connection. */
export interface ConnectionNote {
  /** Says that the process still lives, to those who cannot see it. */
  touch(): void;
  remove(): void;
}

/** Notes that this process serves a connection, and removes what killed processes have left. */
export function noteConnection(environment: Environment, id: string): ConnectionNote {
  const file = noteOf(environment, id);
  const written = resultOrError(() => fillPrivateFile(file, { text: JSON.stringify(thisProcess()) }));
  if (written instanceof LspanError) throw noState(path.dirname(file), written);
  removeOldNotes(path.dirname(file));
  return { touch: () => touchPrivateFile(file), remove: () => removePrivateFile(file) };
}

/**
 * Ends the process of an earlier connection, which may not have noticed that the connection has broken: only then is it
 * certain what became of its edit, since nothing changes it any more. An edit survives a kill at any moment.
 */
export async function endEarlier(environment: Environment, id: string): Promise<void> {
  const file = noteOf(environment, id);
  const holder = holderOf(file);
  if (!holder) return;
  const deadline = performance.now() + limits.via.earlier;
  while (!isOver(holder, file)) {
    const isLate = performance.now() > deadline;
    if (isLate || holder.space !== thisProcess().space) throw stillRuns(holder.pid);
    sendSignal(holder.pid, 'SIGKILL');
    await pause(limits.daemon.lookAgain);
  }
  removePrivateFile(file);
}

/** A process in another namespace cannot be seen: if it lives, it touches its note, and it ends without a sign of life. */
function isOver(holder: ProcessIdentity, file: string): boolean {
  const untouched = untouchedTime(file) ?? Number.POSITIVE_INFINITY;
  return hasEnded(holder, thisProcess()) || untouched > limits.via.abandoned + 2 * limits.via.beat;
}

function removeOldNotes(folder: string): void {
  for (const name of readdirSync(folder)) {
    const holder = holderOf(path.join(folder, name));
    if (holder && isOver(holder, path.join(folder, name))) removePrivateFile(path.join(folder, name));
  }
}

function noteOf(environment: Environment, id: string): string {
  return path.join(stateFolder(environment), 'via', `${id}.pid`);
}

function noState(folder: string, { cause, message }: LspanError): LspanError {
  const why = cause instanceof Error ? cause.message : message;
  return new LspanError('refused', `lspan at the far end cannot write to ${folder}: ${why}`, {
    nextStep: 'Make that folder writable there, or set XDG_STATE_HOME there to one that is.',
  });
}

function stillRuns(pid: number): LspanError {
  return new LspanError('busy', `The process ${pid} of the broken connection still runs at the far end.`, {
    nextStep: `End it there, or call again in a few minutes: it ends by itself.`,
  });
}
