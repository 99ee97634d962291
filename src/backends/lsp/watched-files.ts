import { fileURLToPath } from 'node:url';
import picomatch from 'picomatch';
import type { Change } from '../../workspace/workspace.ts';
import type { Registration } from './capabilities.ts';
import { list, number, object, text } from './json.ts';

const kindNumbers = { created: 1, changed: 2, deleted: 3 } as const;
const kindBits = { created: 1, changed: 2, deleted: 4 } as const;

/** Which changes a server asked to be told, from its registrations for `workspace/didChangeWatchedFiles`. */
export function watchFilter(registrations: readonly Registration[]): (change: Change) => boolean {
  const watchers = registrations.flatMap(({ options }) => list(options.watchers).map(readWatcher));
  return (change) => watchers.some((watch) => watch(change));
}

/** One change as the protocol tells it. */
export function fileEvent(change: Change, uri: string): { readonly uri: string; readonly type: number } {
  return { uri, type: kindNumbers[change.kind] };
}

function readWatcher(watcher: unknown): (change: Change) => boolean {
  const { globPattern, kind } = object(watcher);
  const matches = readPattern(globPattern);
  const bits = number(kind) ?? 7;
  return (change) => (bits & kindBits[change.kind]) !== 0 && matches(change.path);
}

function readPattern(pattern: unknown): (path: string) => boolean {
  if (typeof pattern === 'string') return glob(pattern);
  const { baseUri, pattern: relative } = object(pattern);
  const base = text(baseUri) ?? text(object(baseUri).uri);
  if (base?.startsWith('file:') !== true || typeof relative !== 'string') return () => true;
  const folder = fileURLToPath(base);
  const matches = picomatch(relative, { dot: true });
  return (path) => path.startsWith(folder) && matches(path.slice(folder.length).replace(/^\/+/, ''));
}

/** A relative glob is meant to match from any folder on, as editors read it. */
function glob(pattern: string): (path: string) => boolean {
  const anywhere = pattern.startsWith('/') || pattern.startsWith('**') ? pattern : `**/${pattern}`;
  return picomatch(anywhere, { dot: true });
}
