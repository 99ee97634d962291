import { limits } from '../../core/limits.ts';
import type { Log } from '../../core/log.ts';

/** A log with a bound on how much a flood of requests can write to it. */
export interface RateLimitedLog {
  readonly log: Log;
  /** Tells what was left out so far. */
  close(): void;
}

/** Passes on so many lines a second of each event; how many more there were is told when the second is over. */
export function rateLimitedLog(log: Log, most: number = limits.log.perSecond): RateLimitedLog {
  const seconds = new Map<string, Second>();
  const end = (event: string) => {
    const second = seconds.get(event);
    seconds.delete(event);
    clearTimeout(second?.timer);
    const left = (second?.count ?? 0) - most;
    if (second && left > 0) log(second.level, 'log.left_out', { event, lines: left });
  };
  return {
    log: (level, event, fields) => {
      const second = seconds.get(event) ?? {
        level,
        count: 0,
        timer: setTimeout(() => end(event), 1_000).unref(),
      };
      seconds.set(event, second);
      second.count += 1;
      if (second.count <= most) log(level, event, fields);
    },
    close: () => [...seconds.keys()].forEach(end),
  };
}

interface Second {
  readonly level: Parameters<Log>[0];
  count: number;
  readonly timer: NodeJS.Timeout;
}
