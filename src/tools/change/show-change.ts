import type { Sighting } from '../../core/problem-delta.ts';
import type { Edit, PlannedFile } from '../../edits/plan.ts';
import type { World } from '../run/tool.ts';
import { countBySeverity, keepWorst, toDiagnostic } from '../show/diagnostic.ts';
import type { Comparison } from './change-data.ts';
import type { Delta } from './diagnostics-delta.ts';

/** An edit as it is told. */
export function showEdit(world: World, { id, title, files, undoes, warning }: Edit) {
  return {
    edit_id: id,
    title,
    files: showFiles(world, files),
    ...(undoes === undefined ? {} : { undoes }),
    ...(warning === undefined ? {} : { warning }),
  };
}

/** The files of a change as they are told. */
export function showFiles({ workspace }: World, files: readonly Omit<PlannedFile, 'before' | 'after'>[]) {
  return files.map(({ path, change: kind, newPath, edits, linkBroken }) => ({
    file_path: workspace.show(path),
    change: kind,
    ...(newPath === undefined ? {} : { new_path: workspace.show(newPath) }),
    edits,
    ...(linkBroken ? { link_broken: linkBroken } : {}),
  }));
}

/** A delta as answers carry it. */
export function showDelta(world: World, delta: Delta): Comparison {
  const { introduced, fixed, notSettled, because } = delta;
  if (!delta.isCompared) return { settled: false, unsettled_because: [...because] };
  const severityOf = ({ problem }: Sighting) => problem.severity;
  const come = keepWorst(introduced, world.page, severityOf);
  const gone = keepWorst(fixed, world.page - come.length, severityOf);
  const isSettled = notSettled.length === 0 && because.length === 0;
  return {
    introduced: come.map((one) => toDiagnostic(world, one)),
    introduced_counts: countBySeverity(introduced.map(({ problem }) => problem)),
    fixed: gone.map((one) => toDiagnostic(world, one)),
    fixed_count: fixed.length,
    settled: isSettled,
    ...(notSettled.length > 0 ? { not_settled: notSettled.map((path) => world.workspace.show(path)) } : {}),
    ...(because.length > 0 ? { unsettled_because: [...because] } : {}),
  };
}
