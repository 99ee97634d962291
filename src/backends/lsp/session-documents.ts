import { limits } from '../../core/limits.ts';
import type { Document } from '../../workspace/document.ts';
import type { Change, Workspace } from '../../workspace/workspace.ts';
import type { Capabilities } from './capabilities.ts';
import type { Connection } from './connection.ts';
import { fileEvents } from './file-events.ts';
import { concerns, inOrderOfUse, openedAtOnce } from './file-interest.ts';
import { languageOf } from './language-of.ts';
import { type OpenDocument, OpenDocuments } from './open-documents.ts';
import type { ServerDefinition } from './server-definition.ts';
import { UnannouncedChanges } from './unannounced-changes.ts';

/** Texts that are not on the disk, and what of them was not open before. */
interface Laid {
  readonly documents: ReadonlyMap<string, Document>;
  readonly opened: ReadonlySet<string>;
  /** All that the server was sent meanwhile, and what it had yet to read before. */
  readonly sent: Set<string>;
}

/** Keeps what one server believes of the files equal to the disk: text goes out before the question about it. */
export class SessionDocuments {
  readonly #workspace: Workspace;
  readonly #connection: Connection;
  readonly #capabilities: Capabilities;
  readonly #definition: ServerDefinition;
  readonly #sent: (path?: string) => void;
  readonly #open = new OpenDocuments();
  readonly #unannounced = new UnannouncedChanges();
  #syncing: Promise<void> = Promise.resolve();
  #laid: Laid | undefined;
  /** What a server that reads only what is open has yet to read again, lest it go on with texts that were laid. */
  #unread: ReadonlySet<string> = new Set();
  #told = 0;

