import { createTwoFilesPatch } from 'diff';
import { limits } from '../core/limits.ts';
import type { Journals } from './apply/journal-store.ts';
import { afterMoves, beforeMoves, replacementOf } from './apply/paths-after-moves.ts';
import { actionsOf } from './apply/plan-steps.ts';
import { meets, requirementsOf } from './apply/requirements.ts';
import type { Footprint, StepAction } from './apply/step.ts';
import { finalContents } from './apply/verify.ts';
import type { PinnedTree } from './disk/pinned-tree.ts';
import { changedMeanwhile } from './edit-errors.ts';
import type { WorkspaceView } from './edits.ts';
import type { PastEdit } from './history.ts';
import type { Content, Edit, Identity, Operation, Plan, PlannedFile } from './plan.ts';
import { newPlanId } from './plan-store.ts';
import { fileTextOf } from './text/file-text.ts';

/** Everything that an undo is planned on. */
interface UndoContext {
  readonly view: WorkspaceView;
  readonly journals: Journals;
  readonly tree: PinnedTree;
}

/** Returns the plan that undoes an edit, byte for byte. Throws if its result has changed since. */
export function planUndo(past: PastEdit, context: UndoContext): Plan {
  const { journal } = past;
  const actions = inverse(actionsOf(journal.steps), context.tree);
  const unmet = [...unmetBy(actions, context.tree), ...filledFolders(actions, context.tree)];
  if (unmet.length > 0) throw changedMeanwhile(unmet, whatChanged(unmet, past, context));
  const bytesOf = bytesFinder(past, context);
  return {
    id: newPlanId(),
    title: `undo of ${journal.title}`,
    roots: journal.roots,
    files: journal.files.map((file) => inverseFile(file, bytesOf)).sort((a, b) => (a.path < b.path ? -1 : 1)),
    operations: actions.map((action, index) => operationOf(action, actions.slice(0, index), bytesOf)),
    protectedPaths: [],
    confirm: [],
    undoes: journal.id,
  };
}

function unmetBy(actions: readonly StepAction[], tree: PinnedTree): readonly string[] {
  return requirementsOf(actions).flatMap((one) => (meets(one, tree) === undefined ? [one.path] : []));
}

/** Returns the entries that another program has put into folders that would be removed. */
function filledFolders(actions: readonly StepAction[], tree: PinnedTree): readonly string[] {
  // All by their paths before the first action, since a folder above may be moved.
  const starts = actions.map((one, at) =>
    beforeMoves('from' in one ? one.from : one.path, actions.slice(0, at)),
  );
  return actions.flatMap((action, index) => {
    const folder = starts[index];
    if (action.kind !== 'remove_folder' || folder === undefined) return [];
    if (tree.facts(folder)?.kind !== 'folder') return [];
    const gone = new Set(starts.slice(0, index));
    return tree.list(folder).flatMap((name) => (gone.has(`${folder}/${name}`) ? [] : [`${folder}/${name}`]));
  });
}

/** Returns the bytes with a hash, as recorded in the journal or as still on the disk. */
type BytesFinder = (hash: string, place?: string) => Buffer | undefined;

function bytesFinder({ filed, journal }: PastEdit, { journals, tree }: UndoContext): BytesFinder {
  return (hash, place) =>
    journals.image(filed, journal, hash) ??
    (place === undefined ? undefined : tree.read(place, limits.edit.document));
}

function operationOf(action: StepAction, earlier: readonly StepAction[], bytesOf: BytesFinder): Operation {
  const content = (footprint: Footprint, place?: string): Content => {
    if (footprint.kind === 'link') return footprint;
    const { hash, mode } = footprint;
    return { kind: 'file', hash, mode, bytes: bytesOf(hash, place) ?? Buffer.alloc(0) };
  };
  if (action.kind !== 'put' && action.kind !== 'remove') return action;
  const before = action.before && content(action.before, beforeMoves(action.path, earlier));
  if (action.kind === 'put') return { ...action, before, after: content(action.after) };
  return { ...action, before: content(action.before, beforeMoves(action.path, earlier)) };
}

const inverseChanges = { edit: 'edit', create: 'delete', delete: 'create', rename: 'rename' } as const;

function inverseFile(file: Edit['files'][number], bytesOf: BytesFinder): PlannedFile {
  const { path, newPath, change, edits, hashBefore, hashAfter } = file;
  const textOf = (hash: string | undefined, place?: string) => {
    const bytes = hash === undefined ? undefined : bytesOf(hash, place);
    const read = bytes && fileTextOf(bytes);
    return typeof read === 'object' ? read.text : undefined;
  };
  const before = textOf(hashAfter, newPath ?? path);
  const after = textOf(hashBefore);
  return {
    path: newPath ?? path,
    change: inverseChanges[change],
    ...(newPath !== undefined && { newPath: path }),
    edits,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    ...(hashAfter !== undefined && { hashBefore: hashAfter }),
    ...(hashBefore !== undefined && { hashAfter: hashBefore }),
  };
}

/** Returns how files differ from the result of an edit, as far as that can be shown. */
function whatChanged(
  paths: readonly string[],
  { filed, journal }: PastEdit,
  { view, journals, tree }: UndoContext,
): readonly { readonly file_path: string; readonly diff?: string }[] {
  const contents = finalContents(actionsOf(journal.steps));
  return paths.slice(0, limits.undo.diffs).map((path) => {
    const file_path = view.show(path);
    const footprint = contents.get(path);
    const recorded = footprint?.kind === 'file' ? journals.image(filed, journal, footprint.hash) : undefined;
    const isFile = tree.facts(path)?.kind === 'file';
    const now = isFile ? tree.read(path, limits.edit.document) : Buffer.alloc(0);
    const [before, after] = [recorded && fileTextOf(recorded), fileTextOf(now)];
    if (typeof before !== 'object' || typeof after !== 'object') return { file_path };
    const options = { context: 1, maxEditLength: limits.edit.differences };
    const diff = createTwoFilesPatch(file_path, file_path, before.text, after.text, 'edit', 'now', options);
    return diff === undefined ? { file_path } : { file_path, diff: diff.slice(0, limits.undo.diff) };
  });
}

/** Returns the actions that undo others. Contents come last, so that moved files are identified as they are now. */
function inverse(actions: readonly StepAction[], tree: PinnedTree): readonly StepAction[] {
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
