import { rootAround } from '../../config/state-folder.ts';
import { limits } from '../../core/limits.ts';
import { shellWord } from '../../core/wording/shell-words.ts';
import { type FolderFacts, folderFacts } from '../../platform/files/folder-facts.ts';
import { closePrivateFolder } from '../../platform/files/private-folder.ts';
import type { WatchUse } from '../../platform/processes/watch-use.ts';
import type { ExaminedFolder, Finding } from './report.ts';

/** Judges the watches that the kernel allows: without one for each folder, every call compares all files. */
export function judgeWatches(use: WatchUse | undefined): Finding {
  const base = { area: 'watches', subject: 'watches' } as const;
  if (!use) return { ...base, level: 'ok', text: 'this system has no limit that is known' };
  const { most, used } = use;
  const text = used === undefined ? `at most ${count(most)}` : `${count(used)} of ${count(most)} are in use`;
  if (used === undefined || used < most * limits.doctor.watches.share) return { ...base, level: 'ok', text };
  return {
    ...base,
    level: used < most ? 'warning' : 'error',
    text: `${text}: a folder without one is compared at every call`,
    next_step: `sudo sysctl fs.inotify.max_user_watches=${Math.max(most * 2, limits.doctor.watches.enough)}`,
  };
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}

/** A folder of lspan's own, and what it is for. */
export interface OwnFolder {
  readonly area: 'state' | 'cache';
  readonly path: string;
  readonly roots: readonly string[];
  readonly fix: boolean;
}

/** Looks at a folder of lspan's own; with `fix`, makes it and lets only its owner open it. */
export function examineFolder(folder: OwnFolder): {
  readonly folder: ExaminedFolder;
  readonly findings: readonly Finding[];
  readonly fixed: readonly string[];
} {
  const before = folderFacts(folder.path);
  const isFixed = folder.fix && folder.area === 'state' && mayFix(before, folder);
  if (isFixed) closePrivateFolder(folder.path);
  const facts = isFixed ? folderFacts(folder.path) : before;
  const { exists, isWritable, free } = facts;
  return {
    folder: {
      ...{ path: folder.path, exists, writable: isWritable },
      ...(free === undefined ? {} : { free_mb: Math.floor(free / 1024 ** 2) }),
    },
    findings: [judgeFolder(folder, facts)],
    fixed: isFixed
      ? [`${before.exists ? 'closed' : 'made'} ${folder.path}, which only you can open (mode 700)`]
      : [],
  };
}

/** A folder in the workspace, of another user or behind a link is none of ours. */
function mayFix({ exists, fault, isWritable }: FolderFacts, { path, roots }: OwnFolder): boolean {
  if (rootAround(path, roots) !== undefined) return false;
  return exists ? fault?.includes('mode') === true : isWritable;
}

/** Judges a folder of lspan's own. */
export function judgeFolder({ area, path, roots }: OwnFolder, facts: FolderFacts): Finding {
  const base = { area, subject: area } as const;
  const { exists, fault, isWritable, free } = facts;
  const variable = area === 'state' ? 'XDG_STATE_HOME' : 'XDG_CACHE_HOME';
  const elsewhere = `export ${variable}="$HOME/.${area === 'state' ? 'local/state' : 'cache'}"`;
  const folder = shellWord(path);
  if (rootAround(path, roots) !== undefined)
    return {
      ...base,
      level: 'error',
      text: `${path} is in the workspace, whose content could forge it`,
      next_step: elsewhere,
    };
  if (fault !== undefined && area === 'state') {
    const isMode = fault.includes('mode');
    const next_step = isMode ? 'lspan doctor --fix' : `ls -ld ${folder}; ${elsewhere}`;
    return { ...base, level: 'error', text: `${path} is not safe: ${fault}`, next_step };
  }
  if (!isWritable) return { ...base, level: 'error', ...unwritable(path, variable, facts) };
  const { least, plenty } = limits.doctor.room;
  const room = free === undefined ? '' : `, ${gigabytes(free)} free`;
  const text = `${path}${exists ? '' : ' is made when it is needed'}${room}`;
  if (free === undefined || free >= plenty) return { ...base, level: 'ok', text };
  return { ...base, level: free < least ? 'error' : 'warning', text, next_step: `df -h ${folder}` };
}

/** Says what keeps lspan from a folder of its own, and what helps. */
function unwritable(
  path: string,
  variable: string,
  { exists, closed }: FolderFacts,
): Pick<Finding, 'text' | 'next_step'> {
  const { path: place, mayOpen } = closed ?? { path, mayOpen: false };
  const why = place === path ? '' : `: you may not write to ${place}`;
  return {
    text: `${path} cannot be ${exists ? 'written to' : 'made'}${why}`,
    next_step: mayOpen
      ? `chmod u+rwx ${shellWord(place)}`
      : `Set ${variable} to a folder that you can write.`,
  };
}

function gigabytes(bytes: number): string {
  const size = bytes / 1024 ** 3;
  return size >= 1 ? `${Math.floor(size)} GB` : `${Math.floor(size * 1024)} MB`;
}
