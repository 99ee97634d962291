import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import type { Sighting } from '../../core/problem-delta.ts';
import { type Severity, severities } from '../../core/problems.ts';
import { cutLine } from '../run/cut-text.ts';
import type { ToolContext } from '../run/tool.ts';
import { location, shownRange } from './location.ts';
import { plural } from './render-location.ts';

/** A problem as answers contain it. */
export const diagnostic = location.omit({ in: true }).extend({
  severity: z.enum(severities),
  message: z.string(),
  code: z.string().optional(),
  source: z.string().optional(),
});

export type Diagnostic = z.output<typeof diagnostic>;

/** Converts a problem for an answer. */
export function toDiagnostic({ workspace }: ToolContext, { path, problem, line }: Sighting): Diagnostic {
  const { range, severity, message, code, source } = problem;
  return {
    file_path: workspace.show(path),
    ...shownRange(range),
    ...(line ? { text: line } : {}),
    severity,
    message: shortMessage(message),
    ...(code ? { code } : {}),
    ...(source ? { source } : {}),
  };
}

/** Cuts a message that would take more room than the other problems: some list every file of a project. */
function shortMessage(message: string): string {
  const short = cutLine(message, limits.problemMessage);
  return short === message ? message : `${short} (${message.length - short.length} more characters)`;
}

/** The number of problems of each severity. */
export const counts = z.partialRecord(z.enum(severities), z.int());

type Counts = Partial<Record<Severity, number>>;

/** Counts problems by severity; leaves out severities that do not occur. */
export function countBySeverity(problems: readonly { readonly severity: Severity }[]): Counts {
  const found = new Map<Severity, number>();
  for (const { severity } of problems) found.set(severity, (found.get(severity) ?? 0) + 1);
  return Object.fromEntries(severities.flatMap((one) => (found.has(one) ? [[one, found.get(one)]] : [])));
}

/** Renders `3 errors, 1 hint`; empty if there are none. */
export function renderCounts(found: Counts): string {
  const phrases = severities.flatMap((severity) => {
    const count = found[severity] ?? 0;
    if (count === 0) return [];
    return [severity === 'information' ? `${count} information` : plural(severity, count)];
  });
  return phrases.join(', ');
}

/** Returns the `keep` worst items, in their original order. */
export function keepWorst<T>(things: readonly T[], keep: number, severityOf: (thing: T) => Severity): T[] {
  if (things.length <= keep) return [...things];
  const kept = new Set<T>();
  for (const severity of severities) {
    const worst = things.filter((thing) => severityOf(thing) === severity);
    for (const thing of worst.slice(0, keep - kept.size)) kept.add(thing);
  }
  return things.filter((thing) => kept.has(thing));
}
