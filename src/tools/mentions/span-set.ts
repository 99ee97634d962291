import { limits } from '../../core/limits.ts';
import { comparePositions, contains, type Position } from '../../core/position.ts';
import type { Span } from '../../core/question.ts';
import { groupInSlices } from '../../core/runtime/slices.ts';

/** Spans of many files, searched by position. */
export class SpanSet {
  readonly #byPath: ReadonlyMap<string, readonly Span[]>;
  readonly #searches = new Map<string, (position: Position) => boolean>();

  private constructor(byPath: ReadonlyMap<string, readonly Span[]>) {
    this.#byPath = byPath;
  }

  /** Groups spans by file in slices, since there may be very many. */
  static async from(spans: readonly Span[]): Promise<SpanSet> {
    return new SpanSet(await groupInSlices(spans, ({ path }) => path));
  }

  /** The files that have spans. */
  get paths(): readonly string[] {
    return [...this.#byPath.keys()];
  }

  /** Returns the spans of a file. */
  of(path: string): readonly Span[] {
    return this.#byPath.get(path) ?? [];
  }

  /** True if a position of a file is inside one of the spans. */
  has(path: string, position: Position): boolean {
    const spans = this.of(path);
    if (spans.length <= limits.mentions.compared) return isInside(spans, position);
    const search = this.#searches.get(path) ?? insideAnyOf(spans);
    this.#searches.set(path, search);
    return search(position);
  }

  /** True if another span begins in one of these, or one of these in its first line. */
  meets({ path, range }: Span): boolean {
    if (this.has(path, range.start)) return true;
    return this.of(path).some(
      ({ range: { start } }) => start.line === range.start.line && contains(range, start),
    );
  }
}

function isInside(spans: readonly Span[], position: Position): boolean {
  for (const { range } of spans) if (contains(range, position)) return true;
  return false;
}

/** Returns a predicate that is true inside any of the spans, by binary search, since there may be very many. */
function insideAnyOf(spans: readonly Span[]): (position: Position) => boolean {
  const ranges = spans.map(({ range }) => range).sort((a, b) => comparePositions(a.start, b.start));
  // Among the spans that start before a position, only the latest end matters.
  const ends: Position[] = [];
  for (const { end } of ranges) {
    const last = ends.at(-1);
    ends.push(last && comparePositions(last, end) > 0 ? last : end);
  }
  return (position) => {
    let [low, high] = [0, ranges.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (comparePositions(ranges[middle]?.start ?? position, position) <= 0) low = middle + 1;
      else high = middle;
    }
    const end = ends[low - 1];
    return end !== undefined && comparePositions(position, end) <= 0;
  };
}
