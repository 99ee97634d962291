/** The last part of a symbol path such as `Server.run` or `Server/run`. */
export function lastPart(path: string): string {
  return pathParts(path).at(-1) ?? path;
}

/** The parts of a symbol path; a name of nothing but separators is one part, since no part at all would match anything. */
export function pathParts(path: string): string[] {
  const parts = path.split(/::|[./#\\]/).filter((part) => part !== '');
  return parts.length === 0 && path !== '' ? [path] : parts;
}
