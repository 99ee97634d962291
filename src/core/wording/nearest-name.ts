import { limits } from '../limits.ts';

/** Returns the known name that a mistyped one probably means; `undefined` if none is near. */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(given.length / 3));
  if (given.length > limits.quoted.mistyped) return undefined;
  const ranked = known
    .map((name) => ({ name, distance: editDistance(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.name;
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
