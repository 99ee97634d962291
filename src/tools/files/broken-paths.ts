import { limits } from '../../core/limits.ts';
import type { FileMove } from '../../core/questions.ts';
import { leadsSomewhere } from '../../source-text/leads-somewhere.ts';
import { relativeMentions } from '../../source-text/path-mentions.ts';
import { rebase } from '../../workspace/moved-workspace.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { type FileReference, toReference } from '../paths/file-mentions.ts';

/** The relative paths in files that move which led somewhere before and lead nowhere after. */
export async function brokenPaths(
  before: Workspace,
  after: Workspace,
  move: FileMove,
): Promise<FileReference[]> {
  const [olds, news] = [new Set(before.files()), new Set(after.files())];
  const moved = [...olds].flatMap((file) => {
    const to = rebase(file, move.from, move.to);
    return to === undefined ? [] : [{ file, to }];
  });
  const found: FileReference[] = [];
  for (const { file, to } of moved.slice(0, limits.fileReferences.files)) {
    const document = await after.read(to).catch(() => undefined);
    if (!document) continue;
    const broken = relativeMentions(to, document.text).filter(
      (mention) => leadsSomewhere(mention, file, olds) && !leadsSomewhere(mention, to, news),
    );
    found.push(...broken.map((mention) => toReference({ document, mention, byText: 'exact' }, 'text')));
  }
  return found;
}
