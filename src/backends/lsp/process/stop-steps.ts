import { limits } from '../../../core/limits.ts';
import { startTimer } from '../../../core/runtime/timer.ts';

/** A process to end, and the means for it, the politest first. */
export interface Stopped {
  readonly exited: Promise<unknown>;
  /** Aborts when the stop must hurry, even in the middle of a step. */
  readonly hurry: AbortSignal;
  readonly sayGoodbye: () => Promise<void>;
  readonly closeInput: () => void;
  readonly terminate: () => void;
  readonly kill: () => void;
}

/** Ends a process politely, then firmly: each step has a timeout, and ends once the process has exited. */
export async function stopSteps(process: Stopped): Promise<void> {
  await atMost(limits.stop.shutdown, process, process.sayGoodbye());
  process.closeInput();
  await atMost(limits.stop.exit, process);
  process.terminate();
  await atMost(limits.stop.terminate, process);
  process.kill();
  await atMost(limits.stop.kill, process);
}

/** Waits for the process's end, or an earlier event, at most for the time of a step. */
function atMost(time: number, { exited, hurry }: Stopped, event: Promise<unknown> = exited): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      timer.cancel();
      hurry.removeEventListener('abort', hasten);
      resolve();
    };
    const hasten = () => {
      timer.cancel();
      timer = startTimer(limits.stop.hurried, done);
    };
    // The timer ignores time in which lspan is suspended: the process most often is too, and cannot exit.
    let timer = startTimer(hurry.aborted ? Math.min(time, limits.stop.hurried) : time, done);
    hurry.addEventListener('abort', hasten);
    Promise.race([event, exited]).then(done);
  });
}
