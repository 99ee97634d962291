import { createTwoFilesPatch } from 'diff';
import { limits } from '../../core/limits.ts';
import { actionsOf } from '../apply/plan-steps.ts';
import { leftBy } from '../apply/verify.ts';
import type { PastEdit } from '../history.ts';
import { fileTextOf } from '../text/file-text.ts';
import type { UndoSite } from './plan-undo.ts';

/** How files differ from what an edit has left there, as far as that can be shown. */
export function whatChanged(
  paths: readonly string[],
  { filed, journal }: PastEdit,
  { grounds, journals, tree }: UndoSite,
): readonly { readonly file_path: string; readonly diff?: string }[] {
  const left = leftBy(actionsOf(journal.steps));
  return paths.slice(0, limits.undo.diffs).map((path) => {
    const file_path = grounds.show(path);
    const footprint = left.get(path);
    const was = footprint?.kind === 'file' ? journals.image(filed, journal, footprint.hash) : undefined;
    const isFile = tree.facts(path)?.kind === 'file';
    const now = isFile ? tree.read(path, limits.edit.document) : Buffer.alloc(0);
    const [before, after] = [was && fileTextOf(was), fileTextOf(now)];
    if (typeof before !== 'object' || typeof after !== 'object') return { file_path };
    const options = { context: 1, maxEditLength: limits.edit.differences };
    const diff = createTwoFilesPatch(file_path, file_path, before.text, after.text, 'edit', 'now', options);
    return diff === undefined ? { file_path } : { file_path, diff: diff.slice(0, limits.undo.diff) };
  });
}
