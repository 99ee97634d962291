import type { OverlayTexts } from '../../../core/backend.ts';
import { type Call, cancelSignalOf, until, within, withinPart } from '../../../core/call.ts';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import type { QuestionKind } from '../../../core/question.ts';
import { CancelSource } from '../../../core/runtime/cancellation.ts';
import { mebibytes } from '../../../core/wording/mebibytes.ts';
import { quotePath } from '../../../core/wording/quote-path.ts';
import { ResponseError } from '../../../jsonrpc/message.ts';
import type { Service } from '../../../servers/definition.ts';
import { languageOf } from '../../../servers/language-of.ts';
import { overlaidWorkspace } from '../../../workspace/derived-workspace.ts';
import { type Document, documentOf } from '../../../workspace/texts/document.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { notOnDiskDoubts } from '../doubts/files-not-on-disk.ts';
import {
  notGivenBack,
  notRead,
  noUnsavedText,
  overlaidByAnother,
  overlayEnded,
} from '../errors/overlay-errors.ts';
import { rows } from '../questions/table.ts';
import type { Router } from '../routing/router.ts';
import type { OverlayLease, ServerSlot, UseSlot } from '../session/server-slot.ts';
import type { Session } from '../session/session.ts';

/** Leases all servers of some files while it works with other texts, and returns them as they were. */
export async function withOverlay<T>(
  { router, workspace }: { readonly router: Router; readonly workspace: Workspace },
  texts: OverlayTexts,
  call: Call,
  work: (overlay: Overlay) => Promise<T>,
): Promise<T> {
  const documents = readOverlay(workspace, texts);
  const overlay = new Overlay(workspace, documents);
  const begun = overlay.begin(serversOfFiles(router, [...documents.keys()]), call);
  return begun.then(() => until(work(overlay), cancelSignalOf(call))).finally(() => overlay.end());
}

/** Texts that are not on disk, and the lease on the servers that receive them when they are asked. */
class Overlay implements OverlayLease {
  /** The workspace with these texts. */
  readonly workspace: Workspace;
  readonly #disk: Workspace;
  readonly #documents: ReadonlyMap<string, Document>;
  readonly #unsaved: ServerSlot[] = [];
  readonly #laid = new Map<Session, Promise<void>>();
  readonly #running = new Set<Promise<unknown>>();
  readonly #ending = new CancelSource();
  #beginning: Promise<void> = Promise.resolve();

  constructor(workspace: Workspace, documents: ReadonlyMap<string, Document>) {
    this.workspace = overlaidWorkspace(workspace, documents);
    this.#disk = workspace;
    this.#documents = documents;
  }

  /** Leases the servers one after the other, always in the same order. */
  begin(slots: readonly ServerSlot[], call: Call): Promise<void> {
    this.#beginning = this.#take(slots, call);
    return this.#beginning;
  }

