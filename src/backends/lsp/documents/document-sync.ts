import { limits } from '../../../core/limits.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import type { Change, Workspace } from '../../../workspace/workspace.ts';
import { noUnsavedText } from '../errors/overlay-errors.ts';
import type { Capabilities } from '../protocol/capabilities.ts';
import { DocumentSender, type DocumentWire, type Silence } from './document-sender.ts';
import { concerns, inOrderOfUse, openedAtOnce } from './file-interest.ts';
import type { FileParts } from './file-parts.ts';
import type { FileSettings } from './file-settings.ts';
import { areIncluded } from './included-sources.ts';
import { UnsavedDocuments } from './unsaved-documents.ts';

/** Overlay texts, and which of them were not open before. */
interface AppliedOverlay {
  readonly documents: ReadonlyMap<string, Document>;
  readonly opened: ReadonlySet<string>;
  /** Everything sent to the server during the overlay, and what it had yet to read before. */
  readonly sent: Set<string>;
}

/** Keeps one server in sync with the disk or the unsaved texts: sends a text before the question about it. */
export class DocumentSync {
  readonly #workspace: Workspace;
  readonly #capabilities: Capabilities;
  readonly #definition: ServerDefinition;
  readonly #documents: DocumentSender;
  readonly #unannounced = new PendingChanges();
  readonly #unsaved: UnsavedDocuments;
  readonly #parts: FileParts | undefined;
  readonly #settings: FileSettings | undefined;
  readonly #hasChangedOutside: () => boolean;
  #syncing: Promise<void> = Promise.resolve();
  #laid: AppliedOverlay | undefined;
  /** Files that a server which reads only open files must read again, lest it keep using overlay texts. */
  #unread: ReadonlySet<string> = new Set();
  /** Number of notifications that the server had received when it last caught up. */
  #caughtUp = 0;

  constructor(wire: DocumentWire, root: string) {
    this.#workspace = wire.workspace;
    this.#capabilities = wire.capabilities;
    this.#definition = wire.definition;
    this.#parts = wire.parts;
    this.#settings = wire.fileSettings;
    this.#hasChangedOutside = wire.hasChangedOutside ?? (() => false);
    this.#documents = new DocumentSender(wire);
    this.#unsaved = new UnsavedDocuments(wire, root);
  }

  /** The open documents. */
  get paths(): readonly string[] {
    return this.#documents.open.paths;
  }

  /** True if the server has something for good that is not on the disk: it must be restarted. */
  get isOutdated(): boolean {
    return this.#laid === undefined && (this.#parts?.isOutdated === true || this.#hasChangedOutside());
  }

  /** Returns the name under which the server knows a file. */
  uriOf(path: string): string {
    return this.#workspace.uri(path);
  }

  isOpen(path: string): boolean {
    return this.#documents.has(path);
  }

  /** Returns the version of the current text at the server. */
  version(path: string): number | undefined {
    return this.#documents.open.get(path)?.version;
  }

  /** Returns the first version since which neither this text nor anything else at the server has changed. */
  since(path: string): number | undefined {
    return this.#documents.open.get(path)?.since;
  }

  /** Records changes; the next `sync` sends them. */
  note(changes: readonly Change[]): void {
    this.#unannounced.add(this.#unsaved.sift(changes));
    this.#parts?.note(changes);
    this.#settings?.note(changes);
    for (const { path } of changes) this.#documents.open.mark('dirty', true, [path]);
  }

  /**
   * Sends everything that the server does not know yet. Opens `paths`, which must be readable, and the
   * readable ones of `welcome`. Calls run one after the other, so that a document is never opened twice.
   */
  sync(paths: readonly string[], welcome: readonly string[] = []): Promise<void> {
    const current = (path: string) => this.#documents.open.touch(path);
    const isCurrent =
      this.#unannounced.isEmpty && this.#unsaved.isSettled && this.#unsaved.paths.every(current);
    if (isCurrent && paths.every(current) && welcome.every(current)) return this.#syncing;
    return this.#next(() => this.#sync(paths, welcome));
  }

