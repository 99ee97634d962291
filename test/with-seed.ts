/** Parameters for a property whose seed is printed, so that a failure can be replayed with `SEED=…`. */
export function withSeed<T extends object>(parameters: T): T & { readonly seed: number } {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  process.stderr.write(`seed ${seed}\n`);
  return { ...parameters, seed };
}
