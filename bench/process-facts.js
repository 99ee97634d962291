// What the kernel tells of a process; only Linux has it in files.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

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

/** The most resident memory that a process has had, in bytes, since its peak was last forgotten. */
export function peakMemory(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)[1]) * 1024;
}

/** https://man7.org/linux/man-pages/man5/proc_pid_clear_refs.5.html */
export function forgetPeak(pid) {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** The time that a process has spent on a CPU, in milliseconds; the kernel counts in ticks of 10. */
export function cpuTime(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fromThird = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fromThird[11]) + Number(fromThird[12])) * 10;
}
