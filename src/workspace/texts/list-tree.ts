import { readdirSync } from 'node:fs';
import path from 'node:path';
import { limits } from '../../core/limits.ts';
import { attempt } from '../gate/attempt.ts';

/** What lies below a root. */
export interface ListedTree {
  /** Files and links, relative to the root with `/`. */
  readonly files: readonly string[];
  /** Whether these are all; no more are listed than a scan may see. */
  readonly whole: boolean;
}

/**
 * Lists a tree as it is on the disk, whatever its own ignore rules say: they must not hide anything here.
 * Links are not followed. Into what version control and package managers fill, it looks only where told.
 */
export function listTree(root: string, looksInto: (inside: string) => boolean = () => false): ListedTree {
  const files: string[] = [];
  const folders = [''];
  let seen = 0;
  for (let inside = folders.pop(); inside !== undefined; inside = folders.pop()) {
    for (const entry of entriesOf(path.join(root, inside))) {
      seen += 1;
      if (seen > limits.scan.files) return { files, whole: false };
      const below = inside === '' ? entry.name : `${inside}/${entry.name}`;
      if (!entry.isDirectory()) files.push(below);
      else if (!isFilled(below) || looksInto(below)) folders.push(below);
    }
  }
  return { files, whole: true };
}

const filled: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', '.jj', '.sl', 'node_modules']);

function isFilled(inside: string): boolean {
  return inside.split('/').some((name) => filled.has(name));
}

// A folder that may not be read holds nothing that could be run either.
function entriesOf(folder: string) {
  const entries = attempt(() => readdirSync(folder, { withFileTypes: true }));
  return entries.ok ? entries.value : [];
}
