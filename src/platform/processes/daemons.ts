import { limits } from '../../core/limits.ts';
import { processNumbers, readProc, readStat } from './process-files.ts';
import { sendSignal } from './signal.ts';

/** A process that had left the group of the program that started it, and was ended. */
export interface Daemon {
  readonly pid: number;
  readonly name: string;
}

/**
 * Ends every process that carries a variable, exactly so, in the environment it was started with: whoever leaves the
 * group of its server still inherits that. The group itself has been killed, and may still be dying. Linux only; one
 * that was given another environment is not found.
 */
export function endDaemons(variable: string, group: number): readonly Daemon[] {
  if (process.platform !== 'linux') return [];
  const ended: Daemon[] = [];
  // One that forks while it is being looked for is found in the next round; one that was killed may still be listed.
  for (let round = 0; round < limits.daemonRounds; round += 1) {
    const found = findMarked(variable, group)
      .filter(({ pid }) => ended.every((one) => one.pid !== pid))
      .filter(end);
    if (found.length === 0) break;
    ended.push(...found);
  }
  return ended;
}

type Marked = Daemon & { readonly startedAt: number };

function findMarked(variable: string, group: number): readonly Marked[] {
  const room = Buffer.allocUnsafe(limits.environment);
  return processNumbers().flatMap((pid) => {
    const stat = readStat(pid);
    const isMarked = readProc(pid, 'environ', room).split('\0').includes(variable);
    if (!isMarked || !stat || stat.group === group) return [];
    return [{ pid, name: readProc(pid, 'comm').trim(), startedAt: stat.startTime }];
  });
}

/** Kills only the process that was looked at, not another that got its number meanwhile. */
function end({ pid, startedAt }: Marked): boolean {
  return readStat(pid)?.startTime === startedAt && sendSignal(pid, 'SIGKILL') === 'sent';
}
