/**
 * What files are known by, as definitions hold it: an extension without its dot, a whole name (`go.mod`), or the first
 * part of one (`Dockerfile.*`). None when it can be none of them.
 */
export function extensionName(given: string): string | undefined {
  const name = given.startsWith('.') ? given.slice(1) : given;
  return /^[\p{L}\p{N}_+#-]+(\.[\p{L}\p{N}_+#-]+)*(\.\*)?$/u.test(name) ? name : undefined;
}
