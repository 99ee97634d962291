import type { PlannedFile } from '../../edits/plan.ts';
import { wordsOf } from '../../source-text/words.ts';

/** A word that a change replaces by another everywhere, and nothing else. */
export interface RenamedWord {
  readonly from: string;
  readonly to: string;
}

/** Returns the word that files rename, if that is all that happens to their texts. */
export function renamedWord(files: readonly PlannedFile[]): RenamedWord | undefined {
  const counts = new Map<string, number>();
  for (const { before, after } of files) {
    if (before === undefined || after === undefined) continue;
    for (const { text } of wordsOf(before)) counts.set(text, (counts.get(text) ?? 0) - 1);
    for (const { text } of wordsOf(after)) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const changed = [...counts].filter(([, count]) => count !== 0);
  const [gone, come] = [changed.find(([, count]) => count < 0), changed.find(([, count]) => count > 0)];
  if (changed.length !== 2 || !gone || !come || gone[1] + come[1] !== 0) return undefined;
  return { from: gone[0], to: come[0] };
}

/** Returns a text in which a word is renamed. */
export function withRenamedWord(text: string, { from, to }: RenamedWord): string {
  const words = wordsOf(text).filter((word) => word.text === from);
  return words.reduceRight(
    (changed, { start }) => `${changed.slice(0, start)}${to}${changed.slice(start + from.length)}`,
    text,
  );
}
