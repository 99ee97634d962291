import { basename } from 'node:path';
import { limits } from '../../core/limits.ts';
import type { Document } from '../../workspace/document.ts';
import type { Change, Workspace } from '../../workspace/workspace.ts';
import type { Capabilities } from './capabilities.ts';
import type { Connection } from './connection.ts';
import { joinChanges } from './join-changes.ts';
import { languageOf } from './language-of.ts';
import { newFolders } from './new-folders.ts';
import type { ServerDefinition } from './server-definition.ts';
import { fileEvent, watchFilter } from './watched-files.ts';

interface OpenDocument {
  version: number;
  hash: string;
  dirty: boolean;
  /** How much of what concerns all the server had been told when it was last sent. */
  sentAt: number;
}

/** Keeps what one server believes of the files equal to the disk: text goes out before the question about it. */
export class SessionDocuments {
  readonly #workspace: Workspace;
  readonly #connection: Connection;
  readonly #capabilities: Capabilities;
  readonly #definition: ServerDefinition;
  readonly #sent: (path?: string) => void;
  readonly #markers: ReadonlySet<string>;
  /** In the order of use, the least recent first. */
  readonly #open = new Map<string, OpenDocument>();
  /** The last version of what is closed: what a server says late of that is not taken for what was opened anew. */
  readonly #versions = new Map<string, number>();
  /** By path, so that a file that changes often while nobody asks is one change. */
  readonly #unannounced = new Map<string, Change>();
  #syncing: Promise<void> = Promise.resolve();
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
    this.#markers = new Set(definition.projectMarkers);
  }

  /** The open documents. */
  get paths(): readonly string[] {
    return [...this.#open.keys()];
  }

  isOpen(path: string): boolean {
    return this.#open.has(path);
  }

  /** The version under which the server knows the present text. */
  version(path: string): number | undefined {
    return this.#open.get(path)?.version;
  }

  /** Takes note of changes on the disk; they go out with the next `sync`. */
  note(changes: readonly Change[]): void {
    for (const change of changes) {
      const open = this.#open.get(change.path);
      if (open) open.dirty = true;
      this.#unannounced.set(change.path, joinChanges(this.#unannounced.get(change.path), change));
    }
  }

  /**
   * Sends everything that the server does not know yet, and opens `paths`, which must be readable, and what
   * of `welcome` is. Calls are made one after the other, so that a document is never opened twice.
   */
  sync(paths: readonly string[], welcome: readonly string[] = []): Promise<void> {
    const current = (path: string) => this.#touch(path);
    if (this.#unannounced.size === 0 && paths.every(current) && welcome.every(current)) return this.#syncing;
    const run = this.#syncing.then(() => this.#sync(paths, welcome));
    this.#syncing = run.catch(() => {});
    return run;
  }

  /**
   * Sends an open document again, as it is, where the server has since been told something else: it may have published
   * nothing new about this one, and does so about every version.
   */
  async retell(path: string): Promise<void> {
    await this.sync([path]);
    const open = this.#open.get(path);
    if (!open || open.sentAt === this.#told || !this.#capabilities.wantsChanges) return;
    const document = await this.#workspace.read(path);
    if (document.hash === open.hash) this.#resend(document, open);
  }

  closeAll(): void {
    for (const path of [...this.#open.keys()]) this.#close(path);
  }

  async #sync(paths: readonly string[], welcome: readonly string[]): Promise<void> {
    const changes = [...this.#unannounced.values()];
    this.#unannounced.clear();
    const unreadable = await this.#tell(changes, [...welcome, ...paths]).catch((error: unknown) => {
      this.#takeBack(changes);
      throw error;
    });
    this.#closeOldest(new Set([...paths, ...welcome]));
    for (const path of paths) if (unreadable.has(path)) throw unreadable.get(path);
  }

  /** Tells the server of changes, and sends the present text of what is open or to be; gives what cannot be read. */
  async #tell(changes: readonly Change[], paths: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
    this.#announce(changes);
    for (const change of changes) {
      if (change.kind === 'deleted') this.#close(change.path);
    }
    const stale = [...this.#open].filter(([, open]) => open.dirty).map(([path]) => path);
    const created = changes.filter((change) => this.#opensAtOnce(change)).map((change) => change.path);
    // What such a server knows of a document may be of a header that was another: opened anew, it reads all again.
    const isOld = this.#definition.readsOnlyOpen && changes.some(({ path }) => this.#concerns(path));
    if (isOld) this.closeAll();
    const room = this.#definition.readsOnlyOpen ? limits.openDocuments : limits.openCreated;
    const wanted = [...new Set([...stale, ...created.slice(0, room), ...paths])];
    // Before the read: a change that comes during it makes the document dirty again.
    for (const path of wanted) this.#markClean(path);
    const unreadable = new Map<string, unknown>();
    const fail = (path: string, error: unknown) => void unreadable.set(path, error);
    const readings = wanted.map((path) => this.#workspace.read(path).catch((error) => fail(path, error)));
    for (const document of await Promise.all(readings)) if (document) this.#send(document);
    // A server would go on to answer from the last text that could be read.
    for (const path of unreadable.keys()) this.#close(path);
    return unreadable;
  }

  /** The wire did not take all that the server was to be told: the next time says all of it again. */
  #takeBack(changes: readonly Change[]): void {
    const later = [...this.#unannounced.values()];
    this.#unannounced.clear();
    for (const change of [...changes, ...later]) {
      this.#unannounced.set(change.path, joinChanges(this.#unannounced.get(change.path), change));
    }
    for (const open of this.#open.values()) open.dirty = true;
  }

  #send(document: Document): void {
    const uri = this.#workspace.uri(document.path);
    const open = this.#open.get(document.path);
    if (!open) {
      const languageId = languageOf(document.path, this.#definition) ?? 'plaintext';
      const version = (this.#versions.get(document.path) ?? 0) + 1;
      const textDocument = { uri, languageId, version, text: document.text };
      this.#connection.notify('textDocument/didOpen', { textDocument });
      this.#sent(document.path);
      const sentAt = this.#told;
      this.#open.set(document.path, { version, hash: document.hash, dirty: false, sentAt });
      return;
    }
    this.#touch(document.path);
    if (open.hash !== document.hash) this.#resend(document, open);
  }

  #resend(document: Document, open: OpenDocument): void {
    const uri = this.#workspace.uri(document.path);
    const version = open.version + 1;
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
  }

  #announce(changes: readonly Change[]): void {
    const asked = watchFilter(this.#capabilities.watching);
    const told = changes.filter((change) => this.#concerns(change.path) || asked(change));
    const folders = newFolders(told, this.#workspace).filter(asked);
    const events = [...folders, ...told].map((change) => fileEvent(change, this.#workspace.uri(change.path)));
    if (events.length === 0) return;
    this.#connection.notify('workspace/didChangeWatchedFiles', { changes: events });
    if (!this.#definition.checksFilesAlone) this.#sent();
  }

  /** What a server certainly needs to know: it may not have registered for it yet, or never does. */
  #concerns(path: string): boolean {
    return languageOf(path, this.#definition) !== undefined || this.#markers.has(basename(path));
  }

  #opensAtOnce(change: Change): boolean {
    const { opensCreated, readsOnlyOpen } = this.#definition;
    const isMeant = change.kind === 'created' ? opensCreated || readsOnlyOpen : readsOnlyOpen;
    if (isMeant !== true || change.kind === 'deleted') return false;
    return languageOf(change.path, this.#definition) !== undefined;
  }

  #markClean(path: string): void {
    const open = this.#open.get(path);
    if (open) open.dirty = false;
  }

  /** Marks a document as just used; tells whether it is open and current. */
  #touch(path: string): boolean {
    const open = this.#open.get(path);
    if (!open) return false;
    this.#open.delete(path);
    this.#open.set(path, open);
    return !open.dirty;
  }

  #closeOldest(kept: ReadonlySet<string>): void {
    for (const path of [...this.#open.keys()]) {
      if (this.#open.size <= limits.openDocuments) return;
      if (!kept.has(path)) this.#close(path);
    }
  }

  #close(path: string): void {
    if (!this.#open.has(path)) return;
    this.#connection.notify('textDocument/didClose', { textDocument: { uri: this.#workspace.uri(path) } });
    this.#versions.set(path, this.#open.get(path)?.version ?? 0);
    this.#open.delete(path);
  }
}
