import { limits } from '../../core/limits.ts';
import { visibleLine } from '../../core/visible.ts';

/** The best completions of what was typed, and how many there are in all. */
export interface Matches {
  readonly values: readonly string[];
  readonly total: number;
}

/**
 * Ranks what may complete a text: what begins with it, then what has a part that begins with it, then what holds it,
 * then what holds its letters in order. What hides characters or breaks lines is left out: what one sees would not be what one gets.
 */
export function bestMatches(typed: string, offered: Iterable<string>): Matches {
  const wanted = typed.toLowerCase();
  const found: { readonly value: string; readonly rank: number }[] = [];
  for (const value of new Set(offered)) {
    const rank = rankOf(wanted, value.toLowerCase());
    if (rank !== undefined && visibleLine(value) === value) found.push({ value, rank });
  }
  found.sort((a, b) => a.rank - b.rank || a.value.length - b.value.length || (a.value < b.value ? -1 : 1));
  return {
    values: found.slice(0, limits.completion.values).map(({ value }) => value),
    total: found.length,
  };
}

function rankOf(wanted: string, value: string): number | undefined {
  if (value.startsWith(wanted)) return 0;
  const at = value.indexOf(wanted);
  if (at > 0) return partEnds.test(value[at - 1] ?? '') ? 1 : 2;
  return holdsInOrder(wanted, value) ? 3 : undefined;
}

const partEnds = /[/.]/;

function holdsInOrder(letters: string, value: string): boolean {
  let from = 0;
  for (const letter of letters) {
    const at = value.indexOf(letter, from);
    if (at === -1) return false;
    from = at + letter.length;
  }
  return true;
}
