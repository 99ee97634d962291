import type { HierarchyNode, Span } from '../../../core/questions.ts';

/**
 * How much a tree tells: its roots only where they were not just what was asked about. That a search found the symbol
 * itself and nobody who uses it is nothing.
 */
export function sizeOfTree(roots: readonly HierarchyNode[], isSearch: boolean): number {
  return roots.reduce((sum, { children }) => sum + children.length + (isSearch ? 0 : 1), 0);
}

/** What was looked below, but for the roots: those who use it are part of the same tree. */
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
