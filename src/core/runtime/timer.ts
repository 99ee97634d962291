import { limits } from '../limits.ts';

/** A timer that was started. */
export interface Timer {
  /** Milliseconds that are left. */
  readonly left: number;
  cancel(): void;
}

/**
 * Calls back after a time in which this process ran: what passes while it is stopped, or the machine asleep, does not
 * count. It looks at the clock in small steps, and a step that ends far too late was no step.
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
