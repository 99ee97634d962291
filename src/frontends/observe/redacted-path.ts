import path from 'node:path';
import { isPathWithin } from '../../platform/files/path-within.ts';
import { uriOfPath } from '../../platform/files/uri-of-path.ts';

/** Shows paths in logs and traces that may leave the machine: relative to their root, or `(outside)`. */
export function redactedPath(roots: readonly string[]): (given: string) => string {
  const known = roots.map((root) => ({
    root,
    uri: uriOfPath(root),
    name: roots.length > 1 ? `${path.basename(root)}/` : '',
  }));
  return (given) => {
    const isUri = /^[\w+.-]{2,}:/.test(given);
    const normal = isUri ? given : path.normalize(given);
    for (const { root, uri, name } of known) {
      const within = isUri
        ? restOfUri(uri, normal)
        : isPathWithin(root, normal) && path.relative(root, normal);
      if (typeof within === 'string') return `${name}${within || '.'}`;
    }
    return outside;
  };
}

/** Shown for every path outside the roots. */
const outside = '(outside)';

/** Returns the encoded rest of a URI after a folder; `undefined` if it could lead out of the folder. */
function restOfUri(folder: string, uri: string): string | undefined {
  if (uri === folder) return '';
  const isBelow = uri.startsWith(`${folder}/`) && !/(^|\/|%2f)(\.|%2e){2}(\/|%2f|$)/i.test(uri);
  return isBelow ? uri.slice(folder.length + 1).replace(/[?#].*$/s, '') : undefined;
}
