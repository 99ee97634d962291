import { basename, extname } from 'node:path';
import { limits } from '../../core/limits.ts';
import type { Document } from '../../workspace/document.ts';
import type { Change, Workspace } from '../../workspace/workspace.ts';
import type { Capabilities } from './capabilities.ts';
import type { Connection } from './connection.ts';
import type { ServerDefinition } from './server-definition.ts';
import { fileEvent, watchFilter } from './watched-files.ts';

interface OpenDocument {
  version: number;
  hash: string;
  dirty: boolean;
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
  /** By path, so that a file that changes often while nobody asks is one change. */
  readonly #unannounced = new Map<string, Change>();
  #syncing: Promise<void> = Promise.resolve();

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
    this.#sent = sent;
    this.#markers = new Set(definition.projectMarkers);
  }

  get count(): number {
    return this.#open.size;
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
      this.#unannounced.set(change.path, joined(this.#unannounced.get(change.path), change));
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
    const wanted = [...new Set([...stale, ...created.slice(0, limits.openCreated), ...paths])];
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
      this.#unannounced.set(change.path, joined(this.#unannounced.get(change.path), change));
    }
    for (const open of this.#open.values()) open.dirty = true;
  }

  #send(document: Document): void {
    const uri = this.#workspace.uri(document.path);
    const open = this.#open.get(document.path);
    if (!open) {
      const languageId = languageOf(document.path, this.#definition) ?? 'plaintext';
      const textDocument = { uri, languageId, version: 1, text: document.text };
      this.#connection.notify('textDocument/didOpen', { textDocument });
      this.#open.set(document.path, { version: 1, hash: document.hash, dirty: false });
      this.#sent(document.path);
      return;
    }
    this.#touch(document.path);
    if (open.hash === document.hash) return;
    const version = open.version + 1;
    if (this.#capabilities.wantsChanges) {
      const contentChanges = [{ text: document.text }];
      this.#connection.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges });
      this.#sent();
    }
    open.version = version;
    open.hash = document.hash;
  }

  #announce(changes: readonly Change[]): void {
    const asked = watchFilter(this.#capabilities.registrations('workspace/didChangeWatchedFiles'));
    const events = changes
      .filter((change) => this.#concerns(change.path) || asked(change))
      .map((change) => fileEvent(change, this.#workspace.uri(change.path)));
    if (events.length === 0) return;
    this.#connection.notify('workspace/didChangeWatchedFiles', { changes: events });
    this.#sent();
  }

  /** What a server certainly needs to know: it may not have registered for it yet, or never does. */
  #concerns(path: string): boolean {
    return languageOf(path, this.#definition) !== undefined || this.#markers.has(basename(path));
  }

  #opensAtOnce(change: Change): boolean {
    if (change.kind !== 'created' || this.#definition.opensCreated !== true) return false;
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
    this.#open.delete(path);
  }
}

/** Two changes of one file as one. */
function joined(earlier: Change | undefined, later: Change): Change {
  if (earlier?.kind === 'created' && later.kind === 'changed') return earlier;
  if (earlier?.kind === 'deleted' && later.kind === 'created') return { path: later.path, kind: 'changed' };
  return later;
}

/** The language id under which a server knows a file; `undefined` where it does not serve it. */
export function languageOf(path: string, definition: ServerDefinition): string | undefined {
  const name = basename(path);
  const extension = extname(name).slice(1) || name;
  const keys = [name, `${name.split('.', 1)[0]}.*`, extension, extension.toLowerCase()];
  const known = keys.find((key) => Object.hasOwn(definition.extensions, key));
  return known === undefined ? undefined : definition.extensions[known];
}
