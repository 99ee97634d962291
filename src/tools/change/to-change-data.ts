import type { Sighting } from '../../core/problem-delta.ts';
import type { Edit, PlannedFile } from '../../edits/plan.ts';
import type { ToolContext } from '../run/tool.ts';
import { countBySeverity, keepWorst, toDiagnostic } from '../show/diagnostic.ts';
import type { Comparison } from './change-data.ts';
import type { DiagnosticsDelta } from './diagnostics-delta.ts';

/** Converts an edit for an answer. */
export function toEditData(context: ToolContext, { id, title, files, undoes, warning }: Edit) {
  return {
    edit_id: id,
    title,
    files: toFilesData(context, files),
    ...(undoes === undefined ? {} : { undoes }),
    ...(warning === undefined ? {} : { warning }),
  };
}

/** Converts the files of a change for an answer. */
export function toFilesData(
  { workspace }: ToolContext,
  files: readonly Omit<PlannedFile, 'before' | 'after'>[],
) {
  return files.map(({ path, change: kind, newPath, edits, linkBroken }) => ({
    file_path: workspace.show(path),
    change: kind,
    ...(newPath === undefined ? {} : { new_path: workspace.show(newPath) }),
    edits,
    ...(linkBroken ? { link_broken: linkBroken } : {}),
  }));
}

/** Converts a delta for an answer. */
export function toComparison(context: ToolContext, delta: DiagnosticsDelta): Comparison {
  const { introduced, fixed, uncertain, reasons } = delta;
  if (!delta.isCompared) return { settled: false, unsettled_because: [...reasons] };
  const severityOf = ({ problem }: Sighting) => problem.severity;
  const listed = keepWorst(introduced, context.page, severityOf);
  const listedFixed = keepWorst(fixed, context.page - listed.length, severityOf);
  return {
    introduced: listed.map((one) => toDiagnostic(context, one)),
    introduced_counts: countBySeverity(introduced.map(({ problem }) => problem)),
    fixed: listedFixed.map((one) => toDiagnostic(context, one)),
    fixed_count: fixed.length,
    settled: uncertain.length === 0 && reasons.length === 0,
    ...(uncertain.length > 0 ? { not_settled: uncertain.map((path) => context.workspace.show(path)) } : {}),
    ...(reasons.length > 0 ? { unsettled_because: [...reasons] } : {}),
  };
}