  constructor(
    workspace: Workspace,
    connection: Connection,
    capabilities: Capabilities,
    definition: ServerDefinition,
    /** Called whenever the server is told something new of one file, or of what concerns all. */
    sent: (path?: string) => void,
  ) {
    this.#workspace = workspace;
    this.#connection = connection;
    this.#capabilities = capabilities;
    this.#definition = definition;
    this.#sent = (path) => {
      if (path === undefined) this.#told += 1;
      sent(path);
    };
  }

  /** The open documents. */
  get paths(): readonly string[] {
    return this.#open.paths;
  }

  isOpen(path: string): boolean {
    return this.#open.get(path) !== undefined;
  }

  /** The version under which the server knows the present text. */
  version(path: string): number | undefined {
    return this.#open.get(path)?.version;
  }

  /** Takes note of changes on the disk; they go out with the next `sync`. */
  note(changes: readonly Change[]): void {
    this.#unannounced.add(changes);
    for (const { path } of changes) this.#open.mark('dirty', true, [path]);
  }

  /**
   * Sends everything that the server does not know yet, and opens `paths`, which must be readable, and what
   * of `welcome` is. Calls are made one after the other, so that a document is never opened twice.
   */
  sync(paths: readonly string[], welcome: readonly string[] = []): Promise<void> {
    const current = (path: string) => this.#open.touch(path);
    if (this.#unannounced.isEmpty && paths.every(current) && welcome.every(current)) return this.#syncing;
    return this.#next(() => this.#sync(paths, welcome));
  }

  /** Has the server believe other texts than the disk's; what changes on the disk is told when they are lifted. */
  lay(documents: ReadonlyMap<string, Document>): Promise<void> {
    return this.#next(async () => {
      await this.#sync([], []);
      if (this.#definition.readsOnlyOpen) this.closeAll();
      const paths = inOrderOfUse([...documents.keys()], this.#definition);
      const opened = new Set(paths.filter((path) => !this.isOpen(path)));
      this.#laid = { documents, opened, sent: new Set(this.#unread) };
      this.#distrust();
      await this.#sync(paths, []);
    });
  }

  /** Has the server believe the disk again. Rejects where that could not be told. */
  lift(): Promise<void> {
    return this.#next(async () => {
      for (const path of this.#laid?.opened ?? []) this.#close(path);
      if (this.#definition.readsOnlyOpen) this.closeAll();
      this.#open.mark('dirty', true, this.#laid?.documents.keys());
      if (this.#definition.readsOnlyOpen) this.#unread = this.#laid?.sent ?? this.#unread;
      this.#laid = undefined;
      this.#distrust();
      await this.#sync([], []);
    });
  }

  /**
   * Sends an open document again, as it is, where the server has since been told something else: it may have published
   * nothing new about this one, and does so about every version.
   */
  async retell(path: string): Promise<void> {
    await this.sync([path]);
    const open = this.#open.get(path);
    if (!open || open.sentAt === this.#told || !this.#capabilities.wantsChanges) return;
    const document = await this.#read(path);
    if (document.hash === open.hash) this.#resend(document, open);
  }

  /** Takes note that the server has read all that it was sent. */
  settle(): void {
    if (!this.#laid) this.#unread = new Set();
  }

  /** Takes note that what the server has said of any document may be of other texts. */
  outdate(): void {
    this.#sent();
  }

  closeAll(): void {
    for (const path of this.#open.paths) this.#close(path);
  }

  async #sync(paths: readonly string[], welcome: readonly string[]): Promise<void> {
    const changes = this.#laid ? [] : this.#unannounced.take();
    const unreadable = await this.#tell(changes, [...welcome, ...paths]).catch((error: unknown) => {
      this.#takeBack(changes);
      throw error;
    });
    this.#closeOldest(new Set([...paths, ...welcome, ...(this.#laid?.documents.keys() ?? this.#unread)]));
    for (const path of paths) if (unreadable.has(path)) throw unreadable.get(path);
  }

  /** Tells the server of changes, and sends the present text of what is open or to be; gives what cannot be read. */
  async #tell(changes: readonly Change[], paths: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
    this.#announce(changes);
    for (const change of changes) {
      if (change.kind === 'deleted') this.#close(change.path);
    }
    const stale = this.#laid ? [] : this.#open.stale;
    const changed = openedAtOnce(this.#definition, changes);
    // What such a server knows of a document may be of a header that was another: opened anew, it reads all again.
    const isOld =
      this.#definition.readsOnlyOpen && changes.some(({ path }) => concerns(this.#definition, path));
    if (isOld) this.closeAll();
    const unread = this.#laid ? [] : this.#unread;
    const all = [...new Set([...stale, ...changed, ...unread, ...paths])];
    // A server may work out its project anew wherever a change follows an opening.
    const wanted = all.sort((a, b) => Number(this.isOpen(b)) - Number(this.isOpen(a)));
    // Before the read: a change that comes during it makes the document dirty again.
    this.#open.mark('dirty', false, wanted);
    const unreadable = new Map<string, unknown>();
    const fail = (path: string, error: unknown) => void unreadable.set(path, error);
    const readings = wanted.map((path) => this.#read(path).catch((error) => fail(path, error)));
    for (const document of await Promise.all(readings)) if (document) this.#send(document);
    // A server would go on to answer from the last text that could be read.
    for (const path of unreadable.keys()) this.#close(path);
    return unreadable;
  }

  /** The wire did not take all that the server was to be told: the next time says all of it again. */
  #takeBack(changes: readonly Change[]): void {
    this.#unannounced.putBack(changes);
    this.#open.mark('dirty', true);
  }

  #send(document: Document): void {
    this.#laid?.sent.add(document.path);
    const uri = this.#workspace.uri(document.path);
    const open = this.#open.get(document.path);
    if (!open) {
      const languageId = languageOf(document.path, this.#definition) ?? 'plaintext';
      const version = this.#open.nextVersion(document.path);
      const textDocument = { uri, languageId, version, text: document.text };
      this.#connection.notify('textDocument/didOpen', { textDocument });
      this.#sent(document.path);
      this.#open.add(document.path, { version, hash: document.hash, sentAt: this.#told });
      return;
    }
    this.#open.touch(document.path);
    if (open.ambiguous || open.hash !== document.hash) this.#resend(document, open);
  }

  #resend(document: Document, open: OpenDocument): void {
    const uri = this.#workspace.uri(document.path);
    const version = this.#open.nextVersion(document.path);
    if (this.#capabilities.wantsChanges) {
      const contentChanges = [{ text: document.text }];
      this.#connection.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges });
      // The same text once more outdates nothing but what was said of it.
      const isAlone = this.#definition.checksFilesAlone || open.hash === document.hash;
      this.#sent(isAlone ? document.path : undefined);
    }
    open.version = version;
    open.hash = document.hash;
    open.sentAt = this.#told;
    open.ambiguous = false;
  }

  #announce(changes: readonly Change[]): void {
    const events = fileEvents(changes, this.#definition, this.#capabilities, this.#workspace);
    if (events.length === 0) return;
    this.#connection.notify('workspace/didChangeWatchedFiles', { changes: events });
    if (!this.#definition.checksFilesAlone) this.#sent();
  }

  /** The same with what the server publishes from now on: it may be late, and of the texts that it had before. */
  #distrust(): void {
    this.outdate();
    // Under a new version, what it says is of the texts that it has then.
    if (this.#capabilities.supports('textDocument/diagnostic', 'diagnosticProvider')) return;
    this.#open.mark('ambiguous', true);
  }

  async #read(path: string): Promise<Document> {
    return this.#laid?.documents.get(path) ?? this.#workspace.read(path);
  }

  #next(run: () => Promise<void>): Promise<void> {
    const done = this.#syncing.then(run);
    this.#syncing = done.catch(() => {});
    return done;
  }

  #closeOldest(kept: ReadonlySet<string>): void {
    for (const path of this.#open.paths) {
      if (this.#open.size <= limits.openDocuments) return;
      if (!kept.has(path)) this.#close(path);
    }
  }

  #close(path: string): void {
    if (!this.isOpen(path)) return;
    this.#connection.notify('textDocument/didClose', { textDocument: { uri: this.#workspace.uri(path) } });
    this.#open.remove(path);
  }
}
