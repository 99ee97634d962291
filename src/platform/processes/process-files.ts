import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { limits } from '../../core/limits.ts';

/** Returns the numbers of all processes. Linux only. */
export function processNumbers(): readonly number[] {
  return namesInProc()
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** Reads a file of /proc about a process, up to the size of the buffer; empty if it has ended or is not ours. */
export function readProc(
  pid: number | string,
  file: string,
  buffer: Buffer = Buffer.allocUnsafe(limits.processFile),
): string {
  try {
    const descriptor = openSync(`/proc/${pid}/${file}`, 'r');
    try {
      return buffer.toString('latin1', 0, readSync(descriptor, buffer));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
}

/** Some of the system's facts about a process. */
interface Stat {
  readonly parent: number;
  readonly group: number;
  /** Seconds of processor time so far, of all its threads. */
  readonly processorTime: number;
  /** In ticks since the system started: distinguishes a process from a later one of the same number. */
  readonly startTime: number;
  /** True for a zombie. */
  readonly hasEnded: boolean;
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: the bracketed name may contain spaces and brackets. */
export function readStat(pid: number): Stat | undefined {
  const text = readProc(pid, 'stat');
  if (text === '') return undefined;
  const fromThird = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fromThird[number - 3]);
  const processorTime = (field(14) + field(15)) / ticksPerSecond;
  return {
    parent: field(4),
    group: field(5),
    processorTime,
    startTime: field(22),
    hasEnded: fromThird[0] === 'Z',
  };
}

/** This is the value on every Linux that runs Node. */
const ticksPerSecond = 100;

/** Empty if this process may not open more files: callers must cope. */
function namesInProc(): readonly string[] {
  try {
    return readdirSync('/proc');
  } catch {
    return [];
  }
}
