import { dirname } from 'node:path';
import type { Json } from '../../../core/runtime/json.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';
import { languageOf } from '../../../servers/language-of.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import type { Change, Workspace } from '../../../workspace/workspace.ts';
import type { Capabilities } from '../protocol/capabilities.ts';
import type { Connection } from '../protocol/connection.ts';
import { fileEvent, watchFilter } from '../protocol/watched-files.ts';
import { concerns } from './file-interest.ts';
import type { FileParts } from './file-parts.ts';
import type { FileSettings } from './file-settings.ts';
import { type OpenDocument, OpenDocuments } from './open-documents.ts';

/** Dependencies for sending documents to a server. */
export interface DocumentWire {
  readonly workspace: Workspace;
  readonly connection: Connection;
  readonly capabilities: Capabilities;
  readonly definition: ServerDefinition;
  /** Tells documents that are opened under another name. Absent for a server that reads every file by itself. */
  readonly parts?: FileParts | undefined;
  /** Settings that the server needs before it is sent certain documents. Absent for a server without any. */
  readonly fileSettings?: FileSettings | undefined;
  /** Returns whether something outside the workspace has changed that the server reads only at its start. */
  readonly hasChangedOutside?: () => boolean;
  /** Called whenever the server is sent something new about one file, or about all files. */
  readonly sent: (path?: string) => void;
}

/** A pause in the server's publications. */
export interface Silence {
  readonly pause: number;
  /** Time of its last publication, about any file. */
  readonly spokeAt: number;
}

/** Sends documents to one server, and tracks what it has. */
export class DocumentSender {
  readonly open = new OpenDocuments();
  /** Changed files on which no other depends. */
  independent: ReadonlySet<string> = new Set();
  readonly #wire: DocumentWire;
  #told = 0;
  #sent = 0;

  constructor(wire: DocumentWire) {
    this.#wire = wire;
  }

  /** Number of notifications so far. */
  get sent(): number {
    return this.#sent;
  }

  has(path: string): boolean {
    return this.open.get(path) !== undefined;
  }

  /**
   * Sends a document if the server does not have that text.
   * @param isNews True if the text differs from the disk: everything the server reported may be outdated.
   */
  send(document: Document, isNews: boolean): void {
    const open = this.open.get(document.path);
    if (!open) {
      this.#open(document, isNews);
      return;
    }
    this.open.touch(document.path);
    if (!open.ambiguous && open.hash === document.hash) return;
    if (open.head === this.#headOf(document)) {
      this.#change(document, open);
      return;
    }
    this.close(document.path);
    this.#open(document, isNews);
  }

  /** Returns whether the server was sent something about all files after it was last sent this document. */
  isBehind(path: string): boolean {
    const open = this.open.get(path);
    return open !== undefined && open.sentAt !== this.#told;
  }

  /**
   * Returns whether the server may have dropped a document: it published something after the document was
   * sent, then was silent for a pause, doubled with each resend. Until it publishes, it may be checking.
   */
  isDropped(path: string, { pause, spokeAt }: Silence): boolean {
    const { sentTime = Number.POSITIVE_INFINITY, repeats = 0 } = this.open.get(path) ?? {};
    return spokeAt > sentTime && performance.now() - sentTime >= pause * 2 ** repeats;
  }

  /** Sends an unchanged document again. */
  resend(document: Document): void {
    const open = this.open.get(document.path);
    if (open?.hash === document.hash) this.#change(document, open);
  }

  close(path: string): void {
    if (!this.has(path)) return;
    const { parts, workspace } = this.#wire;
    this.#notify('textDocument/didClose', { textDocument: { uri: workspace.uri(path) } });
    parts?.onClosed(path);
    this.open.remove(path);
  }

  closeAll(): void {
    for (const path of this.open.paths) this.close(path);
  }

