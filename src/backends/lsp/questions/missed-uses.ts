import { contains } from '../../../core/positions.ts';
import type { Place, Rename, Span } from '../../../core/questions.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { nameAt } from '../search/search-by-name.ts';
import { startKey } from '../search/start-key.ts';

/** Adds to a rename the uses that bear the old name and that it does not replace; under another name they stay right. */
export async function withMissed(
  rename: Rename,
  place: Place,
  uses: readonly Span[],
  workspace: Workspace,
): Promise<Rename> {
  const known = new Set([...rename.spans, ...rename.missed]);
  const isCovered = (use: Span) =>
    [...known].some(({ path, range }) => path === use.path && contains(range, use.range.start));
  const others = uses.filter((use) => !known.has(use) && use.standing === 'inside' && !isCovered(use));
  const left = [...new Map(others.map((use) => [startKey(use), use])).values()];
  if (left.length === 0) return rename;
  const name = await nameAt(workspace, place);
  const texts = await Promise.all(left.map((use) => textOf(use, workspace)));
  const missed = left.filter((_, index) => texts[index] === name);
  return { ...rename, missed: [...rename.missed, ...missed] };
}

/** What stands at a place. */
export async function textOf({ path, range: { start, end } }: Span, workspace: Workspace): Promise<string> {
  const document = await workspace.read(path);
  return document.line(start.line).slice(start.character, end.character);
}
