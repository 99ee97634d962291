import { z } from 'zod';
import type { ReadySignal } from '../../servers/definition.ts';
import { pattern, table, text } from './key-shapes.ts';

/** How a server tells that it has loaded the project, as data. */
export const readySchema = z.union(
  [
    z.enum(['immediate', 'unknown']),
    z.strictObject({ progress: pattern, or_publication: z.boolean().optional() }),
    z.strictObject({ log: pattern }),
    z.strictObject({ notification: text, when: table.optional() }),
  ],
  { error: 'is "immediate", "unknown", or a table with progress, log or notification' },
);

/** The readiness signal that a value of the configuration means. */
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
  return { kind: 'notification', method: notification, ready: (params) => holds(params, when) };
}

/** Whether a value has everything that is asked of it, table by table. */
function holds(value: unknown, asked: unknown): boolean {
  if (typeof asked !== 'object' || asked === null) return value === asked;
  if (typeof value !== 'object' || value === null) return false;
  const own = new Map<string, unknown>(Object.entries(value));
  return Object.entries(asked).every(([key, part]) => own.has(key) && holds(own.get(key), part));
}
