import { Stats } from 'node:fs';
import path from 'node:path';
import { limits } from '../../core/limits.ts';
import { isStagingName } from '../../core/staging-names.ts';
import { mebibytes } from '../../core/wording/mebibytes.ts';
import { isUnsettled, linkedStats, signatureOf, statsOf } from '../gate/signature.ts';
import { excludePath, ruleFile, signatureOfRules } from './repository-rules.ts';
import type { ScanContext } from './scan-context.ts';
import type { FolderListing } from './scan-queue.ts';
import { createFolder, type Folder, type FolderScope, insideOf, pathIn, type Snapshot } from './snapshot.ts';

/** The type of an entry: its directory entry, or its stats if they are known. */
type EntryType = Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink'>;

/** Why an entry is updated. */
export interface UpdateReason {
  readonly quiet: FolderListing['quiet'];
  /** The entry came, went or was replaced, rather than merely being compared. */
  readonly moved: boolean;
  /** Its folder is being listed, with its rules. */
  readonly listed: boolean;
}

/** How a name counts: as an entry of one of the two lists, as a folder, or not at all. */
type Role = 'files' | 'extras' | { readonly scope: FolderScope } | undefined;

/** Updates the snapshot for one name from the disk, and records what changed. */
export function updateSnapshot(
  context: ScanContext,
  folder: Folder,
  name: string,
  entry: EntryType | undefined,
  reason: UpdateReason,
): void {
  checkRules(context, folder, name, reason);
  const role = entry && roleOf(context, folder, name, entry);
  const known = folder.folders.get(name);
  if (known && !(typeof role === 'object' && role.scope === known.scope))
    dropFolder(context, known, entry?.isDirectory() ? 'silently' : 'reported');
  if (entry && typeof role === 'string') {
    recordEntry(context, { folder, name, list: role }, entry, reason);
    return;
  }
  if (isSpecial(entry) && folder.scope === 'all' && !folder.rules.ignores(insideOf(folder, name), false))
    context.snapshot.unfit.set(pathIn(folder, name), 'a pipe or a device');
  else context.snapshot.unfit.delete(pathIn(folder, name));
  const stillThere = entry?.isFile() || entry?.isSymbolicLink();
  if (context.snapshot.removeEntry(folder, name) && !stillThere)
    context.changes.add(pathIn(folder, name), 'deleted');
  if (typeof role === 'object') enterFolder(context, folder, name, role.scope, reason);
}

function isSpecial(entry: EntryType | undefined): boolean {
  return entry !== undefined && !entry.isFile() && !entry.isSymbolicLink() && !entry.isDirectory();
}

function roleOf(context: ScanContext, folder: Folder, name: string, entry: EntryType): Role {
  // Not reported even if a glob matches it: it would be gone before a server reads it.
  if (isStagingName(name)) return undefined;
  if (entry.isDirectory()) return roleOfFolder(context, folder, name);
  if (!entry.isFile() && !entry.isSymbolicLink()) return undefined;
  if (folder.scope === 'listed') return 'extras';
  const inside = insideOf(folder, name);
  if (folder.scope === 'matched' || folder.rules.ignores(inside, false))
    return context.also.matches(inside) ? 'extras' : undefined;
  return entry.isFile() ? 'files' : 'extras';
}

/** Removes the contents of a folder; silently if it still exists and is merely ignored now. */
export function dropContents(context: ScanContext, folder: Folder, how: 'silently' | 'reported'): void {
  for (const child of [...folder.folders.values()]) dropFolder(context, child, how);
  for (const name of entryNames(folder)) {
    context.snapshot.removeEntry(folder, name);
    if (how === 'reported') context.changes.add(pathIn(folder, name), 'deleted');
  }
  // Pipes and devices are no entries.
  for (const file of context.snapshot.unfit.keys())
    if (path.dirname(file) === folder.path) context.snapshot.unfit.delete(file);
  context.watcher.unwatch(folder);
  folder.signature = undefined;
}

/** Returns a copy of the names of a folder's entries. */
export function entryNames(folder: Folder): string[] {
  return [...folder.files.keys(), ...folder.extras.keys()];
}

