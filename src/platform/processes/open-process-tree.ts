import { processGroups } from './process-groups.ts';
import type { ProcessTree, TreeKind } from './process-tree.ts';
import { windowsTree } from './windows-tree.ts';

/** Returns the process tree of this platform, or of the given kind. */
export function processTree(
  kind: TreeKind = process.platform === 'win32' ? 'taskkill' : 'group',
): ProcessTree {
  return trees[kind]();
}

const trees = { group: processGroups, taskkill: windowsTree } as const;
