import path from 'node:path';

/** The `file:` URI of an absolute path, encoded as the editors do that language servers are tested with. */
export function uriOfPath(absolute: string): string {
  if (path.sep === '/' && plainPath.test(absolute)) return `file://${absolute}`;
  const segments = absolute.split(path.sep).map(encodeSegment);
  return `file://${absolute.startsWith('/') ? '' : '/'}${segments.join('/')}`;
}

const plainPath = /^[\w./~-]*$/;

function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
