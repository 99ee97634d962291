import type { Stats } from 'node:fs';
import { endOf, until } from '../core/call.ts';
import { limits } from '../core/limits.ts';
import type { Log } from '../core/log.ts';
import { Passers } from '../core/runtime/active-set.ts';
import { Stirrings } from './freshness/change-hints.ts';
import { Freshness } from './freshness/freshness.ts';
import type { Snapshot } from './freshness/snapshot.ts';
import { entryAt } from './gate/entry-at.ts';
import { Gate } from './gate/gate.ts';
import { type Bytes, readInside } from './gate/read-inside.ts';
import { statsOf } from './gate/signature.ts';
import { Territory } from './gate/territory.ts';
import { uriOfPath } from './gate/uris.ts';
import type { Document } from './texts/document.ts';
import { Documents } from './texts/documents.ts';
import { fingerprint } from './texts/fingerprint.ts';
import { TextIndex } from './texts/text-index.ts';
import { HeldTexts } from './texts/unsaved-texts.ts';
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
  const territory = new Territory(options.roots, options.additionalRoots);
  const listeners = new Passers<(changes: readonly Change[]) => void>();
  const stirrings = new Stirrings();
  let generation = 0;
  const publish = (changes: readonly Change[]) => {
    if (changes.length === 0) return;
    generation += 1;
    gate.forget();
    index.note(changes);
    for (const listener of listeners) listener(changes);
  };
  const freshness: Freshness = new Freshness({
    territory,
    log: options.log,
    exclude: options.exclude ?? [],
    watch: options.watch ?? 'auto',
    cookieFolder: options.cookieFolder,
    onEvent: () => stirrings.note(),
    onUntracked: (path) => documents.forget(path),
    publish(changes) {
      for (const { path } of changes) documents.forget(path);
      publish(held.sift(changes));
    },
  });
  const { snapshot } = freshness;
  const isSaved = (path: string) => snapshot.has(path) || statsOf(path)?.isFile() === true;
  const held: HeldTexts = new HeldTexts({
    territory,
    largest: options.largestDocument ?? limits.document,
    isSaved,
    show: (path) => gate.show(path),
    publish,
  });
  const listed = () => (held.documents.size === 0 ? snapshot.files() : listedFiles(snapshot, held));
  const isFile = (path: string) => snapshot.isFile(path) || held.get(path) !== undefined;
  const gate: Gate = new Gate(territory, {
    isFile,
    named: (name, most) => snapshot.named(name, most),
  });
  // Packages are told of as a whole, when they are installed.
  const isIgnored = (path: string) => territory.rootOf(path) !== undefined && !path.includes('node_modules');
  const keeper = {
    keeps: (path: string) => freshness.keeps(path),
    track: (path: string, stats: Stats) => freshness.track(path, stats, isIgnored(path)),
    show: (path: string) => gate.show(path),
    held: (path: string) => held.get(path),
  };
  const documents: Documents = new Documents(territory, keeper, options.largestDocument);
  const index: TextIndex = new TextIndex({
    files: listed,
    isFile,
    read: (path) => {
      const text = held.get(path)?.text;
      return text === undefined ? textOf(readInside(territory, path, limits.indexedFile)) : Buffer.from(text);
    },
  });
  return {
    roots: territory.roots,
    resolve: async (given) => gate.resolve(given),
    entry: (given) => {
      const entry = entryAt(territory, given);
      return entry.kind === 'missing' && held.get(entry.path) ? { ...entry, kind: 'file' } : entry;
    },
    admit: (uri) => gate.admit(uri),
    admitEntry: (uri) => gate.admitEntry(uri),
    uri: uriOfPath,
    show: (path) => gate.show(path),
    rootOf: (path) => territory.rootOf(path),
    opens: (path) => territory.opens(path),
    read: async (path) => documents.read(path),
    glance: (path) => {
      const text = held.get(path)?.text;
      if (text !== undefined) return text;
      const seen = readInside(territory, path, limits.document);
      return seen.kind === 'bytes' ? seen.bytes.toString('utf8') : undefined;
    },
    known: (path) => documents.known(path),
    hold: (given, text) => held.hold(given, text),
    held: () => held.documents,
    isSaved,
    isHeldAsSaved: (path) =>
      held.isUntouched(path) && isTextOf(readInside(territory, path, limits.document), held.get(path)),
    addLibraryRoots(paths) {
      territory.addLibraries(paths);
      gate.forget();
    },
    watchAlso: (globs) => freshness.watchAlso(globs),
    fingerprint: (root, globs) =>
      fingerprint(root, globs, (path, stats) => {
        if (!freshness.keeps(path)) freshness.track(path, stats);
      }),
    refresh: (call) => until(freshness.refresh(), endOf(call)),
    generation: () => generation,
    onChanges(listener) {
      return listeners.enter(listener);
    },
    onStir: (listener) => stirrings.hear(listener),
    files: listed,
    mentioning: async (name, call) => index.known(name) ?? until(index.mentioning(name), endOf(call)),
    close() {
      stirrings.close();
      return freshness.close();
    },
  };
}

/** Also what is not on the disk yet, unless it would be ignored there. */
function* listedFiles(snapshot: Snapshot, held: HeldTexts): Generator<string> {
  yield* snapshot.files();
  for (const path of held.documents.keys())
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
