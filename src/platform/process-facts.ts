import { readdir, readFile } from 'node:fs/promises';

/** Whether a process exists; one that has ended but was not yet waited for counts. */
export function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** When a process started, in ticks since the system did: tells it from a later one of the same number. Linux only. */
export async function startTime(pid: number): Promise<number | undefined> {
  return (await readStat(pid))?.startTime;
}

/** The resident memory, in bytes, of a process, its group and all that descend from it. Linux only. */
export async function treeMemory(pid: number): Promise<number | undefined> {
  const sizes = await Promise.all(treeOf(pid, await readAll()).map(residentBytes));
  // What has ended but was not yet waited for is still listed, and takes none.
  return sizes.reduce((sum, size) => sum + size, 0) || undefined;
}

interface Stat {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly startTime: number;
}

function treeOf(pid: number, all: readonly Stat[]): readonly number[] {
  const members = new Set(
    all.filter((stat) => stat.pid === pid || stat.group === pid).map((stat) => stat.pid),
  );
  // A set is iterated over what is added meanwhile too, so children of children are found.
  for (const member of members) {
    for (const stat of all) if (stat.parent === member) members.add(stat.pid);
  }
  return [...members];
}

async function readAll(): Promise<readonly Stat[]> {
  const names = await readdir('/proc').catch(() => []);
  const stats = await Promise.all(
    names.filter((name) => /^\d+$/.test(name)).map((name) => readStat(Number(name))),
  );
  return stats.filter((stat) => stat !== undefined);
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: the name, in brackets, may hold spaces and brackets. */
async function readStat(pid: number): Promise<Stat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
  if (text === undefined) return undefined;
  const fromThird = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fromThird[number - 3]);
  return { pid, parent: field(4), group: field(5), startTime: field(22) };
}

async function residentBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1024;
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
