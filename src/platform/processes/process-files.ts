import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { limits } from '../../core/limits.ts';

/** The numbers of the processes that run now. Linux only. */
export function processNumbers(): readonly number[] {
  return namesInProc()
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** Reads a file of /proc about a process, as much as the room holds; nothing where it has ended or is not ours. */
export function readProc(
  pid: number | string,
  file: string,
  room: Buffer = Buffer.allocUnsafe(limits.processFile),
): string {
  try {
    const descriptor = openSync(`/proc/${pid}/${file}`, 'r');
    try {
      return room.toString('latin1', 0, readSync(descriptor, room));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
}

/** What the system counts of a process, as far as it is asked here. */
export interface Stat {
  readonly parent: number;
  readonly group: number;
  /** Seconds of processor time so far, of all its threads. */
  readonly processorTime: number;
  /** In ticks since the system started: tells a process from a later one of the same number. */
  readonly startTime: number;
  /** Whether it has ended, and only waits for its parent to hear of it. */
  readonly hasEnded: boolean;
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: the name, in brackets, may hold spaces and brackets. */
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

/** The same on every Linux that runs Node. */
const ticksPerSecond = 100;

/** None where the process may open no more files: whoever looks has to do without. */
function namesInProc(): readonly string[] {
  try {
    return readdirSync('/proc');
  } catch {
    return [];
  }
}
