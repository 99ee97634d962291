import path from 'node:path';
import { creationMask } from '../../platform/files/umask.ts';
import type { Content, Operation, PlannedFile } from '../plan.ts';
import type { Draft } from './draft.ts';
import type { FileContent, VirtualFile, VirtualNode } from './virtual-tree.ts';

/** The result of a draft: the files that differ in the end, and all operations. */
interface FinishedDraft {
  readonly files: readonly PlannedFile[];
  readonly operations: readonly Operation[];
}

/** Works out what differs in the end. Steps that cancel each other leave no operations. */
export function finishDraft(draft: Draft): FinishedDraft {
  const places = [...draft.tree.entries()].sort(([a], [b]) => order(a, b));
  const finished = places.flatMap(([place, node]) => finishNode(place, node, draft));
  const removed = [...draft.removed].map(([node, origin]) => removedFile(node, origin, draft));
  const files = [...finished.flatMap(({ file }) => file ?? []), ...removed].sort((a, b) =>
    order(a.path, b.path),
  );
  const puts = finished.flatMap(({ put }) => put ?? []);
  return files.length > 0 ? { files, operations: [...draft.operations, ...puts] } : { files, operations: [] };
}

interface FinishedNode {
  readonly file?: PlannedFile;
  readonly put?: Operation;
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function finishNode(place: string, node: VirtualNode, draft: Draft): FinishedNode[] {
  if (node.kind === 'file') return finishFile(place, node, draft);
  const isMoved = 'origin' in node && node.origin !== undefined && node.origin !== place;
  if (!isMoved || node.kind === 'other' || movesWithFolder(place, node.origin, draft)) return [];
  const file = { path: node.origin, change: 'rename', newPath: place, edits: 0 } as const;
  const isWritten = node.kind === 'link' && !node.onDisk;
  return isWritten ? [{ file, put: putOf(place, undefined, draft.contents.link(node)) }] : [{ file }];
}

/** True if an entry has moved only because a folder above it has. */
function movesWithFolder(place: string, origin: string, draft: Draft): boolean {
  const parent = path.dirname(place);
  if (parent === place || path.basename(place) !== path.basename(origin)) return false;
  const folder = draft.tree.look(parent);
  return folder.kind === 'folder' && folder.origin === path.dirname(origin);
}

function finishFile(place: string, file: VirtualFile, draft: Draft): FinishedNode[] {
  const { origin, onDisk } = file;
  const before = file.now ? draft.contents.before(file) : file.before;
  const after = afterOf(file, before, draft);
  const isChanged = after !== before;
  const isWritten = isChanged || !onDisk;
  const put = isWritten && after && putOf(place, onDisk ? before : undefined, after);
  const stays = origin === place || (onDisk && origin !== undefined && movesWithFolder(place, origin, draft));
  const planned = isChanged || !stays ? plannedFile(place, file, { before, after }, draft) : undefined;
  return [{ ...(planned && { file: planned }), ...(put && { put }) }];
}

type MaybeContent = FileContent | undefined;

interface Contents {
  readonly before: MaybeContent;
  readonly after: MaybeContent;
}

function plannedFile(place: string, file: VirtualFile, contents: Contents, draft: Draft): PlannedFile {
  const { before, after } = contents;
  const { origin, onDisk, entry } = file;
  const isChanged = after !== before;
  const linkBroken = onDisk && isChanged && entry !== undefined && entry.names > 1;
  const shown = {
    edits: isChanged && origin !== undefined ? file.edits : 0,
    ...textsOf(before, after, draft),
    ...(linkBroken && { linkBroken }),
  };
  if (origin === undefined) return { path: place, change: 'create', ...shown };
  if (origin === place) return { path: place, change: 'edit', ...shown };
  return { path: origin, change: 'rename', newPath: place, ...shown };
}

function putOf(path: string, before: Content | undefined, after: Content): Operation {
  return { kind: 'put', path, before, after };
}

/** The bits by which a program runs with the rights of its owner or group; writing to a file drops them too. */
const setIdBits = 0o6000;

/** Returns the final content of a file: the same object as `before` if it does not change. */
function afterOf(file: VirtualFile, before: FileContent | undefined, draft: Draft): FileContent | undefined {
  const { now, entry } = file;
  if (!now) return before;
  const old = before && draft.contents.reading(before);
  const isSame = typeof old === 'object' && old.text === now.text && old.hasBom === now.hasBom;
  // Whoever wrote the old text granted these rights to it, and not to the new one.
  const kept = entry && entry.mode & ~setIdBits;
  return isSame ? before : draft.contents.after(now, kept ?? 0o666 & ~creationMask());
}

function removedFile(node: VirtualNode, origin: string, draft: Draft): PlannedFile {
  const before = node.kind === 'file' ? draft.contents.before(node) : undefined;
  return { path: origin, change: 'delete', edits: 0, ...textsOf(before, undefined, draft) };
}

function textsOf(before: MaybeContent, after: MaybeContent, { contents }: Draft) {
  const [old, now] = [before && contents.reading(before), after && contents.reading(after)];
  return {
    ...(typeof old === 'object' && { before: old.text }),
    ...(typeof now === 'object' && { after: now.text }),
    ...(before && { hashBefore: before.hash }),
    ...(after && { hashAfter: after.hash }),
  };
}
