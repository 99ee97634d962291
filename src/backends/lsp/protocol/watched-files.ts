import { join, sep } from 'node:path';
import { limits } from '../../../core/limits.ts';
import { type Glob, matchesGlob, readGlobs } from '../../../core/runtime/glob.ts';
import { type Json, list, number, object, text } from '../../../core/runtime/json.ts';
import { pathOfUri } from '../../../workspace/gate/uri.ts';
import type { Change } from '../../../workspace/workspace.ts';

const kindNumbers = { created: 1, changed: 2, deleted: 3 } as const;
const kindBits = { created: 1, changed: 2, deleted: 4 } as const;
const everyKind = 7;

/** The file changes that a server is notified of. */
export interface Watching {
  readonly watchers: readonly Watcher[];
  /** Number of globs of all watchers. */
  readonly globs: number;
  /** True if more is sent than was asked for, because the watchers are too many or cannot be read. */
  readonly simplified: boolean;
}

interface Watcher {
  readonly kinds: number;
  /** With a trailing slash; absent if the globs match whole paths. */
  readonly folder?: string;
  /** Absent if every path matches: extra changes cost a server little, missing ones mislead it. */
  readonly globs?: readonly Glob[];
}

/** Sends every change. */
export const watchingAll: Watching = { watchers: [{ kinds: everyKind }], globs: 1, simplified: true };

/** Reads the registrations of `workspace/didChangeWatchedFiles`; too many globs mean all changes. */
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

/** Returns a filter for the changes that a server watches; after too many comparisons it accepts the rest. */
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

/** Returns one change as an LSP `FileEvent`. */
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

/** A relative glob matches from any folder on, as in editors. */
function anywhere(pattern: string): string {
  return pattern.startsWith('/') || pattern.startsWith('**') ? pattern : `**/${pattern}`;
}

function namesOf(path: string): string[] {
  return path.split(sep);
}
