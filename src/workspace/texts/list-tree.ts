import { readdirSync } from 'node:fs';
import path from 'node:path';
import { limits } from '../../core/limits.ts';
import { attempt } from '../gate/attempt.ts';

/** The files below a root. */
interface ListedTree {
  /** Files and links, relative to the root with `/`. */
  readonly files: readonly string[];
  /** False if the limit of a scan was reached. */
  readonly whole: boolean;
}

/**
 * Lists a tree as it is on the disk, whatever its own ignore rules say: they must not hide anything here. Does not
 * follow links. Enters folders of version control and package managers only if `looksInto` says so.
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
      else if (!isGenerated(below) || looksInto(below)) folders.push(below);
    }
  }
  return { files, whole: true };
}

const generated: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', '.jj', '.sl', 'node_modules']);

function isGenerated(inside: string): boolean {
  return inside.split('/').some((name) => generated.has(name));
}

// A folder without read permission contains nothing that could be run either.
function entriesOf(folder: string) {
  const entries = attempt(() => readdirSync(folder, { withFileTypes: true }));
  return entries.ok ? entries.value : [];
}
