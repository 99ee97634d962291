import { limits } from '../../core/limits.ts';
import { processNumbers, readProc, readStat } from './process-files.ts';
import { sendSignal } from './signal.ts';

/** A killed process that had left the group of the program that started it. */
export interface Daemon {
  readonly pid: number;
  readonly name: string;
}

/**
 * Kills every process whose initial environment contains exactly this variable: a process that leaves the group of its
 * server still inherits it. The group itself has been killed, and may still be dying. Linux only; misses a process that
 * was given another environment.
 */
export function endDaemons(variable: string, group: number): readonly Daemon[] {
  if (process.platform !== 'linux') return [];
  const killed: Daemon[] = [];
  // A process that forks during the search is found in the next round; a killed one may still be listed.
  for (let round = 0; round < limits.daemonRounds; round += 1) {
    const found = findMarked(variable, group)
      .filter(({ pid }) => killed.every((one) => one.pid !== pid))
      .filter(killMarked);
    if (found.length === 0) break;
    killed.push(...found);
  }
  return killed;
}

type Marked = Daemon & { readonly startedAt: number };

function findMarked(variable: string, group: number): readonly Marked[] {
  const buffer = Buffer.allocUnsafe(limits.environment);
  return processNumbers().flatMap((pid) => {
    const stat = readStat(pid);
    const isMarked = readProc(pid, 'environ', buffer).split('\0').includes(variable);
    if (!isMarked || !stat || stat.group === group) return [];
    return [{ pid, name: readProc(pid, 'comm').trim(), startedAt: stat.startTime }];
  });
}

/** Kills only the process that was found, not another that got its number meanwhile. */
function killMarked({ pid, startedAt }: Marked): boolean {
  return readStat(pid)?.startTime === startedAt && sendSignal(pid, 'SIGKILL') === 'sent';
}
