import { z } from 'zod';
import type { ReadySignal } from '../../servers/definition.ts';
import { pattern, table, text } from './key-shapes.ts';

/** Schema of `ready`: how a server signals that it has loaded the project. */
export const readySchema = z.union(
  [
    z.enum(['immediate', 'unknown']),
    z.strictObject({ progress: pattern, or_publication: z.boolean().optional() }),
    z.strictObject({ log: pattern }),
    z.strictObject({ notification: text, when: table.optional() }),
  ],
  { error: 'is "immediate", "unknown", or a table with progress, log or notification' },
);

/** Converts a configured value to a readiness signal. */
export function readySignal(given: z.output<typeof readySchema>): ReadySignal {
  if (typeof given === 'string') return { kind: given };
  if ('log' in given) return { kind: 'log', message: new RegExp(given.log) };
  if ('progress' in given) {
    return {
      kind: 'progress',
      title: new RegExp(given.progress),
      orPublication: given.or_publication ?? false,
    };
  }
  const { notification, when = {} } = given;
  return { kind: 'notification', method: notification, ready: (params) => contains(params, when) };
}

/** True if `value` contains `expected`; tables are compared recursively and may have further keys. */
function contains(value: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return value === expected;
  if (typeof value !== 'object' || value === null) return false;
  const own = new Map<string, unknown>(Object.entries(value));
  return Object.entries(expected).every(([key, part]) => own.has(key) && contains(own.get(key), part));
}
