import { type Call, cancelSignalOf, until } from '../core/call.ts';
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
import { KnownPackages } from './known-packages.ts';
import type { Document } from './texts/document.ts';
import { Documents } from './texts/documents.ts';
import { fingerprint } from './texts/fingerprint.ts';
import { TextIndex } from './texts/text-index.ts';
import { UnsavedTexts } from './texts/unsaved-texts.ts';
import type { Change, Workspace } from './workspace.ts';
import { siblingAround } from './worktrees/sibling-worktree.ts';

/** Options of `openWorkspace`. */
export interface WorkspaceOptions {
  /** As the user gave them; may be links. */
  readonly roots: readonly string[];
  /** Further, read-only folders, whose files may be named and shown. */
  readonly additionalRoots?: readonly string[] | undefined;
  /** The folder to which relative paths refer, given and shown. Default: each root, and the first. */
  readonly base?: string | undefined;
  readonly log: Log;
  /** More patterns to ignore, in the syntax of `.gitignore`. */
  readonly exclude?: readonly string[];
  /** Size limit of a file that is read, in bytes. */
  readonly largestDocument?: number | undefined;
  /** `scan` compares by stat even where the kernel reports changes. */
  readonly watch?: 'auto' | 'scan';
  /** Our own folder outside the workspace, removed on close. Default: a new one in the temporary folder. */
  readonly cookieFolder?: string;
}

/** Opens the roots. Scanning them begins at once, and the first barrier waits for it. */
export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  return new OpenWorkspace(options);
}

/** Its members are fields rather than methods, because derived workspaces spread it and callers pass them on. */
class OpenWorkspace implements Workspace {
  readonly #allowed: AllowedFolders;
  readonly #freshness: FreshnessBarrier;
  readonly #snapshot: Snapshot;
  readonly #unsaved: UnsavedTexts;
  readonly #gate: Gate;
  readonly #documents: Documents;
  readonly #index: TextIndex;
  readonly #listeners = new ActiveSet<(changes: readonly Change[]) => void>();
  readonly #followers = new ActiveSet<(call: Call) => Promise<void>>();
  readonly #hints = new ChangeHints();
  readonly #packages = new KnownPackages({ files: () => this.files(), read: (path) => this.read(path) });
  #generation = 0;
  #arrivals = 0;

