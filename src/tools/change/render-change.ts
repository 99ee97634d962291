import { renderByFile } from '../diagnostics/render-diagnostics.ts';
import { cutBytes } from '../run/cut-text.ts';
import { type Diagnostic, keepWorst, renderCounts } from '../show/diagnostic.ts';
import { renderSome } from '../show/problem-doubts.ts';
import { plural } from '../show/render-location.ts';
import type { ChangeData, Comparison } from './change-data.ts';

/** Renders a change: what was or would be done, the files, the problems, and the diff. */
export function renderChange(change: ChangeData): string {
  return renderChangeWith(change, []);
}

/** Like `renderChange`, but with notes of the tool, which must not get lost after a long diff. */
export function renderChangeWith({ plan, edit, step }: ChangeData, notes: readonly string[]): string {
  if (step) {
    const { title, files } = step;
    return [`Part of the plan: ${title}, ${renderSize(files)}.`, ...renderFiles(files), ...notes].join('\n');
  }
  if (edit) {
    const { edit_id, title, files, warning, undoes } = edit;
    const undo = undoes === undefined ? '; undo_edit reverts it' : '';
    return [
      `Done: ${title}, ${renderSize(files)}. Written to disk (edit_id "${edit_id}")${undo}.`,
      ...(warning === undefined ? [] : [`Warning: ${warning}`]),
      ...renderFiles(files),
      ...renderDelta(edit),
      ...notes,
    ].join('\n');
  }
  if (!plan) return ['Nothing to change.', ...notes].join('\n');
  const { plan_id, title, files, diff, confirm = [], incomplete } = plan;
  const atOnce = confirm.length > 0 ? '' : ' or `dry_run: false`';
  const accepted = incomplete ? ' and `allow_incomplete: true`, if you accept the doubts below' : '';
  return [
    `Preview of ${title}: ${renderSize(files)}. Nothing has been written. Apply with plan_id "${plan_id}"${atOnce}${accepted}.`,
    ...(confirm.length > 0 ? [`Applying it confirms: ${confirm.join('; ')}`] : []),
    ...renderFiles(files),
    ...renderDelta(plan),
    ...notes,
    ...(diff === '' ? [] : [diff.trimEnd()]),
  ].join('\n');
}

/** Cuts the diff and the problems of a change to so many bytes; never cuts the files. */
export function shortenChange<C extends ChangeData>(whole: C, bytes: number): C {
  const { plan, edit } = whole;
  if (edit) return { ...whole, edit: { ...edit, ...shortenProblems(edit, bytes) } };
  if (!plan) return whole;
  const problems = shortenProblems(plan, bytes / 2);
  const diff = cutBytes(plan.diff, Math.max(0, bytes - sizeOfProblems(problems)));
  return { ...whole, plan: { ...plan, ...problems, diff } };
}

type Files = NonNullable<ChangeData['plan']>['files'];

function renderSize(files: Files): string {
  const edits = files.reduce((sum, file) => sum + file.edits, 0);
  return `${plural('file', files.length)}${edits > 0 ? `, ${plural('edit', edits)}` : ''}`;
}

function renderFiles(files: Files): string[] {
  return files.map(({ file_path, change, new_path, edits, link_broken }) => {
    const to = new_path === undefined ? '' : ` → ${new_path}`;
    const what = change === 'edit' ? `${edits}` : `${change}${edits > 0 ? `, ${edits}` : ''}`;
    const link = link_broken ? '  (hard link: other names keep the old text)' : '';
    return `  ${file_path}${to}  ${what}${link}`;
  });
}

/** Renders how many problems were introduced and fixed, and then which. */
export function renderDelta(delta: Comparison): string[] {
  const { introduced, fixed = [], introduced_counts = {}, fixed_count = 0, settled } = delta;
  if (!introduced) return delta.unsettled_because ?? [];
  const introducedCount = renderCounts(introduced_counts) || 'No problem';
  const fixedCount = fixed_count === 0 ? 'none' : fixed_count;
  const certainty = settled ? '' : ', as far as known';
  const left = Object.values(introduced_counts).reduce((sum, count) => sum + count, 0) - introduced.length;
  return [
    `${introducedCount} introduced, ${fixedCount} fixed${certainty}.`,
    ...renderByFile(introduced),
    ...(left > 0 ? [`  ${left} more introduced, not listed.`] : []),
    ...(fixed.length > 0 ? ['fixed (old lines):', ...renderByFile(fixed)] : []),
    ...renderUncertain(delta),
  ];
}

function renderUncertain({ not_settled = [], unsettled_because = [] }: Comparison): string[] {
  const files = not_settled.length === 0 ? [] : [`Not settled for ${renderSome(not_settled)}.`];
  return [...files, ...unsettled_because.map((why) => `Not settled: ${why}`)];
}

/** Keeps introduced problems before fixed ones, and errors before hints. */
export function shortenProblems({ introduced, fixed }: Comparison, bytes: number): Comparison {
  if (!introduced) return {};
  const kept = cutProblems(introduced, bytes);
  return { introduced: kept, fixed: cutProblems(fixed ?? [], bytes - sizeOfProblems({ introduced: kept })) };
}

function cutProblems(problems: readonly Diagnostic[], bytes: number): Diagnostic[] {
  let kept = keepWorst(problems, problems.length, ({ severity }) => severity);
  while (kept.length > 0 && sizeOfProblems({ introduced: kept }) > bytes)
    kept = keepWorst(kept, kept.length >> 1, ({ severity }) => severity);
  return kept;
}

function sizeOfProblems({ introduced = [], fixed = [] }: Comparison): number {
  return Buffer.byteLength(JSON.stringify([...introduced, ...fixed]));
}
