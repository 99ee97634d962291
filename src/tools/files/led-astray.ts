import type { FileMove } from '../../core/questions.ts';
import type { PlannedFile } from '../../edits/plan.ts';
import type { Goal } from '../../source-text/path-resolution.ts';
import { rebase } from '../../workspace/moved-workspace.ts';
import { documentOf } from '../../workspace/texts/document.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { FileReference } from '../paths/file-mentions.ts';
import { mentionsIn, namesOf } from '../paths/file-references.ts';

/**
 * The lines of edited files that named what moves, and that name it neither where it was nor where it will be: what a
 * server made of them leads elsewhere. `after` is the workspace as it will be.
 */
export function ledAstray(
  files: readonly PlannedFile[],
  move: FileMove,
  before: Workspace,
  after: Workspace,
): FileReference[] {
  const [olds, news] = [new Set(before.files()), new Set(after.files())];
  const { from, to, isFolder } = move;
  return files.flatMap((file) => {
    if (file.before === undefined || file.after === undefined || rebase(file.path, from, to)) return [];
    const linesOf = (text: string, goal: Goal, known: ReadonlySet<string>) => {
      const document = documentOf(file.path, text);
      return mentionsIn(document, goal, namesOf(goal), { roots: before.roots, known })
        .filter(({ byText }) => byText !== undefined)
        .map(({ mention }) => document.positionAt(mention.offset).line);
    };
    const there = [
      ...linesOf(file.after, { path: to, isFolder }, news),
      ...linesOf(file.after, { path: from, isFolder }, news),
    ];
    const lost = linesOf(file.before, { path: from, isFolder }, olds).filter((line) => !there.includes(line));
    // Where lines were added or taken away, they cannot be told apart by their numbers.
    const was = file.before.split('\n').length;
    if (was !== file.after.split('\n').length && there.length >= lost.length) return [];
    const document = documentOf(file.path, file.after);
    return [...new Set(lost)].map((line): FileReference => {
      const start = { line, character: Math.max(0, document.line(line).search(/\S/)) };
      return { path: file.path, range: { start, end: start }, standing: 'inside', certainty: 'text' };
    });
  });
}
