import { limits } from '../limits.ts';

/** Returns the known name that a mistyped one probably means; `undefined` if none is near. */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  return nearestNames(given, known, 1)[0];
}

/** Returns the known names that a mistyped one may mean, the likeliest first; equally likely ones in their order. */
export function nearestNames(given: string, known: Iterable<string>, most: number): readonly string[] {
  if (given.length > limits.quoted.mistyped) return [];
  const farthest = Math.max(1, Math.floor(given.length / 3));
  const wanted = given.toLowerCase();
  const ranked: { readonly name: string; readonly distance: number }[] = [];
  for (const name of known) {
    if (Math.abs(name.length - given.length) > farthest) continue;
    const candidate = name.toLowerCase();
    if (otherLetters(wanted, candidate) > 2 * farthest) continue;
    const distance = editDistance(wanted, candidate);
    if (distance <= farthest) ranked.push({ name, distance });
  }
  return ranked
    .sort((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ name }) => name);
}

/** Counts the letters that only one of two words has, which is at most twice their distance and cheaper to find. */
function otherLetters(a: string, b: string): number {
  const counts = new Map<string, number>();
  for (const letter of a) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  for (const letter of b) counts.set(letter, (counts.get(letter) ?? 0) - 1);
  let sum = 0;
  for (const count of counts.values()) sum += Math.abs(count);
  return sum;
}

/** Returns the end of a message about an unknown name: the nearest known name, or else all of them. */
export function suggestName(given: string, known: readonly string[]): string {
  const nearest = nearestName(given, known);
  return nearest === undefined ? `Known: ${known.join(', ')}.` : `Did you mean ${nearest}?`;
}

/** Counts the insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row++) {
    const cells = [row];
    for (let column = 1; column <= b.length; column++) cells.push(cell(a, b, rows, cells, row, column));
    rows.push(cells);
  }
  return rows[a.length]?.[b.length] ?? 0;
}

function cell(a: string, b: string, rows: number[][], cells: number[], row: number, column: number): number {
  const at = (up: number, left: number) => (up === 0 ? cells : rows[row - up])?.[column - left] ?? 0;
  const same = a[row - 1] === b[column - 1];
  const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
  const plain = Math.min(at(1, 0) + 1, at(0, 1) + 1, at(1, 1) + (same ? 0 : 1));
  return swapped ? Math.min(plain, at(2, 2) + 1) : plain;
}
