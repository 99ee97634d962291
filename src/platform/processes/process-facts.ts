import { readStat } from './process-files.ts';
import { type ListedProcess, type ListKind, listProcesses } from './process-list.ts';
import { sendSignal } from './signal.ts';

/** Whether a process exists; one that has ended but was not yet waited for counts. */
export function alive(pid: number): boolean {
  return sendSignal(pid, 0) !== 'gone';
}

/** Whether a process exists and has not ended: where nobody waits for it, one that was killed keeps its number for ever. */
export function runs(pid: number): boolean {
  return alive(pid) && readStat(pid)?.hasEnded !== true;
}

/** What a process takes of the machine, with its group and all that descend from it. */
export interface TreeUse {
  /** Resident bytes. */
  readonly memory: number;
  /** Seconds of processor time so far. */
  readonly processorTime: number;
}

/** The use of several trees, by the process at the root of each, from one look at the system; without those that ended. */
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
  // A set is iterated over what is added meanwhile too, so children of children are found.
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
