import { join, sep } from 'node:path';
import { limits } from '../../../core/limits.ts';
import { type Glob, matchesGlob, readGlobs } from '../../../core/runtime/glob.ts';
import { type Json, list, number, object, text } from '../../../core/runtime/json.ts';
import { pathOfUri } from '../../../workspace/gate/uri.ts';
import type { Change } from '../../../workspace/workspace.ts';

const kindNumbers = { created: 1, changed: 2, deleted: 3 } as const;
const kindBits = { created: 1, changed: 2, deleted: 4 } as const;
const everyKind = 7;

/** Of which changes on the disk a server is told. */
export interface Watching {
  readonly watchers: readonly Watcher[];
  /** How many globs all of them have. */
  readonly globs: number;
  /** Whether more is told than was asked, because what was asked is too much or cannot be read. */
  readonly simplified: boolean;
}

interface Watcher {
  readonly kinds: number;
  /** With its slash at the end; absent where the globs are those of whole paths. */
  readonly folder?: string;
  /** Absent where every path counts: telling more than was asked costs a server little, telling less misleads it. */
  readonly globs?: readonly Glob[];
}

/** Every change is told. */
export const watchingAll: Watching = { watchers: [{ kinds: everyKind }], globs: 1, simplified: true };

/** Reads the options of registrations for `workspace/didChangeWatchedFiles`; a server that asks for too much is told everything. */
export function readWatching(registered: readonly Json[]): Watching {
  const watchers: Watcher[] = [];
  let globs = 0;
  for (const asked of registered.flatMap((options) => list(options.watchers))) {
    if (globs >= limits.watch.globs) return watchingAll;
    const watcher = readWatcher(object(asked), limits.watch.globs - globs);
    watchers.push(watcher);
    globs += Math.max(1, watcher.globs?.length ?? 1);
  }
  return { watchers, globs, simplified: watchers.some((watcher) => watcher.globs === undefined) };
}

/** Tells of one change after the other whether a server asked for it; when that took too long, it is told of the rest. */
export function watchFilter({ watchers, globs }: Watching): (change: Change) => boolean {
  let compared = 0;
  return ({ kind, path }) => {
    compared += globs;
    if (compared > limits.watch.comparisons) return true;
    const names = namesOf(path);
    return watchers.some(
      (watcher) => (watcher.kinds & kindBits[kind]) !== 0 && watches(watcher, path, names),
    );
  };
}

/** One change as the protocol tells it. */
export function fileEvent(change: Change, uri: string): { readonly uri: string; readonly type: number } {
  return { uri, type: kindNumbers[change.kind] };
}

function watches({ folder, globs }: Watcher, path: string, names: readonly string[]): boolean {
  if (folder === undefined) return globs?.some((glob) => matchesGlob(glob, names)) ?? true;
  if (!path.startsWith(folder)) return false;
  const inside = namesOf(path.slice(folder.length));
  return globs?.some((glob) => matchesGlob(glob, inside)) ?? true;
}

function readWatcher({ globPattern, kind }: Json, most: number): Watcher {
  const kinds = (number(kind) ?? everyKind) & everyKind;
  if (kinds === 0) return { kinds, globs: [] };
  if (typeof globPattern === 'string') return { kinds, ...globsOf(anywhere(globPattern), most) };
  const { baseUri, pattern } = object(globPattern);
  const base = pathOfUri(text(baseUri) ?? text(object(baseUri).uri) ?? '');
  if ('wrong' in base || typeof pattern !== 'string') return { kinds };
  return { kinds, folder: join(base.path, sep), ...globsOf(pattern, most) };
}

function globsOf(pattern: string, most: number): Pick<Watcher, 'globs'> {
  const globs = pattern.length > limits.watch.pattern ? undefined : readGlobs(pattern, most);
  return globs ? { globs } : {};
}

/** A relative glob is meant to match from any folder on, as editors read it. */
function anywhere(pattern: string): string {
  return pattern.startsWith('/') || pattern.startsWith('**') ? pattern : `**/${pattern}`;
}

function namesOf(path: string): string[] {
  return path.split(sep);
}
