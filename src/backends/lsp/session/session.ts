import { beginCall, type Call, cancelSignalOf, within } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import type { Log } from '../../../core/log.ts';
import type { PositionEncoding } from '../../../core/position.ts';
import type { Span } from '../../../core/question.ts';
import { type CancelSignal, CancelSource } from '../../../core/runtime/cancellation.ts';
import { object, text } from '../../../core/runtime/json.ts';
import { resultOrError } from '../../../core/runtime/result.ts';
import { ResponseError } from '../../../jsonrpc/message.ts';
import { listedPaths } from '../../../platform/files/listed-paths.ts';
import type { ProjectFacts, ServerDefinition, Service } from '../../../servers/definition.ts';
import type { Change, Workspace } from '../../../workspace/workspace.ts';
import { isHiddenPlace, isRelatedToOutside } from '../convert/outside-text.ts';
import { DocumentSync } from '../documents/document-sync.ts';
import { openingRules } from '../documents/file-settings.ts';
import { mixesFolders, runningDoubts } from '../doubts/running-server.ts';
import { unsavedFileDoubts } from '../doubts/unsaved-files.ts';
import { childDied, halfOpen, hung, stopped, unreadDoubt } from '../errors/server-errors.ts';
import { HangDetector } from '../process/hang-detector.ts';
import { exitFailure } from '../process/process-exit.ts';
import type { ServerProcess } from '../process/server-process.ts';
import { Capabilities } from '../protocol/capabilities.ts';
import { Connection } from '../protocol/connection.ts';
import type { DocumentAliases } from '../protocol/document-aliases.ts';
import { EditRequests } from '../protocol/edit-requests.ts';
import { type Handshake, initializeParams, readHandshake, workspaceFolders } from '../protocol/handshake.ts';
import { PartialResults } from '../protocol/partial-results.ts';
import { answerServerRequest } from '../protocol/server-requests.ts';
import { awaitReady } from './await-ready.ts';
import { CheckProgress } from './check-progress.ts';
import { DiagnosticsStore } from './diagnostics-store.ts';
import { OutsideFiles } from './outside-files.ts';
import { isBeforeOpen, takePublication } from './publications.ts';
import { Readiness } from './readiness.ts';
import { type FindSlot, ServerRelay } from './server-relay.ts';
import type { TrustLookup } from './trust-gate.ts';

/** One running language server, from its handshake to its end. */
export class Session {
  readonly definition: ServerDefinition;
  readonly root: string;
  readonly process: ServerProcess;
  readonly readiness: Readiness;
  readonly checks: CheckProgress;
  /** Diagnostics for the text that the server has: the disk's, or temporarily an overlay. */
  diagnostics = new DiagnosticsStore();
  /** Why answers about text that is not on the disk may be wrong, while the server has such text. */
  overlayDoubts: readonly Doubt[] = [];
  readonly partials = new PartialResults();
  readonly documents: DocumentSync;
  readonly hangDetector: HangDetector;
  readonly relay: ServerRelay;
  readonly editRequests: EditRequests;
  readonly startedAt = performance.now();
  /** Resolves once, with the reason, when the server can no longer be asked. */
  readonly ended: Promise<LspanError>;
  readonly capabilities = new Capabilities(() =>
    this.#parts.log('warn', 'watching_everything', { server: this.definition.id }),
  );
  handshake: Handshake = readHandshake(undefined);
  readonly #parts: SessionOptions;
  readonly #connection: Connection;
  readonly #outside: OutsideFiles | undefined;
  #end: LspanError | undefined;
  #stopping = false;
  #finish: (reason: LspanError) => void = () => {};

