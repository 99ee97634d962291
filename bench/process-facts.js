// What the kernel tells of a process; only Linux has it in files.
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';

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

/** Everything below a process. */
export function descendantsOf(pid) {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}

/** Whether a process runs; one that nobody has waited for does not. */
export function isRunning(pid) {
  return !['', 'Z'].includes(statOf(pid)[0]);
}

/** The sockets among the descriptors of a process. */
export function socketsOf(pid) {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((name) => linkOf(`${folder}/${name}`).startsWith('socket:')).length;
}

/** A file of the kernel's; empty if what it is about has gone meanwhile. */
export function readFact(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function linkOf(file) {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}

function parentOf(pid) {
  return Number(statOf(pid)[1]);
}

/** The fields from the third on: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function statOf(pid) {
  const stat = readFact(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
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
