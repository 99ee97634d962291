import { type Dirent, readdirSync, type Stats, statfsSync } from 'node:fs';
import path from 'node:path';
import { attempt } from '../gate/attempt.ts';
import { isUnsettled, signatureOf, statsOf } from '../gate/signature.ts';
import { gitName, readRepositoryRules, ruleFile, signatureOfRules } from './repository-rules.ts';
import type { ScanContext } from './scan-context.ts';
import { defaultListing, type FolderListing } from './scan-queue.ts';
import { type Folder, insideOf, pathIn } from './snapshot.ts';
import { dropContents, entryNames, type UpdateReason, updateSnapshot } from './update-snapshot.ts';
import { ownName } from './watcher.ts';

/** Works off the queue in small steps, so that the caller can pause or give up between any two. */
export function* scan(context: ScanContext): Generator<void> {
  const { touched, listings, checks } = context.queue;
  for (;;) {
    const [touch] = touched;
    const [listing] = listings;
    const [check] = checks;
    if (touch) {
      touched.delete(touch[0]);
      yield* updateNames(context, ...touch);
    } else if (listing) {
      listings.delete(listing[0]);
      yield* listFolder(context, ...listing);
    } else if (check) {
      checks.delete(check);
      yield* compareFolder(context, check);
    } else return;
  }
}

/** Queues folders that have become other worktrees, or are none any more. */
export function checkNested({ nested, snapshot, queue }: ScanContext): void {
  for (const changed of nested.update()) {
    const folder = snapshot.folder(changed);
    if (folder) queue.list(folder, { deep: true });
  }
}

/** Queues a root for listing if it is not the folder that it was: the folder above it is not watched. */
export function checkRoot(context: ScanContext, root: Folder): void {
  if (context.queue.listings.has(root)) return;
  const stats = statsOf(root.path);
  if (!stats?.isDirectory()) dropContents(context, root, 'reported');
  else if (!isSameFolder(root, stats) || !context.watcher.handles(root))
    context.queue.list(root, { deep: true, rewatch: true });
}

function* updateNames(context: ScanContext, folder: Folder, names: Map<string, boolean>): Generator<void> {
  for (const [name, moved] of names) {
    if (!context.snapshot.contains(folder)) return;
    if (moved && name === ownName(folder)) context.queue.list(folder, { rewatch: true });
    if (isWanted(context, folder, name))
      updateSnapshot(context, folder, name, statsOf(pathIn(folder, name)), { ...compared, moved });
    yield;
  }
}

// In an ignored folder, only names that globs match matter.
function isWanted({ also }: ScanContext, folder: Folder, name: string): boolean {
  const inside = insideOf(folder, name);
  return folder.scope !== 'matched' || also.matches(inside) || also.canMatchBelow(inside);
}

function* listFolder(
  context: ScanContext,
  folder: Folder,
  { deep, rewatch, quiet }: FolderListing,
): Generator<void> {
  if (!context.snapshot.contains(folder)) return;
  const stats = statsOf(folder.path);
  if (!stats?.isDirectory()) return dropMissing(context, folder, stats);
  // Watch before reading the names, so that later entries raise events.
  ensureWatch(context, folder, stats, rewatch);
  const entries = readFolder(folder);
  // It may have become another worktree since this pass began.
  if (entries.has(gitName) && folder.parent) checkNested(context);
  // Told as deleted: what servers know of these files no longer counts here.
  if (context.allowed.cutOutAround(folder.path) === folder.path)
    return dropContents(context, folder, 'reported');
  const known = [...entryNames(folder), ...folder.folders.keys()];
  const reason: UpdateReason = { quiet, moved: false, listed: true };
  const rulesChanged = readRules(context, folder, entries);
  for (const [name, entry] of entries) {
    updateSnapshot(context, folder, name, entry, reason);
    yield;
  }
  for (const name of known) if (!entries.has(name)) updateSnapshot(context, folder, name, undefined, reason);
  if (deep || rulesChanged)
    for (const child of folder.folders.values()) context.queue.list(child, { deep: true, rewatch, quiet });
  // Set last, so that an unfinished listing starts again.
  folder.signature = isUnsettled(stats) ? undefined : signatureOf(stats);
}

