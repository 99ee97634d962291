import { Stats } from 'node:fs';
import path from 'node:path';
import { limits } from '../../core/limits.ts';
import { isStagingName } from '../../core/staging-names.ts';
import { isUnsettled, signatureOf, statsOf } from '../gate/signature.ts';
import { excluding, ruleFile, signatureOfRules } from './repository-rules.ts';
import type { ScanContext } from './scan-context.ts';
import type { FolderListing } from './scan-queue.ts';
import { createFolder, type Folder, type FolderScope, insideOf, pathIn } from './snapshot.ts';

/** What a name in a folder is: a directory entry, or the stats where they are known. */
export type EntryType = Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink'>;

/** Why a name is looked at. */
export interface UpdateReason {
  readonly quiet: FolderListing['quiet'];
  /** It was heard of, and not merely compared: an entry came, went, or was replaced. */
  readonly moved: boolean;
  /** Its folder is just being listed, with its rules. */
  readonly listed: boolean;
}

/** What a name counts as: an entry of one of the two lists, a folder, or nothing. */
type Role = 'files' | 'extras' | { readonly scope: FolderScope } | undefined;

/** Brings the snapshot in line with what the disk says about one name, and notes what changed. */
export function updateSnapshot(
  context: ScanContext,
  folder: Folder,
  name: string,
  nature: EntryType | undefined,
  occasion: UpdateReason,
): void {
  applyRules(context, folder, name, occasion);
  const role = nature && roleOf(context, folder, name, nature);
  const known = folder.folders.get(name);
  if (known && !(typeof role === 'object' && role.scope === known.scope))
    dropFolder(context, known, nature?.isDirectory() ? 'silently' : 'told');
  if (nature && typeof role === 'string') {
    recordEntry(context, { folder, name, list: role }, nature, occasion);
    return;
  }
  const stillThere = nature?.isFile() || nature?.isSymbolicLink();
  if (context.snapshot.removeEntry(folder, name) && !stillThere)
    context.changes.add(pathIn(folder, name), 'deleted');
  if (typeof role === 'object') enterFolder(context, folder, name, role.scope, occasion);
}

function roleOf(context: ScanContext, folder: Folder, name: string, nature: EntryType): Role {
  // Even who asked to be told of everything: a server would read what is gone by then.
  if (isStagingName(name)) return undefined;
  if (nature.isDirectory()) return roleOfFolder(context, folder, name);
  if (!nature.isFile() && !nature.isSymbolicLink()) return undefined;
  if (folder.scope === 'listed') return 'extras';
  const inside = insideOf(folder, name);
  if (folder.scope === 'asked' || folder.rules.ignores(inside, false))
    return context.also.matches(inside) ? 'extras' : undefined;
  return nature.isFile() ? 'files' : 'extras';
}

/** Forgets what a folder held. Silently when it is still there and merely ignored now. */
export function dropContents(context: ScanContext, folder: Folder, how: 'silently' | 'told'): void {
  for (const child of [...folder.folders.values()]) dropFolder(context, child, how);
  for (const name of entryNames(folder)) {
    context.snapshot.removeEntry(folder, name);
    if (how === 'told') context.changes.add(pathIn(folder, name), 'deleted');
  }
  context.watcher.unwatch(folder);
  folder.signature = undefined;
}

/** The names of a folder's entries, as a list of its own. */
export function entryNames(folder: Folder): string[] {
  return [...folder.files.keys(), ...folder.extras.keys()];
}

function dropFolder(context: ScanContext, folder: Folder, how: 'silently' | 'told'): void {
  dropContents(context, folder, how);
  context.snapshot.removeFolder(folder);
  folder.parent?.folders.delete(path.basename(folder.path));
}

function roleOfFolder({ also, apart }: ScanContext, folder: Folder, name: string): Role {
  const inside = insideOf(folder, name);
  if (apart.has(pathIn(folder, name)) || inside.split('/').length > limits.scan.depth) return undefined;
  if (folder.scope === 'all' && !folder.rules.ignores(inside, true)) return { scope: 'all' };
  if (also.matches(inside)) return { scope: 'listed' };
  if (also.leadsInto(inside)) return { scope: 'asked' };
  return folder.scope === 'listed' ? 'extras' : undefined;
}

function recordEntry(
  { snapshot, changes }: ScanContext,
  {
    folder,
    name,
    list,
  }: { readonly folder: Folder; readonly name: string; readonly list: 'files' | 'extras' },
  nature: EntryType,
  { quiet }: UpdateReason,
): void {
  const file = pathIn(folder, name);
  const before = folder.files.get(name) ?? folder.extras.get(name);
  if (before === undefined && !snapshot.hasRoom()) return;
  const stats = nature instanceof Stats ? nature : statsOf(file);
  if (!stats) return;
  const signature = signatureOf(stats);
  const doubtful = snapshot.unsettled.delete(file);
  snapshot.setEntry(folder, name, list, signature);
  if (isUnsettled(stats)) snapshot.unsettled.add(file);
  const isNews = quiet === 'none' || (quiet === 'extras' && list === 'files');
  if (before === undefined && isNews) changes.add(file, 'created');
  if (before !== undefined && (before !== signature || doubtful)) changes.add(file, 'changed');
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

/** Has a folder judged anew when its rules are not those that were read. */
function applyRules(
  { queue, snapshot }: ScanContext,
  folder: Folder,
  name: string,
  { listed }: UpdateReason,
): void {
  const owner = ruledBy(folder, name);
  if (!owner) return;
  const doubtful = !listed && snapshot.unsettled.has(pathIn(folder, name));
  if (doubtful || signatureOfRules(owner.path) !== owner.ruled) queue.list(owner, { deep: true });
}

/** The folder for which a file holds the rules. */
function ruledBy(folder: Folder, name: string): Folder | undefined {
  if (name === ruleFile && folder.scope === 'all') return folder;
  const owner = name === path.basename(excluding) ? folder.parent?.parent : undefined;
  return owner && insideOf(owner, excluding) === insideOf(folder, name) ? owner : undefined;
}
