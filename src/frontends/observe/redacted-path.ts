import path from 'node:path';
import { isPathWithin } from '../../platform/files/path-within.ts';
import { uriOfPath } from '../../platform/files/uri-of-path.ts';

/** Names files for logs and traces that may leave the machine: relative to their root, and outside of all not at all. */
export function redactedPath(roots: readonly string[]): (given: string) => string {
  const known = roots.map((root) => ({
    root,
    uri: uriOfPath(root),
    name: roots.length > 1 ? `${path.basename(root)}/` : '',
  }));
  return (given) => {
    const isUri = /^[\w+.-]{2,}:/.test(given);
    const place = isUri ? given : path.normalize(given);
    for (const { root, uri, name } of known) {
      const within = isUri ? restOfUri(uri, place) : isPathWithin(root, place) && path.relative(root, place);
      if (typeof within === 'string') return `${name}${within || '.'}`;
    }
    return outside;
  };
}

/** What is said of every place outside of the roots. */
export const outside = '(outside)';

/** What follows a folder in a URI, as it is encoded; nothing where it could lead out again. */
function restOfUri(folder: string, uri: string): string | undefined {
  if (uri === folder) return '';
  const isBelow = uri.startsWith(`${folder}/`) && !/(^|\/|%2f)(\.|%2e){2}(\/|%2f|$)/i.test(uri);
  return isBelow ? uri.slice(folder.length + 1).replace(/[?#].*$/s, '') : undefined;
}
