// What the kernel tells of a process; only Linux has it in files.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Whether anything can be told here. */
export const tellsFacts = existsSync('/proc/self/status');

/** The resident memory of a process in bytes. */
export function residentMemory(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)[1]) * 1024;
}

/** The process ids of a process's children. */
export function childrenOf(pid) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === pid)
    .map(Number);
}

/** A process may end while the list is read. */
function parentOf(name) {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
