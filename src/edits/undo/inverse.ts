import { afterMoves, replacementOf } from '../apply/paths-after-moves.ts';
import type { StepAction } from '../apply/step.ts';
import type { PinnedTree } from '../disk/pinned-tree.ts';
import type { Identity } from '../plan.ts';

/** Returns the actions that undo others. Contents come last, so that moved files are identified as they are now. */
export function inverse(actions: readonly StepAction[], tree: PinnedTree): readonly StepAction[] {
  const structure: StepAction[] = [];
  const contents: { readonly action: StepAction & { kind: 'put' }; readonly at: number }[] = [];
  for (const [index, action] of [...actions.entries()].reverse()) {
    if (action.kind === 'put' && action.before) {
      const { path, before, after } = action;
      contents.push({ action: { kind: 'put', path, before: after, after: before }, at: structure.length });
    } else structure.push(inverseOf(action, actions.slice(index + 1), tree));
  }
  const replaced = contents.map(({ action, at }) => ({
    ...action,
    path: afterMoves(action.path, structure.slice(at)),
  }));
  return [...structure, ...replaced];
}

function inverseOf(action: StepAction, later: readonly StepAction[], tree: PinnedTree): StepAction {
  switch (action.kind) {
    case 'put':
      return { kind: 'remove', path: action.path, before: action.after };
    case 'remove':
      return { kind: 'put', path: action.path, after: action.before };
    case 'make_folder':
      return { ...action, kind: 'remove_folder' };
    case 'remove_folder':
      return { ...action, kind: 'make_folder' };
    case 'move':
      return { kind: 'move', from: action.to, to: action.from, identity: identityNow(action, later, tree) };
  }
}

/** The content may have been replaced after the move, and then another file has that name. */
function identityNow(
  action: StepAction & { kind: 'move' },
  later: readonly StepAction[],
  tree: PinnedTree,
): Identity {
  const place = afterMoves(action.to, later);
  const facts = tree.facts(place);
  if (!facts || !replacementOf(action.to, later)) return action.identity;
  const { device, inode } = facts;
  return { kind: action.identity.kind, device, inode };
}
