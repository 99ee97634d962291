import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import type { ConfiguredLimits } from '../config.ts';
import { mebibyte, megabytes, seconds } from './key-shapes.ts';

const { configuration } = limits;
const second = 1_000;

/** Schema of the `[limits]` table, with a description and an example for every key. */
export const limitsSchema = z.strictObject({
  servers_running: z
    .int()
    .min(1)
    .max(configuration.serversMost)
    .optional()
    .meta({
      description: 'Language servers that may run at once; an idle one makes room, a busy one never.',
      examples: ['servers_running = 4'],
    }),
  idle_stop_s: seconds(configuration.idleMost)
    .optional()
    .meta({
      description: 'Seconds without a question after which a server is stopped.',
      examples: ['idle_stop_s = 120'],
    }),
  memory_mb: megabytes(configuration.memoryLeast, configuration.memoryMost)
    .optional()
    .meta({
      description: 'MB of memory that a server and all that it started may take.',
      examples: ['memory_mb = 2048'],
    }),
  readiness_s: seconds(configuration.deadlineMost, 0)
    .optional()
    .meta({
      description: 'Seconds of a call that may pass until a server has loaded the project.',
      examples: ['readiness_s = 10'],
    }),
  diagnostics_s: seconds(configuration.deadlineMost, 0)
    .optional()
    .meta({
      description: 'Seconds to wait for the problems of a changed file from a server that is ready.',
      examples: ['diagnostics_s = 3'],
    }),
  diagnostics_cold_s: seconds(configuration.deadlineMost, 0)
    .optional()
    .meta({
      description: 'The same from a server that is not known to be ready.',
      examples: ['diagnostics_cold_s = 10'],
    }),
  document_mb: megabytes(configuration.documentLeast, limits.document)
    .optional()
    .meta({
      description: 'MB of the largest file that is read. Can only be lowered.',
      examples: ['document_mb = 1'],
    }),
  page_items: z
    .int()
    .min(1)
    .max(limits.results.page)
    .optional()
    .meta({
      description: 'Results that an answer lists at most. Can only be lowered.',
      examples: ['page_items = 50'],
    }),
  answers_mb: megabytes(0, configuration.answersMost)
    .optional()
    .meta({
      description:
        'MB of answers that are kept for when the same is asked and nothing has changed; 0 keeps none.',
      examples: ['answers_mb = 16'],
    }),
});

type Key = keyof z.output<typeof limitsSchema>;

/** The limit that each key sets, and the factor that converts its unit to milliseconds, bytes or items. */
export const limitKeys = [
  { key: 'servers_running', limit: 'running', unit: 1 },
  { key: 'idle_stop_s', limit: 'idle', unit: second },
  { key: 'memory_mb', limit: 'memory', unit: mebibyte },
  { key: 'readiness_s', limit: 'readiness', unit: second },
  { key: 'diagnostics_s', limit: 'diagnostics', unit: second },
  { key: 'diagnostics_cold_s', limit: 'diagnosticsCold', unit: second },
  { key: 'document_mb', limit: 'document', unit: mebibyte },
  { key: 'page_items', limit: 'page', unit: 1 },
  { key: 'answers_mb', limit: 'answers', unit: mebibyte },
] as const satisfies readonly {
  readonly key: Key;
  readonly limit: keyof ConfiguredLimits;
  readonly unit: number;
}[];

/** Returns `defaults`, overridden by the given keys. */
export function withLimits(
  defaults: ConfiguredLimits,
  given: z.output<typeof limitsSchema>,
): ConfiguredLimits {
  const set = limitKeys.flatMap(({ key, limit, unit }) => {
    const value = given[key];
    return value === undefined ? [] : [[limit, Math.floor(value * unit)] as const];
  });
  return { ...defaults, ...Object.fromEntries(set) };
}
