import { readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stateFolder } from '../../config/state-folder.ts';
import type { Environment } from '../../config/user-file.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { resultOrError } from '../../core/runtime/result.ts';
import { removePrivateFile } from '../../platform/files/private-file.ts';
import { fillPrivateFile } from '../../platform/files/private-folder.ts';
import { hasEnded, thisProcess } from '../../platform/processes/process-identity.ts';
import { sendSignal } from '../../platform/processes/signal.ts';
import { holderOf } from '../daemon/instance-lock.ts';

/** Notes in the state folder that this process serves a connection; returns a function that removes the note. */
export function noteConnection(environment: Environment, id: string): () => void {
  const file = noteOf(environment, id);
  const written = resultOrError(() => fillPrivateFile(file, { text: JSON.stringify(thisProcess()) }));
  if (written instanceof LspanError) throw noState(path.dirname(file), written);
  removeOldNotes(path.dirname(file));
  return () => removePrivateFile(file);
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
  while (!hasEnded(holder, thisProcess())) {
    const isOver = performance.now() > deadline;
    if (isOver || holder.space !== thisProcess().space) throw stillRuns(holder.pid);
    sendSignal(holder.pid, 'SIGKILL');
    await pause(limits.daemon.lookAgain);
  }
  removePrivateFile(file);
}

/** Removes what killed processes have left. */
function removeOldNotes(folder: string): void {
  const me = thisProcess();
  for (const name of readdirSync(folder)) {
    const holder = holderOf(path.join(folder, name));
    if (holder && hasEnded(holder, me)) removePrivateFile(path.join(folder, name));
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