  constructor(parts: SessionOptions) {
    this.#parts = parts;
    const { definition } = parts;
    const { ready } = definition;
    this.definition = definition;
    this.root = parts.root;
    this.process = parts.process;
    this.readiness = new Readiness(typeof ready === 'function' ? ready(parts.facts) : ready);
    this.checks = new CheckProgress(definition.diagnostics?.checking, () => this.diagnostics.wake());
    this.ended = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.#connection = new Connection(parts.process, {
      server: parts.definition.id,
      answer: (method, params) => this.#answer(method, params),
      hear: (method, params) => this.#hear(method, params),
      fault: (error) => this.fail(error),
      mapping: parts.aliases,
      ...(parts.trace ? { trace: parts.trace } : {}),
    });
    const sent = (path?: string) => {
      this.diagnostics.invalidate(path);
      this.readiness.onSent();
      this.#outside?.noteSent();
    };
    this.#outside = this.#watchOutside();
    const wire = { connection: this.#connection, capabilities: this.capabilities, sent };
    this.documents = new DocumentSync({ ...parts, ...wire, ...openingRules(parts) }, parts.root);
    this.relay = new ServerRelay(this, parts.findSlot);
    this.editRequests = new EditRequests(definition.id, parts.log);
    parts.process.exited.then((exit) =>
      this.#close(this.#stopping ? stopped(definition) : exitFailure(definition.id, exit)),
    );
    parts.process.halfOpen.then((part) => this.fail(halfOpen(definition, part)));
    this.hangDetector = new HangDetector(parts.process, {
      probe: () => this.#probe(),
      hung: (silence) => this.fail(hung(definition, silence)),
      ended: this.ended,
      ...(definition.far && { processorTime: async () => undefined }),
    });
  }

  get facts(): ProjectFacts {
    return this.#parts.facts;
  }

  get timeouts(): SessionTimeouts {
    return this.#parts.timeouts ?? defaultTimeouts;
  }

  get encoding(): PositionEncoding {
    return this.handshake.encoding;
  }

  /** True if the server can still be asked. */
  get alive(): boolean {
    return this.#end === undefined && !this.#stopping;
  }

  /** True if the server ended without being stopped. */
  get crashed(): boolean {
    return this.#end !== undefined && !this.#stopping;
  }

  /** True if its answers may quote files that a file of the root includes, and the root is not trusted. */
  get withholdsOutside(): boolean {
    const { definition, facts } = this.#parts;
    return definition.trust?.includesText === true && !facts.trusted;
  }

  /** True if an empty list of problems proves nothing. */
  get mixesFolders(): boolean {
    return mixesFolders({ ...this.#parts, commands: this.capabilities.commands });
  }

  /** Returns whether the message of a diagnostic must not be shown. */
  withholds(diagnostic: unknown): boolean {
    const { workspace, checkouts } = this.#parts;
    return this.withholdsOutside && isRelatedToOutside(diagnostic, workspace, checkouts);
  }

  /** Returns whether a place may be named, but its text not shown. */
  isHidden(place: Pick<Span, 'path' | 'standing'>): boolean {
    return isHiddenPlace(place, this.#parts.checkouts);
  }

  /** Performs the handshake. Rejects when the server dies in it or the signal aborts. */
  async initialize(signal: CancelSignal): Promise<void> {
    const { rootFolder: root, folders, initializationOptions, version, settings, definition } = this.#parts;
    // A server that watches its parent by number would not find it, and end.
    const isApart = this.process.confined?.ownProcessNumbers || definition.far;
    const place = { root, folders, ...(isApart ? { processId: null } : {}) };
    const { clientCapabilities, asksForSettings } = definition.handshake ?? {};
    const params = initializeParams(place, initializationOptions, version, clientCapabilities);
    this.handshake = readHandshake(await this.request('initialize', params, signal));
    this.capabilities.announce(this.handshake.capabilities);
    this.#connection.notify('initialized', {});
    if (Object.keys(settings).length > 0 && !asksForSettings) {
      this.#connection.notify('workspace/didChangeConfiguration', { settings });
    }
  }

  async request(method: string, params: unknown, signal: CancelSignal): Promise<unknown> {
    const since = performance.now();
    try {
      const send = () => this.#connection.request(method, params, signal);
      const answer = await (this.#outside && !ofLife.has(method) ? this.#outside.ask(method, send) : send());
      this.hangDetector.answered();
      return answer;
    } catch (error) {
      if (error instanceof ResponseError) this.hangDetector.answered();
      else if (isTimeout(error) && this.readiness.isReady) this.hangDetector.ranOutOfTime(since);
      throw error;
    }
  }

  notify(method: string, params: unknown): void {
    this.#connection.notify(method, params);
  }

  /** Records changes on the disk below the root. */
  note(changes: readonly Change[]): void {
    for (const { kind, path } of changes) {
      if (kind === 'deleted') this.diagnostics.forget(path);
      else this.diagnostics.touch(path);
    }
    this.documents.note(changes);
  }

  /** Waits until the server is ready; returns a doubt if the call's time runs out first. */
  ready(call: Call): Promise<readonly Doubt[]> {
    return awaitReady(this, call);
  }

  /** Why the server's searches or checks may be incomplete as long as it runs. */
  doubtsAbout(service: Service): readonly Doubt[] {
    const server = { ...this.#parts, commands: this.capabilities.commands };
    const standing = runningDoubts(server, this.readiness.trouble, service);
    const unsaved = unsavedFileDoubts(this, this.#parts.workspace, { service });
    return [...standing, ...this.relay.doubts, ...this.overlayDoubts, ...unsaved, ...this.unreadDoubts()];
  }

  /** What the server was kept from reading: types that come from there are unknown to it. */
  unreadDoubts(): readonly Doubt[] {
    const { definition, facts, workspace } = this.#parts;
    if (facts.trusted) return [];
    // Without a temporary folder, such as on a full disk, nothing is listed.
    const unread = resultOrError(() => listedPaths(facts.unreadList()));
    const files = [...(unread instanceof LspanError ? [] : unread), ...(this.#outside?.emptied ?? [])];
    return unreadDoubt(
      definition,
      files.map((file) => workspace.show(file)),
    );
  }

  /** Resolves at the server's next event, or after `time`; rejects when the server ends. */
  async nextEvent(time: number, signal: CancelSignal): Promise<void> {
    await within(this.readiness.next(), time, signal);
    if (this.#end) throw this.#end;
  }

  /** Resolves at the next publication of diagnostics, or when a check ends; rejects when the server ends. */
  async nextPublication(): Promise<void> {
    await this.diagnostics.next();
    if (this.#end) throw this.#end;
  }

  /** Kills the server because it cannot be trusted any more. */
  fail(reason: LspanError): void {
    this.#close(reason);
    this.process.kill();
  }

  async stop(options: { readonly hurried?: boolean } = {}): Promise<void> {
    this.#stopping = true;
    await this.process.stop({ ...options, graceful: () => this.#sayGoodbye() });
    this.#close(stopped(this.definition));
  }

  /** A sandbox hides the secrets of the home, and the server's socket too on some systems. */
  #watchOutside(): OutsideFiles | undefined {
    const { definition, facts, process, workspace } = this.#parts;
    const programs = definition.files?.programFiles;
    if (programs === undefined || facts.trusted || process.confined !== undefined) return undefined;
    return new OutsideFiles({
      server: definition.id,
      programs,
      isHidden: (uri) => this.isHidden(workspace.fromUri(uri)),
      request: (method, params, signal) => this.#connection.request(method, params, signal),
      notify: (method, params) => this.#connection.notify(method, params),
      fault: (error) => {
        if (this.alive) this.fail(error);
      },
    });
  }

  /** https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#dollarRequests */
  #probe(): void {
    // A refusal is an answer too; a failed write or the end of the server is detected elsewhere.
    this.#connection.request('$/lspan/alive', undefined, new CancelSource()).catch(() => {});
  }

  async #sayGoodbye(): Promise<void> {
    if (this.#end) return;
    this.documents.closeAll();
    const time = beginCall({ time: limits.stop.shutdown });
    const told = this.request('shutdown', undefined, cancelSignalOf(time)).finally(() =>
      time[Symbol.dispose](),
    );
    // A server that answers `shutdown` too slowly may still exit by itself.
    await told.finally(() => this.#connection.notify('exit', undefined));
  }

  #close(reason: LspanError): void {
    if (this.#end) return;
    this.#end = reason;
    this.#connection.close(reason);
    this.#outside?.close();
    this.readiness.wake();
    this.diagnostics.wake();
    this.#finish(reason);
  }

  #answer(method: string, params: unknown): unknown {
    this.#judge(method, params);
    if (this.readiness.onMessage(method, params)) this.documents.outdate();
    const { settings, folders } = this.#parts;
    return answerServerRequest(
      {
        settings,
        folders: () => workspaceFolders(folders),
        register: (registrations) => this.capabilities.register(registrations),
        unregister: (unregistrations) => this.capabilities.unregister(unregistrations),
        refreshed: (what) => {
          if (what === 'workspace/diagnostic/refresh') this.diagnostics.refresh();
        },
        applyEdit: ({ edit }) => this.editRequests.answer(edit),
      },
      method,
      params,
    );
  }

  #hear(method: string, params: unknown): void {
    if (this.checks.onMessage(method, params)) return;
    const isPublication = method === 'textDocument/publishDiagnostics';
    const { documents, diagnostics } = this;
    const audience = { ...this.#parts, documents, diagnostics };
    if (!isPublication || !isBeforeOpen(audience, object(params))) this.#judge(method, params);
    this.relay.onMessage(method, params);
    this.partials.onMessage(method, params);
    if (isPublication) takePublication(audience, object(params));
    if (method === 'window/logMessage') this.#hearLog(text(object(params).message) ?? '');
    if (this.readiness.onMessage(method, params)) this.documents.outdate();
  }

  #judge(method: string, params: unknown): void {
    const verdict = this.definition.diagnostics?.verdict?.(method, params);
    if (!verdict) return;
    const { uri, failure, mayPass = false } = verdict;
    const { path } = this.#parts.workspace.fromUri(uri);
    this.diagnostics.recordFailure(path, failure === undefined ? undefined : { reason: failure, mayPass });
  }

  #hearLog(message: string): void {
    this.#parts.log('debug', 'server_message', { server: this.definition.id, message });
    if (this.definition.program.childDied?.test(message) !== true || this.#stopping) return;
    this.fail(childDied(this.definition));
  }
}

/** Requests whose answers contain nothing of files. */
const ofLife: ReadonlySet<string> = new Set(['initialize', 'shutdown']);

function isTimeout(error: unknown): boolean {
  return error instanceof LspanError && error.code === 'timed_out';
}

/** The parts of a session. */
interface SessionOptions {
  readonly definition: ServerDefinition;
  readonly root: string;
  /** The root to report to the server. */
  readonly rootFolder: string;
  /** Workspace folders to report to the server. */
  readonly folders: readonly string[];
  readonly workspace: Workspace;
  readonly process: ServerProcess;
  readonly facts: ProjectFacts;
  readonly aliases: DocumentAliases;
  /** Top folders of the checkouts that the roots lie in. */
  readonly checkouts: readonly string[];
  readonly trusts: TrustLookup;
  /** What it leaves out because the root is not trusted, as a sentence. */
  readonly withheld?: string | undefined;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly initializationOptions: unknown;
  readonly version: string;
  readonly log: Log;
  /** Default: lspan's own timeouts. */
  readonly timeouts?: SessionTimeouts;
  readonly trace?: (direction: 'to_server' | 'from_server', message: unknown) => void;
  readonly onProblems: (path: string) => void;
  readonly findSlot: FindSlot;
}

/** Timeouts of waiting for a server, in milliseconds. */
export interface SessionTimeouts {
  /** For a call, until the project is loaded. */
  readonly readiness: number;
  /** For diagnostics, if the server is ready. */
  readonly diagnostics: number;
  /** For diagnostics, if the server is not known to be ready. */
  readonly diagnosticsCold: number;
}

const defaultTimeouts: SessionTimeouts = {
  readiness: limits.call.readiness,
  diagnostics: limits.diagnostics.warm,
  diagnosticsCold: limits.diagnostics.cold,
};
