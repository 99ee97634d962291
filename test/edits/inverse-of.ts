import type { Operation } from '../../src/edits/plan.ts';

/** The operations that take others back, in the order in which they have to be done. */
export function inverseOf(operations: readonly Operation[]): Operation[] {
  return operations.map(taken).reverse();
}

function taken(operation: Operation): Operation {
  const { kind } = operation;
  if (kind === 'move') return movedBack(operation);
  if (kind === 'make_folder') return { ...operation, kind: 'remove_folder' };
  if (kind === 'remove_folder') return { ...operation, kind: 'make_folder' };
  if (kind === 'remove')
    return { kind: 'put', path: operation.path, before: undefined, after: operation.before };
  const { path, before, after } = operation;
  return before
    ? { kind: 'put', path, before: after, after: before }
    : { kind: 'remove', path, before: after };
}

/** What was written or made again meanwhile is another file to the disk. */
function movedBack({ kind, from, to, identity }: Operation & { kind: 'move' }): Operation {
  return { kind, from: to, to: from, identity: { ...identity, inode: anyInode } };
}

/** Stands for whatever is there. */
export const anyInode = -1;
