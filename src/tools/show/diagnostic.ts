import { z } from 'zod';
import type { Sighting } from '../../core/problem-delta.ts';
import { type Severity, severities } from '../../core/problems.ts';
import type { ToolContext } from '../run/tool.ts';
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
export function toDiagnostic({ workspace }: ToolContext, { path, problem, line }: Sighting): Diagnostic {
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

/** How many problems there are of each severity. */
type Counts = Partial<Record<Severity, number>>;

/** Counts problems by severity; a severity that none has is left out. */
export function countBySeverity(problems: readonly { readonly severity: Severity }[]): Counts {
  const found = new Map<Severity, number>();
  for (const { severity } of problems) found.set(severity, (found.get(severity) ?? 0) + 1);
  return Object.fromEntries(severities.flatMap((one) => (found.has(one) ? [[one, found.get(one)]] : [])));
}

/** `3 errors, 1 hint`; empty where there are none. */
export function countsText(found: Counts): string {
  return severities.flatMap((severity) => words(severity, found[severity] ?? 0)).join(', ');
}

/** As many things as may be kept, the worst of them, in the order in which they came. */
export function keepWorst<T>(things: readonly T[], keep: number, severityOf: (thing: T) => Severity): T[] {
  if (things.length <= keep) return [...things];
  const kept = new Set<T>();
  for (const severity of severities) {
    const worst = things.filter((thing) => severityOf(thing) === severity);
    for (const thing of worst.slice(0, keep - kept.size)) kept.add(thing);
  }
  return things.filter((thing) => kept.has(thing));
}

function words(severity: Severity, count: number): string[] {
  if (count === 0) return [];
  const isPlural = count > 1 && severity !== 'information';
  return [`${count} ${severity}${isPlural ? 's' : ''}`];
}
