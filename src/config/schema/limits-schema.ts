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
    'How many language servers may run at once. Only idle ones are stopped for others.',
    'servers_running = 4',
  ),
  idle_stop_s: key(
    seconds(configuration.idleMost),
    'Idle seconds before a server is stopped.',
    'idle_stop_s = 120',
  ),
  memory_mb: key(
    megabytes(configuration.memoryLeast, configuration.memoryMost),
    'MB of memory for a server and its child processes.',
    'memory_mb = 2048',
  ),
  servers_memory_mb: key(
    megabytes(0, configuration.memoryMost),
    "MB of memory for all servers together; 0: half of the machine's. Idle ones are stopped first.",
    'servers_memory_mb = 8192',
  ),
  readiness_s: key(
    seconds(configuration.deadlineMost, 0),
    'Seconds that a call waits for a server to load the project.',
    'readiness_s = 10',
  ),
  diagnostics_s: key(
    seconds(configuration.deadlineMost, 0),
    'Seconds to wait for the problems of a changed file from a ready server.',
    'diagnostics_s = 3',
  ),
  diagnostics_cold_s: key(
    seconds(configuration.deadlineMost, 0),
    'Like diagnostics_s, for a server that may not be ready.',
    'diagnostics_cold_s = 10',
  ),
  document_mb: key(
    megabytes(configuration.documentLeast, limits.document),
    'MB of the largest file that is read. Can only be lowered.',
    'document_mb = 1',
  ),
  page_items: key(
    z.int().min(1).max(limits.results.page),
    'Most results per page. Can only be lowered.',
    'page_items = 50',
  ),
  answers_mb: key(
    megabytes(0, configuration.answersMost),
    'MB of cached answers, reused while nothing has changed; 0 caches none.',
    'answers_mb = 16',
  ),
});

type Key = keyof z.output<typeof limitsSchema>;

/** The limit that each key sets, and the factor that converts its unit to milliseconds, bytes or items. */
export const limitKeys = [
  { key: 'servers_running', limit: 'running', unit: 1 },
  { key: 'idle_stop_s', limit: 'idle', unit: second },
  { key: 'memory_mb', limit: 'memory', unit: mebibyte },
  { key: 'servers_memory_mb', limit: 'memoryOfAll', unit: mebibyte },
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
