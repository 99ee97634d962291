import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import type { ConfiguredLimits } from '../config.ts';
import { key, mebibyte, megabytes, seconds } from './key-shapes.ts';

const { configuration } = limits;
const second = 1_000;

/** Schema of the `[limits]` table, with a description and an example for every key. */
export const limitsSchema = z.strictObject({
  servers_running: key(
    z.int().min(1).max(configuration.serversMost),
    'Language servers that may run at once; an idle one makes room, a busy one never.',
    'servers_running = 4',
  ),
  idle_stop_s: key(
    seconds(configuration.idleMost),
    'Seconds without a question after which a server is stopped.',
    'idle_stop_s = 120',
  ),
  memory_mb: key(
    megabytes(configuration.memoryLeast, configuration.memoryMost),
    'MB of memory that a server and all that it started may take.',
    'memory_mb = 2048',
  ),
  readiness_s: key(
    seconds(configuration.deadlineMost, 0),
    'Seconds of a call that may pass until a server has loaded the project.',
    'readiness_s = 10',
  ),
  diagnostics_s: key(
    seconds(configuration.deadlineMost, 0),
    'Seconds to wait for the problems of a changed file from a server that is ready.',
    'diagnostics_s = 3',
  ),
  diagnostics_cold_s: key(
    seconds(configuration.deadlineMost, 0),
    'The same from a server that is not known to be ready.',
    'diagnostics_cold_s = 10',
  ),
  document_mb: key(
    megabytes(configuration.documentLeast, limits.document),
    'MB of the largest file that is read. Can only be lowered.',
    'document_mb = 1',
  ),
  page_items: key(
    z.int().min(1).max(limits.results.page),
    'Results that an answer lists at most. Can only be lowered.',
    'page_items = 50',
  ),
  answers_mb: key(
    megabytes(0, configuration.answersMost),
    'MB of answers that are kept for when the same is asked and nothing has changed; 0 keeps none.',
    'answers_mb = 16',
  ),
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
