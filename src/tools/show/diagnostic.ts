import { z } from 'zod';
import type { Sighting } from '../../core/problem-delta.ts';
import { severities } from '../../core/problems.ts';
import type { World } from '../run/tool.ts';
import { location, shownRange } from './location.ts';

/** A problem as answers carry it. */
export const diagnostic = location.omit({ in: true }).extend({
  severity: z.enum(severities),
  message: z.string(),
  code: z.string().optional(),
  source: z.string().optional(),
});

export type Diagnostic = z.output<typeof diagnostic>;

/** Shows a problem where it was seen. */
export function toDiagnostic({ workspace }: World, { path, problem, line }: Sighting): Diagnostic {
  const { range, severity, message, code, source } = problem;
  return {
    file_path: workspace.show(path),
    ...shownRange(range),
    ...(line ? { text: line } : {}),
    severity,
    message,
    ...(code ? { code } : {}),
    ...(source ? { source } : {}),
  };
}

/** How many problems there are of each severity. */
export const counts = z.partialRecord(z.enum(severities), z.int());
