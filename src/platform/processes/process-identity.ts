import { readlinkSync } from 'node:fs';
import { alive } from './process-facts.ts';
import { readProc, readStat } from './process-files.ts';

/** Identifies a process, even if a later one has the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Its start time; 0 if unknown. */
  readonly started: number;
  /** The boot id of the system and the namespace of process numbers; empty if unknown. */
  readonly boot: string;
  readonly space: string;
}

/** Returns the identity of this process. */
export function thisProcess(): ProcessIdentity {
  const { pid } = process;
  return { pid, started: readStat(pid)?.startTime ?? 0, boot: bootId(), space: pidNamespace() };
}

/** True if a process is known to have ended. It cannot be known of a process in another namespace. */
export function hasEnded(owner: ProcessIdentity, me: ProcessIdentity): boolean {
  if (owner.boot !== me.boot) return true;
  if (owner.space !== me.space) return false;
  if (!alive(owner.pid)) return true;
  const stat = readStat(owner.pid);
  // A killed process whose parent does not wait for it keeps its number as a zombie.
  return stat?.hasEnded === true || owner.started !== (stat?.startTime ?? 0);
}

/** True if a process is known to run: only then may it be sent a signal, which in another namespace reaches another one. */
export function isKnownToRun(owner: ProcessIdentity, me: ProcessIdentity): boolean {
  return owner.space === me.space && !hasEnded(owner, me);
}

function bootId(): string {
  return readProc('sys/kernel/random', 'boot_id').trim();
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