  /** Replaces texts of the disk at the server; changes on disk are sent after the overlay is removed. */
  applyOverlay(documents: ReadonlyMap<string, Document>): Promise<void> {
    return this.#next(async () => {
      await this.#sync([], []);
      if (this.#definition.sync?.readsOnlyOpen) this.closeAll();
      const paths = inOrderOfUse([...documents.keys()], this.#definition);
      const opened = new Set(paths.filter((path) => !this.isOpen(path)));
      this.#laid = { documents, opened, sent: new Set(this.#unread) };
      this.#documents.distrust();
      await this.#sync(paths, []);
    });
  }

  /** Restores the texts of the disk at the server. Rejects if they could not be sent. */
  removeOverlay(): Promise<void> {
    return this.#next(async () => {
      for (const path of this.#laid?.opened ?? []) this.#documents.close(path);
      if (this.#definition.sync?.readsOnlyOpen) this.closeAll();
      this.#documents.open.mark('dirty', true, this.#laid?.documents.keys());
      if (this.#definition.sync?.readsOnlyOpen) this.#unread = this.#laid?.sent ?? this.#unread;
      this.#laid = undefined;
      this.#documents.distrust();
      await this.#sync([], []);
    });
  }

  /**
   * Sends an unchanged open document again if the server was sent something else since, or is silent about
   * it: it may have published nothing new about this document, and publishes for every version.
   */
  async resend(path: string, silence?: Silence): Promise<void> {
    await this.sync([path]);
    const isDropped = () => silence !== undefined && this.#documents.isDropped(path, silence);
    const isDue = () => this.#documents.isBehind(path) || isDropped();
    if (!this.#capabilities.wantsChanges || !isDue()) return;
    const document = await this.#read(path);
    // Another waiting call may have sent it meanwhile.
    if (isDue()) this.#documents.resend(document);
  }

  /** Asks the server about every open document with `ask`, unless it was sent nothing since the last time. */
  async catchUp(ask: (path: string) => Promise<unknown>): Promise<void> {
    const { sent } = this.#documents;
    if (sent === this.#caughtUp) return;
    await Promise.all(this.paths.map(ask));
    this.#caughtUp = sent;
  }

  /** Records that the server has read everything it was sent. */
  markRead(): void {
    if (!this.#laid) this.#unread = new Set();
  }

  /** Marks everything the server reported as possibly outdated. */
  outdate(): void {
    this.#documents.outdate();
  }

  closeAll(): void {
    this.#documents.closeAll();
  }

  async #sync(paths: readonly string[], welcome: readonly string[]): Promise<void> {
    const changes = this.#laid ? [] : this.#unannounced.take();
    const stirred = this.#laid ? [] : this.#unsaved.take();
    const unreadable = await this.#tell(changes, stirred, [...welcome, ...paths]).catch((error: unknown) => {
      this.#takeBack(changes, stirred);
      throw error;
    });
    const laid = this.#laid?.documents.keys() ?? this.#unread;
    this.#closeOldest(new Set([...paths, ...welcome, ...laid, ...this.#unsaved.paths]));
    for (const path of paths) if (unreadable.has(path)) throw unreadable.get(path);
  }

  /** Sends changes, and the current text of documents open or to be opened; returns the unreadable ones. */
  async #tell(
    changes: readonly Change[],
    stirred: readonly string[],
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, unknown>> {
    const { open } = this.#documents;
    const { readsOnlyOpen, sources } = this.#definition.sync ?? {};
    const news = [...changes.map(({ path }) => path), ...stirred];
    const isIncluded = readsOnlyOpen === true && (await this.#areIncluded(news));
    this.#documents.independent = new Set(isIncluded ? [] : news.filter((path) => sources?.files.test(path)));
    this.#documents.announce(changes);
    for (const change of changes) {
      if (change.kind === 'deleted') this.#documents.close(change.path);
    }
    if (isIncluded) this.closeAll();
    const others = this.#laid
      ? this.#unsaved.paths.filter((path) => !this.isOpen(path))
      : [
          ...open.stale,
          ...openedAtOnce(this.#definition, changes),
          ...(readsOnlyOpen ? stirred : []),
          ...this.#unread,
          ...this.#unsaved.paths,
        ];
    const all = inOrderOfUse([...new Set([...others, ...paths])], this.#definition);
    // A server may reload its project whenever a change follows an open, so send changes first.
    const wanted = [...all].sort((a, b) => Number(this.isOpen(b)) - Number(this.isOpen(a)));
    // Before the read: a change during it makes the document dirty again.
    open.mark('dirty', false, wanted);
    const unreadable = new Map<string, unknown>();
    const fail = (path: string, error: unknown) => void unreadable.set(path, error);
    const readings = wanted.map((path) => this.#read(path).catch((error) => fail(path, error)));
    const isNews = new Set([...stirred, ...this.#unsaved.paths]);
    for (const document of await Promise.all(readings))
      if (document) this.#send(document, isNews.has(document.path));
    // Otherwise the server would answer from the last readable text.
    for (const path of unreadable.keys()) this.#documents.close(path);
    return unreadable;
  }

  /**
   * Returns whether a server that reads only open documents may know one of them with the former text of a file that it
   * includes: when opened again, it reads everything again.
   */
  async #areIncluded(changed: readonly string[]): Promise<boolean> {
    const { sources } = this.#definition.sync ?? {};
    const served = changed.filter((path) => concerns(this.#definition, path));
    const isSource = (path: string) => sources?.files.test(path) && !this.#parts?.isPart(path);
    if (!served.every(isSource)) return true;
    return this.paths.length > 0 && areIncluded(this.#workspace, served, this.paths);
  }

  /** Restores changes that could not be sent, so that the next sync sends all of them again. */
  #takeBack(changes: readonly Change[], stirred: readonly string[]): void {
    this.#unannounced.putBack(changes);
    this.#unsaved.putBack(stirred);
    this.#documents.open.mark('dirty', true);
  }

  #send(document: Document, isNews: boolean): void {
    this.#laid?.sent.add(document.path);
    this.#documents.send(document, isNews);
  }

  async #read(path: string): Promise<Document> {
    const laid = this.#laid?.documents.get(path);
    if (!laid && this.#unsaved.isUnheard(path)) throw noUnsavedText(this.#definition);
    return laid ?? this.#workspace.read(path);
  }

  #next(run: () => Promise<void>): Promise<void> {
    const done = this.#syncing.then(run);
    this.#syncing = done.catch(() => {});
    return done;
  }

  #closeOldest(kept: ReadonlySet<string>): void {
    for (const path of this.paths) {
      if (this.#documents.open.size <= limits.openDocuments) return;
      if (!kept.has(path)) this.#documents.close(path);
    }
  }
}

/** Changes not yet sent to a server, by path: a file that changes often between questions is one change. */
class PendingChanges {
  readonly #changes = new Map<string, Change>();

  get isEmpty(): boolean {
    return this.#changes.size === 0;
  }

  add(changes: readonly Change[]): void {
    for (const change of changes)
      this.#changes.set(change.path, joined(this.#changes.get(change.path), change));
  }

  take(): readonly Change[] {
    const taken = [...this.#changes.values()];
    this.#changes.clear();
    return taken;
  }

  /** Restores changes that could not be sent, before newer ones. */
  putBack(changes: readonly Change[]): void {
    this.add([...changes, ...this.take()]);
  }
}

/** Merges two changes of one file, for a server that was notified of neither. */
function joined(earlier: Change | undefined, later: Change): Change {
  if (earlier?.kind === 'created' && later.kind === 'changed') return earlier;
  // A file that was never on disk is new there.
  if (earlier?.unsaved) return later;
  if (earlier?.kind === 'deleted' && later.kind === 'created') return { path: later.path, kind: 'changed' };
  return later;
}
