import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { limits } from '../core/limits.ts';

/** Tunes the engine to the number of calls in progress, and of those so far, whenever one has ended. */
export class EngineTuner {
  #tunedFor: Load | undefined;
  /** When many calls were in progress at last. */
  #manyAt = 0;
  #calls = 0;

  /** Code that runs often pays for its compilation; what runs in the first calls does not. */
  onCallRemoved(left: number): void {
    this.#calls += 1;
    if (this.#calls === limits.youngCalls) setImmediate(setFlags, old);
    const load = left < limits.fewCalls ? 'few' : 'many';
    const now = performance.now();
    if (load === 'many') this.#manyAt = now;
    const isStill = this.#tunedFor === 'many' && now - this.#manyAt < limits.calmAfter;
    if (this.#tunedFor === load || isStill) return;
    this.#tunedFor = load;
    setImmediate(setFlags, growth[load]);
  }
}

/** Tunes V8 for a process that answers questions, before it loads what answers them. */
export function tuneAtStart(): void {
  setFlags(young);
  stopGrowth();
}

/** Keeps the young generation from growing further as soon as it is large enough for one call: it never shrinks. */
function stopGrowth(): void {
  const observer = new PerformanceObserver(() => {
    const { space_size: size = 0 } = getHeapSpaceStatistics().find(isYoung) ?? {};
    if (size < limits.youngGeneration) return;
    observer.disconnect();
    setFlags(growth.few);
  });
  observer.observe({ entryTypes: ['gc'] });
}

function isYoung({ space_name: name }: { readonly space_name: string }): boolean {
  return name === 'new_space';
}

/**
 * Tunes V8 for a process that only passes calls on: the optimizing compiler would take a tenth of its memory for nothing,
 * and so would a young generation that grows. Both are needed again where the process does the work after all. Called
 * early, since the young generation does not shrink.
 */
export function tuneForPassing(isPassing: boolean): void {
  const node = Number.parseInt(process.versions.node, 10);
  if (node <= newestPassing) for (const flag of passing[isPassing ? 'on' : 'off']) setFlagsFromString(flag);
}

const passing = {
  on: ['--no-opt', '--semi-space-growth-factor=1'],
  off: ['--opt', '--semi-space-growth-factor=2'],
};

const newestPassing = 24;

/** Sets the flags that change while a process lives as they were before, until a condition is true; returns whether it is. */
export function changeFlagsUntil(isTrue: () => boolean): boolean {
  return [[], growth.few, ...unset].some((flags) => {
    setFlags(flags);
    return isTrue();
  });
}

/** Number of concurrent calls. */
type Load = 'few' | 'many';

function setFlags(flags: readonly Flag[]): void {
  const node = Number.parseInt(process.versions.node, 10);
  for (const { flag, newest } of flags) if (node <= newest) setFlagsFromString(flag);
}

/** `newest` is the newest Node it was tested with: V8 prints an error to stderr for an unknown flag. */
interface Flag {
  readonly flag: string;
  readonly newest: number;
}

/**
 * Learns from the first call of a function what the next can use: an agent asks some fifty questions. WebAssembly, in which
 * indexes are read, is not optimized: it takes 50 MB more to answer in a tenth of a millisecond less. Of SQLite, few functions
 * are called: only those are compiled. A collection of the young generation takes half a millisecond: on a busy machine, waiting
 * for the threads that would share it takes longer.
 */
const young: readonly Flag[] = [
  { flag: '--no-lazy-feedback-allocation', newest: 24 },
  { flag: '--liftoff-only', newest: 24 },
  { flag: '--wasm-lazy-compilation', newest: 24 },
  { flag: '--no-parallel-scavenge', newest: 24 },
  { flag: '--no-concurrent-array-buffer-sweeping', newest: 24 },
];

/** Optimizes code after few calls instead of thousands: a process that has answered so many questions answers more. */
const old: readonly Flag[] = [{ flag: '--interrupt-budget=8000', newest: 20 }];

/**
 * The young generation stays small, as requests are short. Under many concurrent calls it may grow, since their data would
 * not fit a small one and would be copied again and again.
 */
const growth: Readonly<Record<Load, readonly Flag[]>> = {
  few: [
    { flag: '--semi-space-growth-factor=1', newest: 24 },
    { flag: '--heap-growing-percent=15', newest: 24 },
  ],
  many: [
    { flag: '--semi-space-growth-factor=2', newest: 24 },
    { flag: '--heap-growing-percent=300', newest: 24 },
  ],
};

/** Of a process that only passes calls on, before it has told V8 anything else. */
const passingGrowth: readonly Flag[] = [
  { flag: '--semi-space-growth-factor=1', newest: 24 },
  { flag: '--heap-growing-percent=0', newest: 24 },
];

const ownGrowth: readonly Flag[] = [
  { flag: '--semi-space-growth-factor=2', newest: 24 },
  { flag: '--heap-growing-percent=0', newest: 24 },
];

/** V8's own settings of the flags that change; one differs between platforms. */
const unset: readonly (readonly Flag[])[] = [
  passingGrowth,
  ownGrowth,
  [{ flag: '--interrupt-budget=67584', newest: 20 }],
  growth.few,
  [...ownGrowth, { flag: '--interrupt-budget=135168', newest: 20 }],
  growth.few,
];
