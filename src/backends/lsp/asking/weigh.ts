/** The bytes that a value takes in memory, roughly; no more than `most` is counted, so that large ones cost no more. */
export function weigh(value: unknown, most: number): number {
  const pending: unknown[] = [value];
  let bytes = 0;
  while (pending.length > 0 && bytes < most) {
    const next = pending.pop();
    if (typeof next === 'string') bytes += 24 + next.length * 2;
    else if (typeof next !== 'object' || next === null) bytes += 8;
    else if (Array.isArray(next) && next.length * 8 > most) return most;
    else {
      bytes += 32;
      for (const held of Object.values(next)) pending.push(held);
    }
  }
  return Math.min(bytes, most);
}
