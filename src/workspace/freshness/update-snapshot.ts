import { Stats } from 'node:fs';
import path from 'node:path';
import { limits } from '../../core/limits.ts';
import { isPassingName } from '../../core/staging-names.ts';
import { isUnsettled, signatureOf, statsOf } from '../gate/signature.ts';
import { excluding, ruleFile, signatureOfRules } from './repository-rules.ts';
import type { Survey } from './scan-context.ts';
import type { Listing } from './scan-queue.ts';
import { createFolder, type Folder, insideOf, pathIn, type Scope } from './snapshot.ts';

/** What a name in a folder is: a directory entry, or the stats where they are known. */
export type Nature = Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink'>;

/** Why a name is looked at. */
export interface Occasion {
  readonly quiet: Listing['quiet'];
  /** It was heard of, and not merely compared: an entry came, went, or was replaced. */
  readonly moved: boolean;
  /** Its folder is just being listed, with its rules. */
  readonly listed: boolean;
}

/** What a name counts as: an entry of one of the two lists, a folder, or nothing. */
type Role = 'files' | 'extras' | { readonly scope: Scope } | undefined;

/** Brings the snapshot in line with what the disk says about one name, and notes what changed. */
export function settle(
  survey: Survey,
  folder: Folder,
  name: string,
  nature: Nature | undefined,
  occasion: Occasion,
): void {
  heedRules(survey, folder, name, occasion);
  const role = nature && roleOf(survey, folder, name, nature);
  const known = folder.folders.get(name);
  if (known && !(typeof role === 'object' && role.scope === known.scope))
    dropFolder(survey, known, nature?.isDirectory() ? 'silently' : 'told');
  if (nature && typeof role === 'string') {
    recordEntry(survey, { folder, name, list: role }, nature, occasion);
    return;
  }
  const stillThere = nature?.isFile() || nature?.isSymbolicLink();
  if (survey.snapshot.removeEntry(folder, name) && !stillThere)
    survey.changes.add(pathIn(folder, name), 'deleted');
  if (typeof role === 'object') enterFolder(survey, folder, name, role.scope, occasion);
}

function roleOf(survey: Survey, folder: Folder, name: string, nature: Nature): Role {
  // Even who asked to be told of everything: a server would read what is gone by then.
  if (isPassingName(name)) return undefined;
  if (nature.isDirectory()) return roleOfFolder(survey, folder, name);
  if (!nature.isFile() && !nature.isSymbolicLink()) return undefined;
  if (folder.scope === 'listed') return 'extras';
  const inside = insideOf(folder, name);
  if (folder.scope === 'asked' || folder.rules.ignores(inside, false))
    return survey.also.matches(inside) ? 'extras' : undefined;
  return nature.isFile() ? 'files' : 'extras';
}

/** Forgets what a folder held. Silently when it is still there and merely ignored now. */
export function dropContents(survey: Survey, folder: Folder, how: 'silently' | 'told'): void {
  for (const child of [...folder.folders.values()]) dropFolder(survey, child, how);
  for (const name of entryNames(folder)) {
    survey.snapshot.removeEntry(folder, name);
    if (how === 'told') survey.changes.add(pathIn(folder, name), 'deleted');
  }
  survey.watcher.unwatch(folder);
  folder.signature = undefined;
}

/** The names of a folder's entries, as a list of its own. */
export function entryNames(folder: Folder): string[] {
  return [...folder.files.keys(), ...folder.extras.keys()];
}

function dropFolder(survey: Survey, folder: Folder, how: 'silently' | 'told'): void {
  dropContents(survey, folder, how);
  survey.snapshot.removeFolder(folder);
  folder.parent?.folders.delete(path.basename(folder.path));
}

function roleOfFolder({ also, apart }: Survey, folder: Folder, name: string): Role {
  const inside = insideOf(folder, name);
  if (apart.has(pathIn(folder, name)) || inside.split('/').length > limits.scan.depth) return undefined;
  if (folder.scope === 'all' && !folder.rules.ignores(inside, true)) return { scope: 'all' };
  if (also.matches(inside)) return { scope: 'listed' };
  if (also.leadsInto(inside)) return { scope: 'asked' };
  return folder.scope === 'listed' ? 'extras' : undefined;
}

function recordEntry(
  { snapshot, changes }: Survey,
  {
    folder,
    name,
    list,
  }: { readonly folder: Folder; readonly name: string; readonly list: 'files' | 'extras' },
  nature: Nature,
  { quiet }: Occasion,
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
  survey: Survey,
  folder: Folder,
  name: string,
  scope: Scope,
  { quiet, moved }: Occasion,
): void {
  const known = folder.folders.get(name);
  if (known && moved) survey.agenda.list(known, { deep: true, rewatch: true });
  if (known) return;
  if (!survey.snapshot.hasRoom()) return;
  const place = { path: pathIn(folder, name), inside: insideOf(folder, name), parent: folder, scope };
  const child = createFolder({ ...place, rules: folder.rules });
  survey.snapshot.addFolder(child);
  folder.folders.set(name, child);
  survey.agenda.list(child, { quiet });
}

/** Has a folder judged anew when its rules are not those that were read. */
function heedRules({ agenda, snapshot }: Survey, folder: Folder, name: string, { listed }: Occasion): void {
  const owner = ruledBy(folder, name);
  if (!owner) return;
  const doubtful = !listed && snapshot.unsettled.has(pathIn(folder, name));
  if (doubtful || signatureOfRules(owner.path) !== owner.ruled) agenda.list(owner, { deep: true });
}

/** The folder for which a file holds the rules. */
function ruledBy(folder: Folder, name: string): Folder | undefined {
  if (name === ruleFile && folder.scope === 'all') return folder;
  const owner = name === path.basename(excluding) ? folder.parent?.parent : undefined;
  return owner && insideOf(owner, excluding) === insideOf(folder, name) ? owner : undefined;
}
