import type { HierarchyNode, Span } from '../../../core/question.ts';

/** Counts the nodes of a tree. A search does not count roots: the symbol itself is not a result. */
export function sizeOfTree(roots: readonly HierarchyNode[], isSearch: boolean): number {
  return roots.reduce((sum, { children }) => sum + children.length + (isSearch ? 0 : 1), 0);
}

/** True if there was no time for a part of a tree: the same question may find more. */
export function isLate(roots: readonly HierarchyNode[]): boolean {
  return roots.some(({ cut, children }) => cut === 'late' || isLate(children));
}

/** Returns the spans of nodes that were followed, except the roots: their users are part of the same tree. */
export function followed(roots: readonly HierarchyNode[]): readonly Span[] {
  const spans: Span[] = [];
  let level = roots.flatMap(({ children }) => children);
  while (level.length > 0) {
    const open = level.filter(({ cut, children }) => cut === undefined || children.length > 0);
    spans.push(...open.map(({ span }) => span));
    level = open.flatMap(({ children }) => children);
  }
  return spans;
}
