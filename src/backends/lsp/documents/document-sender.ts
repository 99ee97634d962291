import type { ServerDefinition } from '../../../servers/definition.ts';
import { languageOf } from '../../../servers/language-of.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import type { Change, Workspace } from '../../../workspace/workspace.ts';
import type { Capabilities } from '../protocol/capabilities.ts';
import type { Connection } from '../protocol/connection.ts';
import { fileEvents } from './file-events.ts';
import { type OpenDocument, OpenDocuments } from './open-documents.ts';

/** What telling a server of documents takes. */
export interface DocumentWire {
  readonly workspace: Workspace;
  readonly connection: Connection;
  readonly capabilities: Capabilities;
  readonly definition: ServerDefinition;
  /** Called whenever the server is told something new of one file, or of what concerns all. */
  readonly sent: (path?: string) => void;
}

/** That a server has published nothing for a while. */
export interface Silence {
  readonly pause: number;
  /** When it last did, of any file. */
  readonly spokeAt: number;
}

/** Sends documents to one server, and remembers what it has of them. */
export class DocumentSender {
  readonly open = new OpenDocuments();
  readonly #wire: DocumentWire;
  #told = 0;

  constructor(wire: DocumentWire) {
    this.#wire = wire;
  }

  has(path: string): boolean {
    return this.open.get(path) !== undefined;
  }

  /**
   * Sends a document where the server does not have that text.
   * @param isNews Whether it is not the text that the server would read on the disk: all that it said may be outdated.
   */
  send(document: Document, isNews: boolean): void {
    const open = this.open.get(document.path);
    if (!open) {
      this.#open(document, isNews);
      return;
    }
    this.open.touch(document.path);
    if (open.ambiguous || open.hash !== document.hash) this.#change(document, open);
  }

  /** Whether the server has been told something that concerns all since it was last sent a document. */
  isBehind(path: string): boolean {
    const open = this.open.get(path);
    return open !== undefined && open.sentAt !== this.#told;
  }

  /**
   * Whether the server may have dropped a document: it has spoken of something since it was sent that, and was then silent
   * for a pause, and for twice as long each time that it was sent again. Who has said nothing may still be checking.
   */
  isDropped(path: string, { pause, spokeAt }: Silence): boolean {
    const { sentTime = Number.POSITIVE_INFINITY, repeats = 0 } = this.open.get(path) ?? {};
    return spokeAt > sentTime && performance.now() - sentTime >= pause * 2 ** repeats;
  }

  /** Sends a document again as it is. */
  resend(document: Document): void {
    const open = this.open.get(document.path);
    if (open?.hash === document.hash) this.#change(document, open);
  }

  close(path: string): void {
    if (!this.has(path)) return;
    const { connection, workspace } = this.#wire;
    connection.notify('textDocument/didClose', { textDocument: { uri: workspace.uri(path) } });
    this.open.remove(path);
  }

  closeAll(): void {
    for (const path of this.open.paths) this.close(path);
  }

  /** Tells of changes on the disk. */
  announce(changes: readonly Change[]): void {
    const { connection, definition, capabilities, workspace } = this.#wire;
    const events = fileEvents(changes, definition, capabilities, workspace);
    if (events.length === 0) return;
    connection.notify('workspace/didChangeWatchedFiles', { changes: events });
    if (!definition.diagnostics?.checksFilesAlone) this.outdate();
  }

  /** Takes note that what the server has said of any document may be of other texts. */
  outdate(): void {
    this.#told += 1;
    this.#wire.sent();
  }

  /** The same with what the server publishes from now on: it may be late, and of the texts that it had before. */
  distrust(): void {
    this.outdate();
    // Under a new version, what it says is of the texts that it has then.
    if (this.#wire.capabilities.supports('textDocument/diagnostic', 'diagnosticProvider')) return;
    this.open.mark('ambiguous', true);
  }

  #open({ path, text, hash }: Document, isNews: boolean): void {
    const { connection, definition, workspace } = this.#wire;
    const languageId = languageOf(path, definition) ?? 'plaintext';
    const version = this.open.nextVersion(path);
    const textDocument = { uri: workspace.uri(path), languageId, version, text };
    connection.notify('textDocument/didOpen', { textDocument });
    this.#tellOf(path, !isNews);
    this.open.add(path, { version, hash, sentAt: this.#told });
  }

  #change({ path, text, hash }: Document, open: OpenDocument): void {
    const { connection, capabilities, workspace } = this.#wire;
    const version = this.open.nextVersion(path);
    const isSameText = open.hash === hash;
    // What it says of the version before is then as good.
    const isSame = isSameText && !open.ambiguous && !this.isBehind(path);
    if (capabilities.wantsChanges) {
      const textDocument = { uri: workspace.uri(path), version };
      connection.notify('textDocument/didChange', { textDocument, contentChanges: [{ text }] });
      // The same text once more outdates nothing but what was said of it.
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

  #tellOf(path: string, isAlone: boolean): void {
    if (isAlone || this.#wire.definition.diagnostics?.checksFilesAlone) this.#wire.sent(path);
    else this.outdate();
  }
}
