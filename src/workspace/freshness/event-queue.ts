import { readFileSync } from 'node:fs';
import { attempt } from '../gate/attempt.ts';

/**
 * How many events between two questions mean that the kernel may have dropped some: `fs.watch` never tells.
 * Half, since a full queue may hold one question, and then one of its two parts is at least that long.
 */
export function halfOfEventQueue(): number {
  const setting = attempt(() => readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8'));
  const length = setting.ok ? Number.parseInt(setting.value, 10) : Number.NaN;
  return Math.ceil((length > 0 ? length : usualLength) / 2);
}

const usualLength = 16_384;
