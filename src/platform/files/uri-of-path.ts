import path from 'node:path';

/** Returns the `file:` URI of an absolute path, encoded like in the editors that language servers are tested with. */
export function uriOfPath(absolute: string): string {
  if (path.sep === '/' && plainPath.test(absolute)) return `file://${absolute}`;
  const segments = absolute.split(path.sep).map(encodeSegment);
  return `file://${absolute.startsWith('/') ? '' : '/'}${segments.join('/')}`;
}

const plainPath = /^[\w./~-]*$/;

/** Returns a name in a path as a URI has it. */
export function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
