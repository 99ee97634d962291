/** Formats a size for people. */
export function mebibytes(bytes: number): string {
  return `${Number((bytes / 1024 ** 2).toPrecision(3))} MiB`;
}