  /** Asks a leased server about these texts; another only if they do not concern it and it is not leased. */
  readonly use: UseSlot = (slot, service, call, work) =>
    this.run(call, (inner) => {
      if (this.#unsaved.includes(slot)) return slot.useWithin(service, inner, work, this);
      if (!slot.open || this.#concerns(slot)) throw overlaidByAnother(slot.definition);
      return slot.useWithin(service, inner, work);
    });

  async run<T>(call: Call, work: (inner: Call) => Promise<T>): Promise<T> {
    for (const end of [cancelSignalOf(call), this.#ending]) end.throwIfAborted();
    const running = withinPart(call, {}, work, this.#ending);
    this.#running.add(running);
    return running.finally(() => this.#running.delete(running));
  }

  holds({ definition, root }: Session): boolean {
    return this.#unsaved.some((slot) => slot.definition === definition && slot.root === root);
  }

  apply(session: Session): Promise<void> {
    const laid = this.#laid.get(session) ?? this.#lay(session);
    this.#laid.set(session, laid);
    return laid;
  }

  /** Restores the disk's texts at every server; waiting calls resume once no report can be of the overlay. */
  async end(): Promise<void> {
    this.#ending.abort(overlayEnded());
    await Promise.allSettled([this.#beginning, ...this.#running]);
    const given = [...this.#laid.keys()].filter(({ alive }) => alive).map((session) => giveBack(session));
    await Promise.all(given.map(({ written }) => written));
    void Promise.allSettled(given.map(({ read }) => read)).then(() => {
      for (const slot of this.#unsaved) slot.release();
    });
  }

  async #take(slots: readonly ServerSlot[], call: Call): Promise<void> {
    for (const slot of slots) {
      await slot.acquire(this, call);
      this.#unsaved.push(slot);
    }
    cancelSignalOf(call).throwIfAborted();
  }

  async #lay(session: Session): Promise<void> {
    const { capabilities, definition, documents } = session;
    if (!capabilities.wantsChanges) throw noUnsavedText(definition);
    const served = [...this.#documents].filter(([path]) => this.#isServed(path, session));
    session.diagnostics = session.diagnostics.disk.forOverlay();
    const laid = new Map(served);
    session.overlayDoubts = notOnDiskDoubts(definition, this.#disk, laid);
    await documents.applyOverlay(laid);
    await passBy(session);
  }

  /** Returns whether a server would have to be leased for its answers to be about these texts. */
  #concerns(slot: ServerSlot): boolean {
    return (
      slot.definition.quirks?.relays !== undefined ||
      [...this.#documents.keys()].some((path) => this.#isServed(path, slot))
    );
  }

  #isServed(path: string, { definition, root }: Pick<Session, 'definition' | 'root'>): boolean {
    return languageOf(path, definition) !== undefined && this.workspace.rootOf(path) === root;
  }
}

/** Ends a server that cannot be sent the disk's text again, rather than leave it with another. */
function giveBack(session: Session): { readonly written: Promise<void>; readonly read: Promise<void> } {
  const end = (error: unknown) => session.fail(notGivenBack(session.definition, error));
  session.diagnostics = session.diagnostics.disk;
  session.overlayDoubts = [];
  const written = session.documents.removeOverlay().catch(end);
  const read = written.then(() => passBy(session)).catch(end);
  return { written, read };
}

/** Waits until the server has read all: earlier publications without a version are about other texts. */
async function passBy(session: Session): Promise<void> {
  const { diagnostics, capabilities, definition, documents } = session;
  const isPlain =
    capabilities.supports('textDocument/diagnostic', 'diagnosticProvider') || diagnostics.tellsVersions;
  if (isPlain || !session.alive) return;
  const asked = session.request('$/lspan/alive', undefined, new CancelSource());
  const answered = asked.then(() => true, isRefusal);
  if ((await within(answered, limits.overlay.readBack)) === undefined) throw notRead(definition);
  documents.outdate();
}

/** Servers answer in order, so even "unknown method" proves that the server has read what came before. */
function isRefusal(error: unknown): true {
  if (error instanceof ResponseError) return true;
  throw error;
}

/** Creates documents from texts that are not on disk; refuses paths outside the roots, and too much text. */
function readOverlay(workspace: Workspace, texts: OverlayTexts): ReadonlyMap<string, Document> {
  const { files, bytes } = limits.overlay;
  if (texts.size > files) throw tooMuch(`${texts.size} files (limit: ${files})`);
  let size = 0;
  const documents = new Map<string, Document>();
  for (const [path, text] of texts) {
    if (workspace.rootOf(path) === undefined) throw outside(path);
    const length = Buffer.byteLength(text);
    if (length > limits.document)
      throw tooMuch(`${quotePath(workspace.show(path))} with ${mebibytes(length)}`);
    size += length;
    documents.set(path, documentOf(path, text));
  }
  if (size > bytes) throw tooMuch(`${mebibytes(size)} (limit: ${mebibytes(bytes)})`);
  return documents;
}

function outside(path: string): LspanError {
  return new LspanError('outside_workspace', `${quotePath(path)} is outside the workspace.`, {
    nextStep: 'Pass texts of files inside the workspace.',
  });
}

function tooMuch(what: string): LspanError {
  const message = `The unsaved texts are too large or too many for one call: ${what}.`;
  return new LspanError('limit_exceeded', message, { nextStep: 'Pass fewer or smaller texts.' });
}

/**
 * Returns all servers that may be asked about the files, with those that ask them and those that they ask.
 * Every lease follows this order: a server comes before those it asks, so that it gets its answers first.
 */
function serversOfFiles(router: Router, paths: readonly string[]): readonly ServerSlot[] {
  const serving = paths.flatMap((path) => [...router.serving(path, ...services), ...router.seeing(path)]);
  const known = new Set(serving);
  const asking = router.slots.filter((slot) => router.askedBy(slot).some((asked) => known.has(asked)));
  const all = new Set([...serving, ...asking]);
  for (const slot of [...all]) for (const asked of router.askedBy(slot)) all.add(asked);
  return [...all].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

const services: readonly Service[] = [...Object.keys(rows).filter(isKind), 'diagnostics'];

function isKind(name: string): name is QuestionKind {
  return Object.hasOwn(rows, name);
}

function placeOf({ definition, root }: ServerSlot): string {
  return [definition.quirks?.relays ? 0 : 1, root, definition.id].join('\0');
}