function dropFolder(context: ScanContext, folder: Folder, how: 'silently' | 'reported'): void {
  dropContents(context, folder, how);
  context.snapshot.removeFolder(folder);
  folder.parent?.folders.delete(path.basename(folder.path));
}

function roleOfFolder({ also, skippedFolders }: ScanContext, folder: Folder, name: string): Role {
  const inside = insideOf(folder, name);
  if (skippedFolders.has(pathIn(folder, name)) || inside.split('/').length > limits.scan.depth)
    return undefined;
  if (folder.scope === 'all' && !folder.rules.ignores(inside, true)) return { scope: 'all' };
  if (also.matches(inside)) return { scope: 'listed' };
  if (also.canMatchBelow(inside)) return { scope: 'matched' };
  return folder.scope === 'listed' ? 'extras' : undefined;
}

function recordEntry(
  { snapshot, changes }: ScanContext,
  {
    folder,
    name,
    list,
  }: { readonly folder: Folder; readonly name: string; readonly list: 'files' | 'extras' },
  entry: EntryType,
  { quiet }: UpdateReason,
): void {
  const file = pathIn(folder, name);
  const before = folder.files.get(name) ?? folder.extras.get(name);
  if (before === undefined && !snapshot.hasRoom()) return;
  const stats = entry instanceof Stats ? entry : statsOf(file);
  if (!stats) return;
  noteUnfit(snapshot, file, stats);
  const signature = signatureOf(stats);
  const wasUnsettled = snapshot.unsettled.delete(file);
  snapshot.setEntry(folder, name, list, signature);
  if (isUnsettled(stats)) snapshot.unsettled.add(file);
  const isNews = quiet === 'none' || (quiet === 'extras' && list === 'files');
  if (before === undefined && isNews) changes.add(file, 'created');
  if (before !== undefined && (before !== signature || wasUnsettled)) changes.add(file, 'changed');
}

/** A server that reads such a file runs out of memory, or waits for ever. A link counts as what it leads to. */
function noteUnfit({ unfit }: Snapshot, file: string, stats: Stats): void {
  const target = stats.isSymbolicLink() ? linkedStats(file) : stats;
  const what = target && whyUnfit(target);
  if (what === undefined) unfit.delete(file);
  else unfit.set(file, what);
}

function whyUnfit(stats: Stats): string | undefined {
  if (stats.isCharacterDevice() || stats.isBlockDevice()) return 'a device';
  if (stats.isFIFO() || stats.isSocket()) return 'a pipe';
  return stats.isFile() && stats.size > limits.indexedFile ? mebibytes(stats.size) : undefined;
}

function enterFolder(
  context: ScanContext,
  folder: Folder,
  name: string,
  scope: FolderScope,
  { quiet, moved }: UpdateReason,
): void {
  const known = folder.folders.get(name);
  if (known && moved) context.queue.list(known, { deep: true, rewatch: true });
  if (known) return;
  if (!context.snapshot.hasRoom()) return;
  const place = { path: pathIn(folder, name), inside: insideOf(folder, name), parent: folder, scope };
  const child = createFolder({ ...place, rules: folder.rules });
  context.snapshot.addFolder(child);
  folder.folders.set(name, child);
  context.queue.list(child, { quiet });
}

/** Queues a folder for listing if its rules are not those that were read. */
function checkRules(
  { queue, snapshot }: ScanContext,
  folder: Folder,
  name: string,
  { listed }: UpdateReason,
): void {
  const owner = folderRuledBy(folder, name);
  if (!owner) return;
  const wasUnsettled = !listed && snapshot.unsettled.has(pathIn(folder, name));
  if (wasUnsettled || signatureOfRules(owner.path) !== owner.rulesSignature)
    queue.list(owner, { deep: true });
}

/** Returns the folder whose rules a file contains. */
function folderRuledBy(folder: Folder, name: string): Folder | undefined {
  if (name === ruleFile && folder.scope === 'all') return folder;
  const owner = name === path.basename(excludePath) ? folder.parent?.parent : undefined;
  return owner && insideOf(owner, excludePath) === insideOf(folder, name) ? owner : undefined;
}
