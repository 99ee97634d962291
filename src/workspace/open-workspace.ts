import type { Stats } from 'node:fs';
import { until } from '../core/call.ts';
import { limits } from '../core/limits.ts';
import type { Log } from '../core/log.ts';
import { Documents } from './documents.ts';
import { entryAt } from './entry-at.ts';
import { fingerprint } from './fingerprint.ts';
import { Freshness } from './freshness.ts';
import { Gate } from './gate.ts';
import { type Bytes, readInside } from './read-inside.ts';
import { Territory } from './territory.ts';
import { TextIndex } from './text-index.ts';
import { uriOfPath } from './uris.ts';
import type { Change, Workspace } from './workspace.ts';

/** How a workspace is opened. */
export interface WorkspaceOptions {
  /** As the user gave them; links are fine. */
  readonly roots: readonly string[];
  readonly log: Log;
  /** More patterns to ignore, in the syntax of `.gitignore`. */
  readonly exclude?: readonly string[];
  /** The bytes of the largest file that is read. */
  readonly largestDocument?: number | undefined;
  /** `scan` compares by stat also where the kernel could tell of changes. */
  readonly watch?: 'auto' | 'scan';
  /** A folder of our own outside the workspace, removed on close; made in the temporary folder when absent. */
  readonly cookieFolder?: string;
}

/** Opens the roots. Looking through them begins at once, and the first barrier waits for it. */
export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const territory = new Territory(options.roots);
  const listeners = new Set<(changes: readonly Change[]) => void>();
  let generation = 0;
  const freshness: Freshness = new Freshness({
    territory,
    log: options.log,
    exclude: options.exclude ?? [],
    watch: options.watch ?? 'auto',
    cookieFolder: options.cookieFolder,
    onUntracked: (path) => documents.forget(path),
    publish(changes) {
      generation += 1;
      gate.forget();
      for (const { path } of changes) documents.forget(path);
      index.note(changes);
      for (const listener of listeners) listener(changes);
    },
  });
  const { snapshot } = freshness;
  const gate = new Gate(territory, snapshot);
  // Packages are told of as a whole, when they are installed.
  const isIgnored = (path: string) => territory.rootOf(path) !== undefined && !path.includes('node_modules');
  const keeper = {
    keeps: (path: string) => freshness.keeps(path),
    track: (path: string, stats: Stats) => freshness.track(path, stats, isIgnored(path)),
    show: (path: string) => gate.show(path),
  };
  const documents: Documents = new Documents(territory, keeper, options.largestDocument);
  const index: TextIndex = new TextIndex({
    files: () => snapshot.files(),
    isFile: (path) => snapshot.isFile(path),
    read: (path) => textOf(readInside(territory, path, limits.indexedFile)),
  });
  return {
    roots: territory.roots,
    resolve: async (given) => gate.resolve(given),
    entry: (given) => entryAt(territory, given),
    admit: (uri) => gate.admit(uri),
    admitEntry: (uri) => gate.admitEntry(uri),
    uri: uriOfPath,
    show: (path) => gate.show(path),
    rootOf: (path) => territory.rootOf(path),
    read: async (path) => documents.read(path),
    glance: (path) => {
      const seen = readInside(territory, path, limits.document);
      return seen.kind === 'bytes' ? seen.bytes.toString('utf8') : undefined;
    },
    known: (path) => documents.known(path),
    addLibraryRoots(paths) {
      territory.addLibraries(paths);
      gate.forget();
    },
    watchAlso: (globs) => freshness.watchAlso(globs),
    fingerprint: (root, globs) =>
      fingerprint(root, globs, (path, stats) => {
        if (!freshness.keeps(path)) freshness.track(path, stats);
      }),
    refresh: (call) => until(freshness.refresh(), call.signal),
    generation: () => generation,
    onChanges(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    files: () => snapshot.files(),
    mentioning: async (name, call) => index.known(name) ?? until(index.mentioning(name), call.signal),
    close: () => freshness.close(),
  };
}

/** Servers read files in UTF-16 too, which begin with its mark. */
function textOf(read: Bytes): Buffer | undefined {
  if (read.kind !== 'bytes') return undefined;
  const { bytes } = read;
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0);
  if (mark === 0xfffe) return Buffer.from(bytes.toString('utf16le'));
  if (mark === 0xfeff)
    return Buffer.from(
      bytes
        .subarray(0, bytes.length & ~1)
        .swap16()
        .toString('utf16le'),
    );
  return bytes.includes(0) ? undefined : bytes;
}
