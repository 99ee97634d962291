/** A file extension as definitions hold it, without the dot; none when it cannot be one. */
export function extensionName(given: string): string | undefined {
  const name = given.startsWith('.') ? given.slice(1) : given;
  return /^[\p{L}\p{N}_+#-]+(\.[\p{L}\p{N}_+#-]+)*$/u.test(name) ? name : undefined;
}
