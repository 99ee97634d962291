import { comparePositions } from './position.ts';
import type { Span } from './question.ts';

/** Orders spans: the workspace before libraries, then by path, then by position; 0 if they are the same. */
export function compareSpans(a: Span, b: Span): number {
  if (a.standing !== b.standing) return standings[a.standing] - standings[b.standing];
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return comparePositions(a.range.start, b.range.start) || comparePositions(a.range.end, b.range.end);
}

const standings = { inside: 0, library: 1, outside: 2 } as const;
