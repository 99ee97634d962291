/** Compares by UTF-16 units, independent of the locale; an absent text comes first. */
export function compareTexts(a = '', b = ''): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