  constructor({ largestDocument = limits.document, ...options }: WorkspaceOptions) {
    this.#allowed = new AllowedFolders(options.roots, options.additionalRoots, options.base);
    this.roots = this.#allowed.roots;
    this.#freshness = new FreshnessBarrier({
      allowed: this.#allowed,
      log: options.log,
      exclude: options.exclude ?? [],
      watch: options.watch ?? 'auto',
      cookieFolder: options.cookieFolder,
      onEvent: () => this.#hints.note(),
      onUntracked: (path) => this.#documents.forget(path),
      onCutOut: () => this.#gate.forget(),
      publish: (changes) => {
        for (const { path } of changes) this.#documents.forget(path);
        this.#publish(this.#unsaved.deferChanges(changes));
      },
    });
    this.#snapshot = this.#freshness.snapshot;
    this.#unsaved = new UnsavedTexts({
      allowed: this.#allowed,
      largest: largestDocument,
      isSaved: this.isSaved,
      show: this.show,
      publish: (changes) => this.#publish(changes),
    });
    this.#gate = new Gate(this.#allowed, {
      isFile: (path) => this.#isFile(path),
      files: () => this.files(),
    });
    this.#documents = new Documents(
      this.#allowed,
      {
        isTracked: (path) => this.#freshness.isTracked(path),
        track: (path, stats) => this.#freshness.track(path, stats, this.#mayBeReadByServers(path)),
        show: this.show,
        unsaved: (path) => this.#unsaved.get(path),
      },
      largestDocument,
    );
    this.#index = new TextIndex({
      files: this.files,
      isFile: (path) => this.#isFile(path),
      read: (path) => this.#bytesOf(path),
    });
    this.#freshness.cutOutWorktrees();
  }

  readonly roots: Workspace['roots'];
  readonly resolve: Workspace['resolve'] = async (given) => this.#gate.resolve(given);
  readonly entry: Workspace['entry'] = (given) => {
    const entry = entryAt(this.#allowed, given);
    return entry.kind === 'missing' && this.#unsaved.get(entry.path) ? { ...entry, kind: 'file' } : entry;
  };
  readonly fromUri: Workspace['fromUri'] = (uri) => this.#gate.fromUri(uri);
  readonly entryFromUri: Workspace['entryFromUri'] = (uri) => this.#gate.entryFromUri(uri);
  readonly uri = uriOfPath;
  readonly show: Workspace['show'] = (path) => this.#gate.show(path);
  readonly rootOf: Workspace['rootOf'] = (path) => this.#allowed.rootOf(path);
  readonly worktreeIn: Workspace['worktreeIn'] = (path) => this.#allowed.cutOutAround(path);
  readonly otherWorktree: Workspace['otherWorktree'] = (path) =>
    this.worktreeIn(path) ?? siblingAround(this.roots, path);
  readonly isNamedByUser: Workspace['isNamedByUser'] = (path) => this.#allowed.isNamedByUser(path);
  readonly read: Workspace['read'] = async (path) => this.#documents.read(path);
  readonly readNow: Workspace['readNow'] = (path) => {
    const text = this.#unsaved.get(path)?.text;
    if (text !== undefined) return text;
    const read = readInside(this.#allowed, path, limits.document);
    return read.kind === 'bytes' ? read.bytes.toString('utf8') : undefined;
  };
  readonly cached: Workspace['cached'] = (path) => this.#documents.cached(path);
  readonly hold: Workspace['hold'] = (given, text) => this.#unsaved.hold(given, text);
  readonly unsaved: Workspace['unsaved'] = () => this.#unsaved.documents;
  readonly isSaved: Workspace['isSaved'] = (path) =>
    this.#snapshot.has(path) || statsOf(path)?.isFile() === true;
  readonly isUnsavedAsOnDisk: Workspace['isUnsavedAsOnDisk'] = (path) =>
    this.#unsaved.isUntouched(path) &&
    isTextOf(readInside(this.#allowed, path, limits.document), this.#unsaved.get(path));
  readonly addLibraryRoots: Workspace['addLibraryRoots'] = (paths) => {
    this.#allowed.addLibraries(paths);
    this.#gate.forget();
  };
  readonly watchAlso: Workspace['watchAlso'] = (globs) => this.#freshness.watchAlso(globs);
  readonly fingerprint: Workspace['fingerprint'] = (root, globs) =>
    fingerprint(root, globs, (path, stats) => {
      if (!this.#freshness.isTracked(path)) this.#freshness.track(path, stats);
    });
  readonly barrier: Workspace['barrier'] = (call) => until(this.#freshness.refresh(), cancelSignalOf(call));
  readonly refresh: Workspace['refresh'] = async (call) => {
    const doubts = await this.barrier(call);
    for (const follow of this.#followers) await follow(call);
    return doubts;
  };
  readonly onRefreshed: Workspace['onRefreshed'] = (listener) => this.#followers.add(listener);
  readonly generation: Workspace['generation'] = () => this.#generation;
  readonly onChanges: Workspace['onChanges'] = (listener) => this.#listeners.add(listener);
  readonly onMaybeChanged: Workspace['onMaybeChanged'] = (listener) => this.#hints.subscribe(listener);
  readonly files: Workspace['files'] = () =>
    this.#unsaved.documents.size === 0 ? this.#snapshot.files() : this.#listedFiles();
  readonly others: Workspace['others'] = () => ({
    links: this.#snapshot.extras(),
    isWhole: !this.#snapshot.overflowed,
    generation: this.#snapshot.revision + this.#arrivals,
  });
  readonly packages: Workspace['packages'] = () => this.#packages.packages();
  readonly unfitFiles: Workspace['unfitFiles'] = () => this.#snapshot.unfit;
  readonly mentioning: Workspace['mentioning'] = async (name, call) =>
    this.#index.cached(name) ?? until(this.#index.mentioning(name), cancelSignalOf(call));
  readonly containing: Workspace['containing'] = (name, call) =>
    until(this.#index.containing(name), cancelSignalOf(call));
  readonly resembling: Workspace['resembling'] = (name, call) =>
    until(this.#index.resembling(name), cancelSignalOf(call));
  readonly close: Workspace['close'] = () => {
    this.#hints.close();
    return this.#freshness.close();
  };

  #publish(changes: readonly Change[]): void {
    if (changes.length === 0) return;
    this.#generation += 1;
    // Those of unsaved texts, too.
    if (changes.some(({ kind }) => kind !== 'changed')) this.#arrivals += 1;
    this.#gate.forget();
    this.#index.note(changes);
    this.#packages.note(changes);
    for (const listener of this.#listeners) listener(changes);
  }

  #isFile(path: string): boolean {
    return this.#snapshot.isFile(path) || this.#unsaved.get(path) !== undefined;
  }

  /** True if servers may have read an ignored file before. Packages are left out: they are reported when installed. */
  #mayBeReadByServers(path: string): boolean {
    return this.#allowed.rootOf(path) !== undefined && !path.includes('node_modules');
  }

  #bytesOf(path: string): Buffer | undefined {
    const text = this.#unsaved.get(path)?.text;
    if (text !== undefined) return Buffer.from(text);
    return textOf(readInside(this.#allowed, path, limits.indexedFile));
  }

  /** Adds the files that are not on the disk yet, unless they would be ignored there. */
  *#listedFiles(): Generator<string> {
    yield* this.#snapshot.files();
    for (const path of this.#unsaved.documents.keys())
      if (!this.#snapshot.isFile(path) && this.#snapshot.wouldList(path)) yield path;
  }
}

/** True if a file has the text of a document, byte for byte. */
function isTextOf(read: Bytes, document: Document | undefined): boolean {
  if (read.kind !== 'bytes' || !document) return false;
  return read.bytes.equals(Buffer.from(document.hasBom ? `\uFEFF${document.text}` : document.text));
}

/** Also decodes UTF-16 with a byte order mark, since servers read such files too. */
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
