/** Parameters for a property whose seed is printed, so that a failure can be replayed with `LSPAN_SEED=…`. */
export function withSeed<T extends object>(parameters: T): T & { readonly seed: number } {
  const seed = Number(process.env.LSPAN_SEED ?? Date.now() % 2 ** 31);
  process.stderr.write(`seed ${seed}\n`);
  return { ...parameters, seed };
}
