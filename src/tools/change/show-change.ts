import type { Sighting } from '../../core/problem-delta.ts';
import type { Edit, PlannedFile } from '../../edits/plan.ts';
import type { ToolContext } from '../run/tool.ts';
import { countBySeverity, keepWorst, toDiagnostic } from '../show/diagnostic.ts';
import type { Comparison } from './change-data.ts';
import type { DiagnosticsDelta } from './diagnostics-delta.ts';

/** An edit as it is told. */
export function showEdit(context: ToolContext, { id, title, files, undoes, warning }: Edit) {
  return {
    edit_id: id,
    title,
    files: showFiles(context, files),
    ...(undoes === undefined ? {} : { undoes }),
    ...(warning === undefined ? {} : { warning }),
  };
}

/** The files of a change as they are told. */
export function showFiles(
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

/** A delta as answers carry it. */
export function showDelta(context: ToolContext, delta: DiagnosticsDelta): Comparison {
  const { introduced, fixed, notSettled, because } = delta;
  if (!delta.isCompared) return { settled: false, unsettled_because: [...because] };
  const severityOf = ({ problem }: Sighting) => problem.severity;
  const come = keepWorst(introduced, context.page, severityOf);
  const gone = keepWorst(fixed, context.page - come.length, severityOf);
  const isSettled = notSettled.length === 0 && because.length === 0;
  return {
    introduced: come.map((one) => toDiagnostic(context, one)),
    introduced_counts: countBySeverity(introduced.map(({ problem }) => problem)),
    fixed: gone.map((one) => toDiagnostic(context, one)),
    fixed_count: fixed.length,
    settled: isSettled,
    ...(notSettled.length > 0 ? { not_settled: notSettled.map((path) => context.workspace.show(path)) } : {}),
    ...(because.length > 0 ? { unsettled_because: [...because] } : {}),
  };
}
