import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { limits } from '../../core/limits.ts';
import { processNumbers, readProc, readStat } from './process-files.ts';
import { sendSignal } from './signal.ts';

/** True if a process exists; a zombie counts. */
export function alive(pid: number): boolean {
  return sendSignal(pid, 0) !== 'gone';
}

/** True if a process exists and is not a zombie, which keeps its number until its parent waits for it. */
export function isRunning(pid: number): boolean {
  return alive(pid) && readStat(pid)?.hasEnded !== true;
}

/** The resources that a process uses, with its group and all descendants. */
interface TreeUse {
  /** Resident bytes. */
  readonly memory: number;
  /** Seconds of processor time so far. */
  readonly processorTime: number;
}

/** Returns the use of several trees by their root process, from one list of processes; leaves out ended ones. */
export async function treeUse(
  pids: readonly number[],
  kind?: ListKind,
): Promise<ReadonlyMap<number, TreeUse>> {
  const all = await listProcesses(kind);
  return usesOf(new Map(pids.map((pid) => [pid, treeOf(pid, all)])));
}

/**
 * Returns a `treeUse` for one who asks again and again. Most processes of a machine are nobody's, and stay so: they are
 * looked at again only from time to time, as a number may be given to another process.
 */
export function repeatedTreeUse(now: () => number = () => performance.now()): typeof treeUse {
  let others: ReadonlySet<number> = new Set();
  let wholeAt = Number.NEGATIVE_INFINITY;
  return async (pids, kind) => {
    const isWhole = now() - wholeAt >= limits.processListEvery || pids.some((pid) => others.has(pid));
    if (isWhole) wholeAt = now();
    const known = isWhole ? new Set<number>() : others;
    const all = await listProcesses(kind, known);
    const trees = new Map(pids.map((pid) => [pid, treeOf(pid, all)]));
    const own = new Set([...trees.values()].flat());
    others = new Set([...known, ...all.filter((one) => !own.has(one)).map(({ pid }) => pid)]);
    return usesOf(trees);
  };
}

function usesOf(trees: ReadonlyMap<number, readonly ListedProcess[]>): ReadonlyMap<number, TreeUse> {
  const uses = [...trees].map(([pid, members]): [number, TreeUse] => [
    pid,
    { memory: sum(members, ({ memory }) => memory()), processorTime: sum(members, timeOf) },
  ]);
  return new Map(uses.filter(([, { memory }]) => memory > 0));
}

function treeOf(pid: number, all: readonly ListedProcess[]): readonly ListedProcess[] {
  const members = new Set(all.filter((one) => one.pid === pid || one.group === pid));
  // Iterating a set includes entries added meanwhile, so children of children are found.
  for (const member of members) {
    for (const one of all) if (one.parent === member.pid) members.add(one);
  }
  return [...members];
}

function timeOf({ processorTime }: ListedProcess): number {
  return processorTime;
}

function sum(members: readonly ListedProcess[], amount: (member: ListedProcess) => number): number {
  return members.reduce((total, member) => total + amount(member), 0);
}

/** One process as the system lists it. */
interface ListedProcess {
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
type ListKind = keyof typeof lists;

/** Returns all processes, without known ones where that spares something; empty on Windows. */
async function listProcesses(
  kind: ListKind = process.platform === 'linux' ? 'proc' : 'ps',
  known: ReadonlySet<number> = new Set(),
): Promise<readonly ListedProcess[]> {
  return process.platform === 'win32' ? [] : lists[kind](known);
}

/**
 * Reads synchronously: each file takes some 10 µs and does not wait for a disk, which is thirteen times less processor
 * time than reading them all asynchronously. Other work gets its turn in between.
 */
async function listByProc(known: ReadonlySet<number>): Promise<readonly ListedProcess[]> {
  const listed: ListedProcess[] = [];
  let since = performance.now();
  for (const pid of processNumbers().filter((one) => !known.has(one))) {
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
