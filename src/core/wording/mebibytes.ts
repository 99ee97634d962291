/** A size as people are told it. */
export function mebibytes(bytes: number): string {
  return `${Number((bytes / 1024 ** 2).toPrecision(3))} MiB`;
}
