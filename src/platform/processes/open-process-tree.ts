import { processGroups } from './process-groups.ts';
import type { ProcessTree, TreeKind } from './process-tree.ts';
import { taskKill } from './task-kill.ts';

/** The way of this platform, or the one that is named. */
export function processTree(
  kind: TreeKind = process.platform === 'win32' ? 'taskkill' : 'group',
): ProcessTree {
  return trees[kind]();
}

const trees = { group: processGroups, taskkill: taskKill } as const;
