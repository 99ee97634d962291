import { type Call, within } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Log } from '../../core/log.ts';
import type { PositionEncoding } from '../../core/positions.ts';
import type { Change, Workspace } from '../../workspace/workspace.ts';
import { Capabilities } from './capabilities.ts';
import { Connection } from './connection.ts';
import { DiagnosticsBoard } from './diagnostics-board.ts';
import { type Handshake, initializeParams, readHandshake } from './handshake.ts';
import { list, object, text } from './json.ts';
import { exitFailure } from './process-exit.ts';
import { Readiness } from './readiness.ts';
import type { ProjectFacts, ServerDefinition } from './server-definition.ts';
import type { ServerProcess } from './server-process.ts';
import { answerServerRequest } from './server-requests.ts';
import { stopped } from './server-troubles.ts';
import { SessionDocuments } from './session-documents.ts';

/** What a session is made of. */
export interface SessionParts {
  readonly definition: ServerDefinition;
  readonly root: string;
  readonly workspace: Workspace;
  readonly process: ServerProcess;
  readonly facts: ProjectFacts;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly initializationOptions: unknown;
  readonly version: string;
  readonly log: Log;
  readonly trace?: (direction: 'to_server' | 'from_server', message: unknown) => void;
  readonly onProblems: (path: string) => void;
}

