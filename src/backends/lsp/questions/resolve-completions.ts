import { within } from '../../../core/call.ts';
import { limits } from '../../../core/limits.ts';
import { type Json, object } from '../../../core/runtime/json.ts';
import type { Line } from './row.ts';

/**
 * Asks for what a server leaves out of its list, such as types and imports: of some items at once, and no longer than
 * is worth it. What is not known by then is counted.
 */
export async function resolveCompletions(
  items: readonly Json[],
  line: Line,
): Promise<{ readonly items: readonly Json[]; readonly unresolved: number }> {
  if (!line.options.some(({ resolveProvider }) => resolveProvider === true)) return { items, unresolved: 0 };
  const resolved = new Map<number, Json>();
  const queue = items.entries();
  let isLate = false;
  const work = async () => {
    for (const [index, item] of queue) {
      if (isLate) return;
      // One that cannot be looked at closely is still worth naming.
      const whole = await line.send(item, 'completionItem/resolve').catch(() => undefined);
      if (whole !== undefined) resolved.set(index, { ...item, ...object(whole), label: item.label });
    }
  };
  const { inFlight, time } = limits.completions.resolve;
  await within(Promise.all(Array.from({ length: inFlight }, work)), time);
  isLate = true;
  const known = new Map(resolved);
  return {
    items: items.map((item, index) => known.get(index) ?? item),
    unresolved: items.length - known.size,
  };
}
