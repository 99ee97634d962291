import { mkdtempSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { resultOrError } from '../../core/runtime/result.ts';
import { alive } from '../processes/process-facts.ts';

/** A control group that bounds the memory of a program and its descendants in the kernel. */
export interface MemoryGroup {
  /** The file to which a process writes its number to join. */
  readonly entry: string;
  /** Returns whether the kernel has ended a process of the group because of the bound. */
  exceeded(): boolean;
  /** Removes the group once its processes have ended. */
  remove(): void;
}

/** Makes a control group with a bound in bytes; `undefined` if this system or user has none to give. */
export function makeMemoryGroup(
  most: number,
  places: readonly Place[] = ownPlaces(),
): MemoryGroup | undefined {
  for (const place of places) {
    const group = resultOrError(() => makeIn(place, most));
    if (!(group instanceof LspanError)) return group;
  }
  return undefined;
}

/** A folder in which groups can be made, and the names of the kernel's files in a group. */
interface Place {
  readonly folder: string;
  readonly bound: string;
  /** Contains the line `oom_kill NUMBER`. */
  readonly events: string;
}

const version1 = { bound: 'memory.limit_in_bytes', events: 'memory.oom_control' };
const version2 = { bound: 'memory.max', events: 'memory.events' };

/**
 * Returns the places where a group may be made. https://docs.kernel.org/admin-guide/cgroup-v2.html: a group that has
 * processes, as our own, gives its children no controllers; one beside it gets them from the folder above.
 */
function ownPlaces(): readonly Place[] {
  if (process.platform !== 'linux') return [];
  const lines = readText('/proc/self/cgroup').split('\n');
  return lines.flatMap((line) => {
    const [, number, controllers = '', own = '/'] = /^(\d+):([^:]*):(.*)$/.exec(line) ?? [];
    if (controllers.split(',').includes('memory'))
      return [{ folder: path.join('/sys/fs/cgroup/memory', own), ...version1 }];
    if (number !== '0') return [];
    const folder = path.join('/sys/fs/cgroup', own);
    return [folder, path.dirname(folder)].filter(givesMemory).map((each) => ({ folder: each, ...version2 }));
  });
}

function givesMemory(folder: string): boolean {
  return readText(path.join(folder, 'cgroup.subtree_control')).trim().split(' ').includes('memory');
}

function makeIn({ folder, bound, events }: Place, most: number): MemoryGroup {
  removeLeftovers(folder);
  const group = mkdtempSync(path.join(folder, `lspan-${process.pid}-`));
  const remove = () => void resultOrError(() => rmdirSync(group));
  const bounded = resultOrError(() => writeFileSync(path.join(group, bound), String(Math.floor(most))));
  if (bounded instanceof LspanError) {
    remove();
    throw bounded;
  }
  const ended = () => Number(/^oom_kill (\d+)$/m.exec(readText(path.join(group, events)))?.[1] ?? 0);
  return { entry: path.join(group, 'cgroup.procs'), exceeded: () => ended() > 0, remove };
}

/** Removes the empty groups of a lspan that was killed. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const owner = /^lspan-(\d+)-/.exec(name)?.[1];
    if (owner !== undefined && !alive(Number(owner))) resultOrError(() => rmdirSync(path.join(folder, name)));
  }
}

function readText(file: string): string {
  const text = resultOrError(() => readFileSync(file, 'utf8'));
  return text instanceof LspanError ? '' : text;
}
