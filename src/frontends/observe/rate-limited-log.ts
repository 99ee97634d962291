import { limits } from '../../core/limits.ts';
import type { Log } from '../../core/log.ts';

/** A log to which a flood of requests cannot write without limit. */
interface RateLimitedLog {
  readonly log: Log;
  /** Logs how many lines were dropped so far. */
  close(): void;
}

/** Passes on at most `most` lines per second and event, and logs the number of dropped lines after each second. */
export function rateLimitedLog(log: Log, max: number = limits.log.perSecond): RateLimitedLog {
  const windows = new Map<string, Window>();
  const end = (event: string) => {
    const window = windows.get(event);
    windows.delete(event);
    clearTimeout(window?.timer);
    const dropped = (window?.count ?? 0) - max;
    if (window && dropped > 0) log(window.level, 'log.left_out', { event, lines: dropped });
  };
  return {
    log: (level, event, fields) => {
      const window = windows.get(event) ?? {
        level,
        count: 0,
        timer: setTimeout(() => end(event), 1_000).unref(),
      };
      windows.set(event, window);
      window.count += 1;
      if (window.count <= max) log(level, event, fields);
    },
    close: () => [...windows.keys()].forEach(end),
  };
}

interface Window {
  readonly level: Parameters<Log>[0];
  count: number;
  readonly timer: NodeJS.Timeout;
}
