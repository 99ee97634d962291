import type { Stats } from 'node:fs';
import { cancelSignalOf, until } from '../core/call.ts';
import { limits } from '../core/limits.ts';
import type { Log } from '../core/log.ts';
import { ActiveSet } from '../core/runtime/active-set.ts';
import { ChangeHints } from './freshness/change-hints.ts';
import { FreshnessBarrier } from './freshness/freshness.ts';
import type { Snapshot } from './freshness/snapshot.ts';
import { AllowedFolders } from './gate/allowed-folders.ts';
import { entryAt } from './gate/entry-at.ts';
import { Gate } from './gate/gate.ts';
import { type Bytes, readInside } from './gate/read-inside.ts';
import { statsOf } from './gate/signature.ts';
import { uriOfPath } from './gate/uri.ts';
import type { Document } from './texts/document.ts';
import { Documents } from './texts/documents.ts';
import { fingerprint } from './texts/fingerprint.ts';
import { TextIndex } from './texts/text-index.ts';
import { UnsavedTexts } from './texts/unsaved-texts.ts';
import type { Change, Workspace } from './workspace.ts';

/** How a workspace is opened. */
export interface WorkspaceOptions {
  /** As the user gave them; links are fine. */
  readonly roots: readonly string[];
  /** Read-only folders beside them, whose files may be named and told. */
  readonly additionalRoots?: readonly string[] | undefined;
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
  const allowed = new AllowedFolders(options.roots, options.additionalRoots);
  const listeners = new ActiveSet<(changes: readonly Change[]) => void>();
  const hints = new ChangeHints();
  let generation = 0;
  const publish = (changes: readonly Change[]) => {
    if (changes.length === 0) return;
    generation += 1;
    gate.forget();
    index.note(changes);
    for (const listener of listeners) listener(changes);
  };
  const freshness: FreshnessBarrier = new FreshnessBarrier({
    allowed: allowed,
    log: options.log,
    exclude: options.exclude ?? [],
    watch: options.watch ?? 'auto',
    cookieFolder: options.cookieFolder,
    onEvent: () => hints.note(),
    onUntracked: (path) => documents.forget(path),
    publish(changes) {
      for (const { path } of changes) documents.forget(path);
      publish(unsaved.sift(changes));
    },
  });
  const { snapshot } = freshness;
  const isSaved = (path: string) => snapshot.has(path) || statsOf(path)?.isFile() === true;
  const unsaved: UnsavedTexts = new UnsavedTexts({
    allowed: allowed,
    largest: options.largestDocument ?? limits.document,
    isSaved: isSaved,
    show: (path) => gate.show(path),
    publish,
  });
  const listed = () => (unsaved.documents.size === 0 ? snapshot.files() : listedFiles(snapshot, unsaved));
  const isFile = (path: string) => snapshot.isFile(path) || unsaved.get(path) !== undefined;
  const gate: Gate = new Gate(allowed, {
    isFile,
    named: (name, most) => snapshot.named(name, most),
  });
  // Packages are told of as a whole, when they are installed.
  const isIgnored = (path: string) => allowed.rootOf(path) !== undefined && !path.includes('node_modules');
  const keeper = {
    keeps: (path: string) => freshness.keeps(path),
    track: (path: string, stats: Stats) => freshness.track(path, stats, isIgnored(path)),
    show: (path: string) => gate.show(path),
    unsaved: (path: string) => unsaved.get(path),
  };
  const documents: Documents = new Documents(allowed, keeper, options.largestDocument);
  const index: TextIndex = new TextIndex({
    files: listed,
    isFile,
    read: (path) => {
      const text = unsaved.get(path)?.text;
      return text === undefined ? textOf(readInside(allowed, path, limits.indexedFile)) : Buffer.from(text);
    },
  });
  return {
    roots: allowed.roots,
    resolve: async (given) => gate.resolve(given),
    entry: (given) => {
      const entry = entryAt(allowed, given);
      return entry.kind === 'missing' && unsaved.get(entry.path) ? { ...entry, kind: 'file' } : entry;
    },
    fromUri: (uri) => gate.fromUri(uri),
    entryFromUri: (uri) => gate.entryFromUri(uri),
    uri: uriOfPath,
    show: (path) => gate.show(path),
    rootOf: (path) => allowed.rootOf(path),
    isNamedByUser: (path) => allowed.isNamedByUser(path),
    read: async (path) => documents.read(path),
    readNow: (path) => {
      const text = unsaved.get(path)?.text;
      if (text !== undefined) return text;
      const seen = readInside(allowed, path, limits.document);
      return seen.kind === 'bytes' ? seen.bytes.toString('utf8') : undefined;
    },
    cached: (path) => documents.cached(path),
    hold: (given, text) => unsaved.hold(given, text),
    unsaved: () => unsaved.documents,
    isSaved,
    isUnsavedAsOnDisk: (path) =>
      unsaved.isUntouched(path) && isTextOf(readInside(allowed, path, limits.document), unsaved.get(path)),
    addLibraryRoots(paths) {
      allowed.addLibraries(paths);
      gate.forget();
    },
    watchAlso: (globs) => freshness.watchAlso(globs),
    fingerprint: (root, globs) =>
      fingerprint(root, globs, (path, stats) => {
        if (!freshness.keeps(path)) freshness.track(path, stats);
      }),
    refresh: (call) => until(freshness.refresh(), cancelSignalOf(call)),
    generation: () => generation,
    onChanges(listener) {
      return listeners.add(listener);
    },
    onMaybeChanged: (listener) => hints.subscribe(listener),
    files: listed,
    mentioning: async (name, call) =>
      index.cached(name) ?? until(index.mentioning(name), cancelSignalOf(call)),
    close() {
      hints.close();
      return freshness.close();
    },
  };
}

/** Also what is not on the disk yet, unless it would be ignored there. */
function* listedFiles(snapshot: Snapshot, unsaved: UnsavedTexts): Generator<string> {
  yield* snapshot.files();
  for (const path of unsaved.documents.keys())
    if (!snapshot.isFile(path) && snapshot.wouldList(path)) yield path;
}

/** Whether a file has a text, byte for byte. */
function isTextOf(read: Bytes, document: Document | undefined): boolean {
  if (read.kind !== 'bytes' || !document) return false;
  return read.bytes.equals(Buffer.from(document.hasBom ? `\uFEFF${document.text}` : document.text));
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
