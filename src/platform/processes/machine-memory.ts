import { totalmem } from 'node:os';
import { readProc } from './process-files.ts';

/** Returns the bytes of memory that this process and its children can have: the machine's, or those of its control group. */
export function machineMemory(): number {
  // The system's word for "no limit" is 0 or a number beyond any memory.
  const group = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return Math.min(totalmem(), group);
}

/** How much of the last ten seconds processes waited for memory, in percent. */
export interface MemoryPressure {
  /** Time in which at least one process waited. */
  readonly some: number;
  /** Time in which all of them waited. */
  readonly full: number;
}

/** Returns the pressure that the kernel reports; `undefined` if it reports none. https://docs.kernel.org/accounting/psi.html */
export function memoryPressure(text: string = readProc('pressure', 'memory')): MemoryPressure | undefined {
  const [some, full] = ['some', 'full'].map((kind) =>
    Number(new RegExp(`^${kind} avg10=(\\d+(?:\\.\\d+)?) `, 'm').exec(text)?.[1]),
  );
  if (some === undefined || Number.isNaN(some)) return undefined;
  return { some, full: full === undefined || Number.isNaN(full) ? 0 : full };
}
