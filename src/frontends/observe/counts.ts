import type { Labels, Sample } from './exposition.ts';

/** A count for each combination of labels. They come from closed sets, so that nobody can make them many. */
export interface Counts {
  add(labels: Labels, by?: number): void;
  samples(): readonly Sample[];
}

/** Counts that begin at 0 for what is known to come: a rate is then right from the first event on. */
export function createCounts(known: readonly Labels[] = []): Counts {
  const counted = createSeries(() => ({ value: 0 }));
  known.forEach((labels) => void counted.of(labels));
  return {
    add: (labels, by = 1) => {
      counted.of(labels).value += by;
    },
    samples: () => counted.all().map(({ labels, held }) => ({ labels, value: held.value })),
  };
}

/** How often values of each combination of labels were at most so large. */
export interface Histogram {
  observe(labels: Labels, value: number): void;
  samples(): readonly Sample[];
}

/** A histogram with these upper bounds, in rising order. */
export function createHistogram(bounds: readonly number[]): Histogram {
  const observed = createSeries(() => ({ within: bounds.map(() => 0), count: 0, sum: 0 }));
  return {
    observe: (labels, value) => {
      const held = observed.of(labels);
      held.count += 1;
      held.sum += value;
      for (const [index, bound] of bounds.entries())
        if (value <= bound) held.within[index] = (held.within[index] ?? 0) + 1;
    },
    samples: () =>
      observed
        .all()
        .flatMap(({ labels, held: { within, count, sum } }) => [
          ...within.map((value, index) => bucket(labels, String(bounds[index]), value)),
          bucket(labels, '+Inf', count),
          { suffix: '_sum', labels, value: sum },
          { suffix: '_count', labels, value: count },
        ]),
  };
}

function bucket(labels: Labels, le: string, value: number): Sample {
  return { suffix: '_bucket', labels: { ...labels, le }, value };
}

/** What is held for each combination of labels, told in the order of the labels and not in that of the events. */
function createSeries<T>(fresh: () => T) {
  const series = new Map<string, { readonly labels: Labels; readonly held: T }>();
  return {
    of: (labels: Labels): T => {
      const key = Object.values(labels).join('\0');
      const found = series.get(key) ?? { labels, held: fresh() };
      series.set(key, found);
      return found.held;
    },
    all: () => [...series].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each),
  };
}