  /** Notifies the server of changes on disk. */
  announce(changes: readonly Change[]): void {
    const { definition, capabilities, workspace } = this.#wire;
    const events = fileEvents(changes, definition, capabilities, workspace);
    if (events.length === 0) return;
    this.#notify('workspace/didChangeWatchedFiles', { changes: events });
    if (!changes.every(({ path }) => this.#isAlone(path))) this.outdate();
  }

  /** True if the text of a file says nothing about any other one. */
  #isAlone(path: string): boolean {
    return this.#wire.definition.diagnostics?.checksFilesAlone === true || this.independent.has(path);
  }

  /** Marks everything the server reported as possibly outdated. */
  outdate(): void {
    this.#told += 1;
    this.#wire.sent();
  }

  /** Like `outdate`, but also for later publications: they may be late, and about the previous texts. */
  distrust(): void {
    this.outdate();
    // A new version makes later publications refer to the texts that the server has then.
    if (this.#wire.capabilities.supports('textDocument/diagnostic', 'diagnosticProvider')) return;
    this.open.mark('ambiguous', true);
  }

  #open(document: Document, isNews: boolean): void {
    const { path, text, hash } = document;
    const { definition, parts, workspace } = this.#wire;
    parts?.onOpening(document);
    this.#sendSettings(path);
    const languageId = languageOf(path, definition) ?? 'plaintext';
    const version = this.open.nextVersion(path);
    const textDocument = { uri: workspace.uri(path), languageId, version, text };
    this.#notify('textDocument/didOpen', { textDocument });
    this.#tellOf(path, !isNews);
    this.open.add(path, { version, hash, head: this.#headOf(document), sentAt: this.#told });
  }

  #headOf({ path, text }: Document): string | undefined {
    const { sources } = this.#wire.definition.sync ?? {};
    return sources?.files.test(path) ? sources.head(text) : undefined;
  }

  #change({ path, text, hash }: Document, open: OpenDocument): void {
    const { capabilities, workspace } = this.#wire;
    const version = this.open.nextVersion(path);
    const isSameText = open.hash === hash;
    // Diagnostics for the previous version are then still valid.
    const isSame = isSameText && !open.ambiguous && !this.isBehind(path);
    if (capabilities.wantsChanges) {
      if (!isSameText) this.#sendSettings(path);
      const textDocument = { uri: workspace.uri(path), version };
      this.#notify('textDocument/didChange', { textDocument, contentChanges: [{ text }] });
      // Sending the same text again outdates only what was reported about it.
      if (!isSame) this.#tellOf(path, isSameText);
    }
    if (!isSame) open.since = version;
    open.repeats = isSame ? open.repeats + 1 : 0;
    open.sentTime = performance.now();
    open.version = version;
    open.hash = hash;
    open.sentAt = this.#told;
    open.ambiguous = false;
  }

  /** Sends the settings that a document needs, unless it is opened as a part of another one. */
  #sendSettings(path: string): void {
    const { parts, fileSettings } = this.#wire;
    const needed = parts?.isPart(path) ? undefined : fileSettings?.toSend(path);
    if (needed) this.#notify('workspace/didChangeConfiguration', { settings: needed });
  }

  #notify(method: string, params: Json): void {
    this.#sent += 1;
    this.#wire.connection.notify(method, params);
  }

  #tellOf(path: string, isAlone: boolean): void {
    if (isAlone || this.#isAlone(path)) this.#wire.sent(path);
    else this.outdate();
  }
}

/** Returns the changes on disk that a server is notified of, as LSP file events. */
function fileEvents(
  changes: readonly Change[],
  definition: ServerDefinition,
  { watching }: Capabilities,
  workspace: Workspace,
): readonly Json[] {
  const asked = watchFilter(watching);
  const told = changes.filter((change) => concerns(definition, change.path) || asked(change));
  const folders = newFolders(told, workspace).filter(asked);
  // One that knows the file takes no notice that it was created.
  const events = [...folders, ...told].flatMap((change) =>
    change.isFirst ? [{ ...change, kind: 'changed' } as const, change] : [change],
  );
  return events.map((change) => fileEvent(change, workspace.uri(change.path)));
}

/**
 * Returns the folders that came with created files as changes, outer ones first. A server that caches
 * listings does not look into a folder that it was not notified of.
 */
function newFolders(changes: readonly Change[], { roots, files }: Workspace): readonly Change[] {
  const created = new Set(changes.filter(({ kind }) => kind === 'created').map(({ path }) => path));
  const folders = new Set<string>();
  for (const path of created)
    for (let folder = dirname(path); isNews(folder); folder = dirname(folder)) folders.add(folder);
  if (folders.size === 0) return [];
  for (const path of files()) {
    if (folders.size === 0) break;
    if (!created.has(path))
      for (let folder = dirname(path); folders.delete(folder); folder = dirname(folder));
  }
  return [...folders].sort().map((path) => ({ kind: 'created', path }));

  function isNews(folder: string): boolean {
    return !folders.has(folder) && !roots.includes(folder) && folder !== dirname(folder);
  }
}
