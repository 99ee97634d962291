import { dirname, sep } from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { quotePath } from '../../core/quote-path.ts';
import { entryAt } from '../gate/entry-at.ts';
import { followLinks } from '../gate/follow-links.ts';
import { outsideWorkspace } from '../gate/given-path.ts';
import { statsOf } from '../gate/signature.ts';
import type { Territory } from '../gate/territory.ts';

/** The real path of the file, there or not yet, whose text somebody has: links are followed, also one at the end. */
export function heldPlace(territory: Territory, given: string): string {
  const { path, kind } = entryAt(territory, given);
  if (kind === 'missing') {
    // Servers take a backslash for a separator: they would have the text for that of another file.
    if (sep === '/' && path.includes('\\')) throw noPlace(`${quotePath(given)} holds a backslash.`);
    expectFolderAbove(territory, path, given);
    return path;
  }
  const located = territory.locate(path);
  const followed = located ? followLinks(territory, located) : undefined;
  const leads = followed?.kind === 'found' || followed?.kind === 'missing';
  if (!leads || territory.rootOf(followed.path) === undefined) throw outsideWorkspace(given);
  if (followed.kind === 'missing' || followed.stats.isFile()) return followed.path;
  throw noPlace(`${quotePath(given)} is not a regular file.`);
}

/** What is not there yet could come only where no file stands in its way. */
function expectFolderAbove(territory: Territory, path: string, given: string): void {
  for (let folder = dirname(path); territory.rootOf(folder) !== undefined; folder = dirname(folder)) {
    const stats = statsOf(folder);
    if (stats?.isDirectory()) return;
    if (stats) throw noPlace(`${quotePath(given)} would lie in a file, not in a folder.`);
  }
}

/** Why no file can be at a path. */
export function noPlace(message: string): LspanError {
  return new LspanError('invalid_input', message, {
    nextStep: 'Pass the path of a text file, which need not exist yet.',
  });
}
