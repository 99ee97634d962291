import { readlinkSync } from 'node:fs';
import { readProc, readStat } from '../../platform/processes/proc-files.ts';
import { alive } from '../../platform/processes/process-facts.ts';

/** A process, told apart from a later one that has the same number. */
export interface Owner {
  readonly pid: number;
  /** When it began, where that can be known. */
  readonly started: number;
  /** The start of the system, and the space of process numbers; empty where they cannot be known. */
  readonly boot: string;
  readonly space: string;
}

/** This process. */
export function thisProcess(): Owner {
  const { pid } = process;
  return { pid, started: readStat(pid)?.startTime ?? 0, boot: bootId(), space: spaceOf() };
}

/** Whether a process has ended. One whose number means nothing here cannot be known to have. */
export function hasEnded(owner: Owner, me: Owner): boolean {
  if (owner.boot !== me.boot) return true;
  if (owner.space !== me.space) return false;
  if (!alive(owner.pid)) return true;
  const stat = readStat(owner.pid);
  // Where nobody waits for its children, one that was killed keeps its number for ever.
  return stat?.hasEnded === true || owner.started !== (stat?.startTime ?? 0);
}

function bootId(): string {
  return readProc('sys/kernel/random', 'boot_id').trim();
}

function spaceOf(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
