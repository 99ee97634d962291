import path from 'node:path';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import { type CancelSignal, CancelSource } from '../../../core/runtime/cancellation.ts';
import { ResponseError } from '../../../jsonrpc/message.ts';
import { uriOfPath } from '../../../platform/files/uri-of-path.ts';
import { connectLocally } from '../../../platform/processes/connect-local.ts';
import type { FileFacts } from '../../../servers/definition.ts';
import { Connection } from '../protocol/connection.ts';

/** What `OutsideFiles` needs of a session. */
interface AskedServer {
  readonly server: string;
  readonly programs: NonNullable<FileFacts['programFiles']>;
  /** Returns whether the text of a file, by its URI, must not be shown. */
  isHidden(uri: string): boolean;
  request(method: string, params: unknown, signal: CancelSignal): Promise<unknown>;
  notify(method: string, params: unknown): void;
  /** Reports that the files are not known, so that no answer may be given. */
  fault(error: LspanError): void;
}

/**
 * Keeps the text of files outside from the answers of a server that reads whatever an import or a link leads to: those
 * that its programs contain are opened as empty documents. It is looked at after each answer, when all that led to the
 * answer has been read; an answer from before a file was emptied is asked for again.
 */
export class OutsideFiles {
  /** The emptied files, as the server names them. */
  readonly emptied = new Set<string>();
  readonly #server: AskedServer;
  readonly #seen = new Set<string>();
  #lister: Promise<() => Promise<readonly string[]>> | undefined;
  #looking: Promise<boolean> = Promise.resolve(false);
  /** True if a look has ended that emptied nothing, and nothing was sent since it began. */
  #isCurrent = false;
  #sent = 0;
  #next: Promise<boolean> | undefined;
  #connection: { close(): void } | undefined;

  constructor(server: AskedServer) {
    this.#server = server;
  }

  /** Notes that the server was sent something, after which its programs may contain other files. */
  noteSent(): void {
    this.#sent += 1;
    this.#isCurrent = false;
  }

  /** Asks, again as long as the answer may contain text of files outside. */
  async ask(method: string, request: () => Promise<unknown>): Promise<unknown> {
    for (let attempt = 1; attempt <= limits.emptiedFiles.attempts; attempt += 1) {
      const answer = await request();
      // A look takes as long as a short answer, and nothing is loaded for what concerns one file that is loaded.
      if (this.#isCurrent && ofOneFile.has(method)) return answer;
      if (!(await this.#look())) return answer;
    }
    throw new LspanError('busy', `${this.#server.server} reads ever more files outside the workspace.`, {
      nextStep: 'Call again in a moment.',
    });
  }

  close(): void {
    this.#connection?.close();
  }

  /** Empties what the programs now contain; true if that was something. Answers that wait for a look share the next one. */
  #look(): Promise<boolean> {
    this.#next ??= this.#looking.then(() => {
      this.#next = undefined;
      this.#looking = this.#empty();
      return this.#looking;
    });
    return this.#next;
  }

  async #empty(): Promise<boolean> {
    const sent = this.#sent;
    this.#lister ??= this.#open();
    const names = await (await this.#lister)();
    const hidden = names.filter((name) => !this.#seen.has(name) && this.#server.isHidden(uriOfPath(name)));
    for (const name of names) this.#seen.add(name);
    for (const name of hidden) {
      this.emptied.add(name);
      const languageId = path.extname(name) === '.json' ? 'json' : 'typescript';
      const textDocument = { uri: uriOfPath(name), languageId, version: 1, text: '' };
      this.#server.notify('textDocument/didOpen', { textDocument });
    }
    // Answers that come while it is looked may be from before.
    this.#isCurrent = hidden.length === 0 && this.#sent === sent;
    return hidden.length > 0;
  }

  async #open(): Promise<() => Promise<readonly string[]>> {
    const { server, programs, fault } = this.#server;
    const signal = new CancelSource();
    const answered = await this.#server.request(programs.socketBy, {}, signal).catch((thrown: unknown) => {
      if (thrown instanceof ResponseError) return undefined;
      throw thrown;
    });
    const socket = programs.socketOf(answered);
    // Another version of the server has no such socket: nothing is known of its programs.
    if (socket === undefined) return async () => [];
    const wire = await connectLocally(socket, fault);
    const owner = { server, answer: () => null, hear: () => {}, fault };
    const connection = new Connection(wire, owner);
    this.#connection = wire;
    return programs.open((method, params) => connection.request(method, params, signal));
  }
}

/** Questions for which a server loads no further project. */
const ofOneFile: ReadonlySet<string> = new Set([
  'textDocument/hover',
  'textDocument/definition',
  'textDocument/documentSymbol',
  'textDocument/signatureHelp',
  'textDocument/inlayHint',
]);