function* compareFolder(context: ScanContext, folder: Folder): Generator<void> {
  if (!context.snapshot.contains(folder)) return;
  const stats = statsOf(folder.path);
  if (!stats?.isDirectory()) return dropMissing(context, folder, stats);
  // An unchanged folder still has the same names. A changed one may even be another with the same inode.
  if (signatureOf(stats) !== folder.signature)
    return yield* listFolder(context, folder, { ...defaultListing, rewatch: true });
  const names = entryNames(folder);
  if (folder.rulesSignature !== '' && !folder.files.has(ruleFile)) names.push(ruleFile);
  for (const name of names) {
    compareEntry(context, folder, name);
    yield;
  }
}

function compareEntry(context: ScanContext, folder: Folder, name: string): void {
  const file = pathIn(folder, name);
  const stats = statsOf(file);
  const before = folder.files.get(name) ?? folder.extras.get(name);
  const same = stats && signatureOf(stats) === before && !context.snapshot.unsettled.has(file);
  if (!same || name === ruleFile) updateSnapshot(context, folder, name, stats, compared);
}

const compared: UpdateReason = { quiet: 'none', moved: false, listed: false };

function dropMissing(context: ScanContext, folder: Folder, stats: Stats | undefined): void {
  const { parent, path: gone } = folder;
  if (parent) updateSnapshot(context, parent, path.basename(gone), stats, { ...compared, moved: true });
  else dropContents(context, folder, 'reported');
}

function ensureWatch({ watcher }: ScanContext, folder: Folder, stats: Stats, rewatch: boolean): void {
  const same = isSameFolder(folder, stats);
  folder.inode = stats.ino;
  folder.device = stats.dev;
  if (same && !rewatch && watcher.handles(folder)) return;
  const { parent } = folder;
  const silent = parent?.device === stats.dev ? watcher.unwatched.has(parent) : !reportsChanges(folder.path);
  if (silent) watcher.compareInstead(folder);
  else watcher.watch(folder);
}

function isSameFolder(folder: Folder, stats: Stats): boolean {
  return folder.inode === stats.ino && folder.device === stats.dev;
}

// A folder without read permission counts as empty.
function readFolder(folder: Folder): Map<string, Dirent> {
  const entries = attempt(() => readdirSync(folder.path, { withFileTypes: true }));
  return new Map((entries.ok ? entries.value : []).map((entry) => [entry.name, entry]));
}

/** Reads the rules of a folder; returns whether they have changed. */
function readRules(
  { allowed, rules }: ScanContext,
  folder: Folder,
  names: ReadonlyMap<string, Dirent>,
): boolean {
  if (folder.scope !== 'all') return false;
  const before = folder.rulesSignature;
  folder.rulesSignature = signatureOfRules(folder.path, names);
  folder.rules = readRepositoryRules(allowed, folder, names, folder.parent?.rules ?? rules);
  return folder.rulesSignature !== before;
}

/** True if the kernel sees every change below a folder; shared and user-space file systems also change elsewhere. */
function reportsChanges(folder: string): boolean {
  const facts = attempt(() => statfsSync(folder));
  return facts.ok && !shared.has(facts.value.type);
}

/** The `f_type` of file systems that other machines, a host or another program can change unseen: statfs(2). */
const shared: ReadonlySet<number> = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xff534d42, // CIFS
  0xfe534d42, // SMB2
  0x65735546, // FUSE, also virtiofs
  0x01021997, // 9p
  0x00c36400, // Ceph
  0x5346414f, // AFS
  0x786f4256, // VirtualBox shared folders
  0xbacbacbc, // VMware shared folders
  0x0bd00bd0, // Lustre
]);
