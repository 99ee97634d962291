// What a list of times amounts to.

/** @param {number[]} values */
export function summary(values) {
  return { median: quantile(values, 0.5), p95: quantile(values, 0.95) };
}

/** The value below which a share of the values lies. */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

/** Runs something and gives how many milliseconds it took, with what it gave. */
export async function timed(work) {
  const from = performance.now();
  const value = await work();
  return { time: performance.now() - from, value };
}
