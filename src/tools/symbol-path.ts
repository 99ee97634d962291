/** The last part of a symbol path such as `Server.run` or `Server/run`. */
export function lastPart(path: string): string {
  return pathParts(path).at(-1) ?? path;
}

/** The parts of a symbol path. */
export function pathParts(path: string): string[] {
  return path.split(/::|[./#]/).filter((part) => part !== '');
}
