import { type Problem, severities } from '../../core/problems.ts';
import { inOrder } from '../../core/runtime/slices.ts';
import { compareTexts } from '../../core/wording/compare-texts.ts';
import { compareRanges } from './canonical.ts';
import type { Diagnostic } from './shapes.ts';

/** Converts the problems of one file, in order; a problem that several servers report is listed once. */
export async function toDiagnostics(problems: readonly Problem[]): Promise<readonly Diagnostic[]> {
  return inOrder(problems.map(toDiagnostic), compareDiagnostics);
}

function toDiagnostic({ range, severity, code, source, message }: Problem): Diagnostic {
  return { range, severity, ...(code ? { code } : {}), ...(source ? { source } : {}), message };
}

function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return (
    compareRanges(a.range, b.range) ||
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    compareTexts(a.code, b.code) ||
    compareTexts(a.source, b.source) ||
    compareTexts(a.message, b.message)
  );
}
