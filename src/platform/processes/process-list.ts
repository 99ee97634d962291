import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { limits } from '../../core/limits.ts';
import { processNumbers, readProc, readStat } from './process-files.ts';

/** One process as the system lists it. */
export interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Seconds of processor time so far, of all its threads. */
  readonly processorTime: number;
  /** Returns the resident bytes now; 0 for a zombie. */
  readonly memory: () => number;
}

const lists = { proc: listByProc, ps: listByPs } as const;

/** How a platform lists its processes; each kind can be forced for tests. */
export type ListKind = keyof typeof lists;

/** Returns all processes; empty on Windows. */
export async function listProcesses(
  kind: ListKind = process.platform === 'linux' ? 'proc' : 'ps',
): Promise<readonly ListedProcess[]> {
  return process.platform === 'win32' ? [] : lists[kind]();
}

/**
 * Reads synchronously: each file takes some 10 µs and does not wait for a disk, which is thirteen times less processor
 * time than reading them all asynchronously. Other work gets its turn in between.
 */
async function listByProc(): Promise<readonly ListedProcess[]> {
  const listed: ListedProcess[] = [];
  let since = performance.now();
  for (const pid of processNumbers()) {
    const stat = readStat(pid);
    if (stat) listed.push({ pid, ...stat, memory: () => residentBytes(pid) });
    if (performance.now() - since < limits.scan.slice) continue;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  }
  return listed;
}

function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readProc(pid, 'status'))?.[1] ?? 0) * 1024;
}

async function listByPs(): Promise<readonly ListedProcess[]> {
  const args = ['-A', '-o', 'pid=,ppid=,pgid=,rss=,time='];
  const run = promisify(execFile)('/bin/ps', args, { env: { LC_ALL: 'C' }, maxBuffer: limits.processList });
  // The system may allow no more processes: callers must cope.
  const { stdout } = await run.catch(() => ({ stdout: '' }));
  return stdout
    .split('\n')
    .filter((row) => row !== '')
    .map(readRow);
}

function readRow(row: string): ListedProcess {
  const [pid = 0, parent = 0, group = 0, kilobytes = 0] = row.trim().split(/\s+/).map(Number);
  const time = row.trim().split(/\s+/).at(4) ?? '';
  return { pid, parent, group, processorTime: readTime(time), memory: () => kilobytes * 1024 };
}

/** `[[days-]hours:]minutes:seconds`, where macOS adds hundredths. */
function readTime(text: string): number {
  const [days = '0', time = ''] = text.includes('-') ? text.split('-') : ['0', text];
  const seconds = time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return Number(days) * 86_400 + seconds;
}
