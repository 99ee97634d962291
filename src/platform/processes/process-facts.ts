import { readStat } from './process-files.ts';
import { type ListedProcess, type ListKind, listProcesses } from './process-list.ts';
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
export interface TreeUse {
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
  const uses = pids.map((pid): [number, TreeUse] => {
    const members = treeOf(pid, all);
    return [pid, { memory: sum(members, ({ memory }) => memory()), processorTime: sum(members, timeOf) }];
  });
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