/** One running language server, from its handshake to its end. */
export class Session {
  readonly definition: ServerDefinition;
  readonly root: string;
  readonly process: ServerProcess;
  readonly readiness: Readiness;
  readonly board = new DiagnosticsBoard();
  readonly documents: SessionDocuments;
  readonly startedAt = performance.now();
  /** Resolves once, with the reason, when the server can no longer be asked. */
  readonly ended: Promise<LspanError>;
  readonly capabilities = new Capabilities();
  handshake: Handshake = readHandshake(undefined);
  readonly #parts: SessionParts;
  readonly #connection: Connection;
  #end: LspanError | undefined;
  #stopping = false;
  #finish: (reason: LspanError) => void = () => {};

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.definition = parts.definition;
    this.root = parts.root;
    this.process = parts.process;
    this.readiness = new Readiness(parts.definition.ready);
    this.ended = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.#connection = new Connection(parts.process, {
      server: parts.definition.id,
      answer: (method, params) => this.#answer(method, params),
      hear: (method, params) => this.#hear(method, params),
      fault: (error) => this.fail(error),
      ...(parts.trace ? { trace: parts.trace } : {}),
    });
    const { workspace, definition } = parts;
    const told = (path?: string) => this.board.told(path);
    this.documents = new SessionDocuments(workspace, this.#connection, this.capabilities, definition, told);
    parts.process.exited.then((exit) => {
      this.#close(this.#stopping ? stopped(parts.definition) : exitFailure(parts.definition.id, exit));
    });
  }

  get encoding(): PositionEncoding {
    return this.handshake.encoding;
  }

  /** Whether the server can still be asked. */
  get alive(): boolean {
    return this.#end === undefined && !this.#stopping;
  }

  /** Whether it ended although nobody asked it to. */
  get crashed(): boolean {
    return this.#end !== undefined && !this.#stopping;
  }

  /** The handshake. Rejects when the server dies in it, or takes longer than its definition allows. */
  async initialize(signal: AbortSignal): Promise<void> {
    const { root, initializationOptions, version, settings, definition } = this.#parts;
    const params = initializeParams(root, initializationOptions, version, definition.clientCapabilities);
    this.handshake = readHandshake(await this.request('initialize', params, signal));
    this.capabilities.announce(this.handshake.capabilities);
    this.#connection.notify('initialized', {});
    if (Object.keys(settings).length > 0) {
      this.#connection.notify('workspace/didChangeConfiguration', { settings });
    }
  }

  request(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    return this.#connection.request(method, params, signal);
  }

  /** Takes note of changes on the disk below the root. */
  note(changes: readonly Change[]): void {
    for (const { kind, path } of changes) if (kind === 'deleted') this.board.forget(path);
    this.documents.note(changes);
  }

  /** Waits for the server's own signal that it is ready, as long as the call allows; a doubt if it did not come. */
  async ready(call: Call): Promise<readonly Doubt[]> {
    if (this.readiness.known || !this.readiness.tells) return [];
    const { id } = this.definition;
    call.report(`Waiting for ${id} to load the project`);
    const patience =
      performance.now() + Math.min(limits.call.readiness, (call.deadline - performance.now()) * 0.7);
    while (!this.readiness.known && performance.now() < patience) {
      await this.nextEvent(patience - performance.now(), call.signal);
    }
    if (this.readiness.known) return [];
    const doing = this.readiness.doing;
    const detail = `${id} had not finished loading the project${doing ? ` (${doing})` : ''}; ask again for the whole answer.`;
    return [{ kind: 'indexing', server: id, detail }];
  }

  /** Why what it searches or checks may be incomplete as long as it runs. */
  standingDoubts(): readonly Doubt[] {
    const { definition, facts } = this.#parts;
    return (definition.doubts?.(facts) ?? []).map((doubt) => ({ ...doubt, server: definition.id }));
  }

  /** Resolves at the server's next event, at the latest after `time`; rejects when the server ends. */
  async nextEvent(time: number, signal: AbortSignal): Promise<void> {
    await within(this.readiness.next(), time, signal);
    if (this.#end) throw this.#end;
  }

  /** Resolves when the server publishes problems; rejects when it ends. */
  async nextPublication(): Promise<void> {
    await this.board.next();
    if (this.#end) throw this.#end;
  }

  /** Ends the server at once because it cannot be trusted any more. */
  fail(reason: LspanError): void {
    this.#close(reason);
    this.process.kill();
  }

  async stop(options: { readonly hurried?: boolean } = {}): Promise<void> {
    this.#stopping = true;
    await this.process.stop({ ...options, graceful: () => this.#sayGoodbye() });
    this.#close(stopped(this.definition));
  }

  async #sayGoodbye(): Promise<void> {
    if (this.#end) return;
    this.documents.closeAll();
    await this.#connection.request('shutdown', undefined, AbortSignal.timeout(limits.stop.shutdown));
    this.#connection.notify('exit', undefined);
  }

  #close(reason: LspanError): void {
    if (this.#end) return;
    this.#end = reason;
    this.#connection.close(reason);
    this.readiness.wake();
    this.board.wake();
    this.#finish(reason);
  }

  #answer(method: string, params: unknown): unknown {
    const { settings, root, workspace } = this.#parts;
    return answerServerRequest(
      {
        settings,
        folders: () => [{ uri: workspace.uri(root), name: root.split('/').at(-1) ?? root }],
        register: (registrations) => this.capabilities.register(registrations),
        unregister: (unregistrations) => this.capabilities.unregister(unregistrations),
        refreshed: (what) => {
          if (what === 'workspace/diagnostic/refresh') this.board.told();
        },
      },
      method,
      params,
    );
  }

  #hear(method: string, params: unknown): void {
    if (method === 'textDocument/publishDiagnostics') this.#hearProblems(params);
    if (method === 'window/logMessage') this.#hearLog(text(object(params).message) ?? '');
    this.readiness.hear(method, params);
  }

  #hearProblems(params: unknown): void {
    const uri = text(object(params).uri);
    if (uri === undefined) return;
    const { path } = this.#parts.workspace.admit(uri);
    // What servers say of a document that was closed because its file is gone.
    const farewell = list(object(params).diagnostics).length === 0 && !this.documents.isOpen(path);
    if (farewell && !this.board.knows(path)) return;
    this.board.publish(path, object(params));
    this.#parts.onProblems(path);
  }

  #hearLog(message: string): void {
    this.#parts.log('debug', 'server_message', { server: this.definition.id, message });
    if (this.definition.childDied?.test(message) !== true || this.#stopping) return;
    this.fail(
      new LspanError('server_crashed', `A process that ${this.definition.id} depends on has died.`, {
        nextStep: 'Call again: lspan starts the server anew.',
      }),
    );
  }
}
