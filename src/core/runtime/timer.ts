import { limits } from '../limits.ts';

/** A running timer. */
export interface Timer {
  /** Milliseconds left. */
  readonly left: number;
  cancel(): void;
}

/**
 * Calls back after a time in which this process ran: time while it is stopped or the machine is asleep does
 * not count. It reads the clock in small steps, and does not count a step that ends far too late.
 */
export function startTimer(
  time: number,
  done: () => void,
  now: () => number = () => performance.now(),
): Timer {
  const { step, late } = limits.runningTime;
  let left = time;
  let since = now();
  const next = () => {
    since = now();
    return setTimeout(tick, Math.min(step, left));
  };
  const tick = () => {
    const due = Math.min(step, left);
    const took = now() - since;
    if (took <= due + late) left -= Math.max(due, took);
    if (left > 0) timer = next();
    else done();
  };
  let timer = next();
  return {
    get left() {
      return Math.max(0, left - Math.max(0, Math.min(now() - since, step)));
    },
    cancel: () => clearTimeout(timer),
  };
}
