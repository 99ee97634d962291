import type { Labels, Sample } from './exposition.ts';

/** Counters by labels. Labels come from closed sets, so that clients cannot create many. */
export interface Counts {
  add(labels: Labels, by?: number): void;
  samples(): readonly Sample[];
}

/** Creates counters; known labels start at 0, so that rates are right from the first event. */
export function createCounts(known: readonly Labels[] = []): Counts {
  const counted = createSeries(() => ({ value: 0 }));
  known.forEach((labels) => void counted.of(labels));
  return {
    add: (labels, by = 1) => {
      counted.of(labels).value += by;
    },
    samples: () => counted.all().map(({ labels, state }) => ({ labels, value: state.value })),
  };
}

/** Cumulative histograms by labels. */
export interface Histogram {
  observe(labels: Labels, value: number): void;
  samples(): readonly Sample[];
}

/** Creates a histogram with these upper bounds, in ascending order. */
export function createHistogram(bounds: readonly number[]): Histogram {
  const observed = createSeries(() => ({ within: bounds.map(() => 0), count: 0, sum: 0 }));
  return {
    observe: (labels, value) => {
      const state = observed.of(labels);
      state.count += 1;
      state.sum += value;
      for (const [index, bound] of bounds.entries())
        if (value <= bound) state.within[index] = (state.within[index] ?? 0) + 1;
    },
    samples: () =>
      observed
        .all()
        .flatMap(({ labels, state: { within, count, sum } }) => [
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

/** Stores a value for each combination of labels, listed in the order of the labels. */
function createSeries<T>(fresh: () => T) {
  const series = new Map<string, { readonly labels: Labels; readonly state: T }>();
  return {
    of: (labels: Labels): T => {
      const key = Object.values(labels).join('\0');
      const found = series.get(key) ?? { labels, state: fresh() };
      series.set(key, found);
      return found.state;
    },
    all: () => [...series].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each),
  };
}
