import type { Span } from '../../../core/questions.ts';

/** By which spans are told apart, whatever their ends: servers differ in those. */
export function startKey({ path, range: { start } }: Span): string {
  return `${path}\0${start.line}:${start.character}`;
}
