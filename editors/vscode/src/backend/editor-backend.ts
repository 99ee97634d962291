import * as vscode from 'vscode';
import { readProposal, withSeen } from '../../../../src/backends/lsp/convert/proposal.ts';
import type { Row } from '../../../../src/backends/lsp/questions/row.ts';
import { rows } from '../../../../src/backends/lsp/questions/table.ts';
import type { AnswerSource, Reply, Visibility, WorkspaceCheck } from '../../../../src/core/backend.ts';
import { beginCall, type Call, cancelSignalOf } from '../../../../src/core/call.ts';
import type { Doubt } from '../../../../src/core/doubts.ts';
import { LspanError } from '../../../../src/core/errors.ts';
import { limits } from '../../../../src/core/limits.ts';
import type { Log } from '../../../../src/core/log.ts';
import type { FileProblems, WorkspaceProblems } from '../../../../src/core/problems.ts';
import type { Proposal } from '../../../../src/core/proposal.ts';
import type { Action, AnswerOf, Place, Question, QuestionKind } from '../../../../src/core/question.ts';
import { object } from '../../../../src/core/runtime/json.ts';
import { nameSome } from '../../../../src/core/wording/name-some.ts';
import { wordAt } from '../../../../src/source-text/words.ts';
import type { Change, Workspace } from '../../../../src/workspace/workspace.ts';
import { type EditorContext, editorId, translationIn } from './ask-editor.ts';
import { DiskWatch } from './disk-watch.ts';
import { EditorDiagnostics } from './editor-diagnostics.ts';
import { EditorDocuments } from './editor-documents.ts';
import { EditorSearch } from './editor-search.ts';
import { Languages } from './language-facts.ts';
import { Readiness } from './readiness.ts';

/** How the backend is opened. */
export interface EditorOptions {
  readonly log: Log;
  /** Milliseconds after the first question about a language in which finding nothing may mean that it is loading. */
  readonly warmUp?: number;
}

/** The backend over the providers of VS Code: what the person at the editor sees, unsaved texts included. */
export class EditorBackend implements AnswerSource {
  readonly id = editorId;
  readonly #workspace: Workspace;
  readonly #documents: EditorDocuments;
  readonly #languages = new Languages();
  readonly #diagnostics: EditorDiagnostics;
  readonly #readiness: Readiness;
  readonly #search: EditorSearch;
  readonly #disk: DiskWatch;
  readonly #unsubscribe: () => void;
  #isClosed = false;

  constructor(workspace: Workspace, { log, warmUp }: EditorOptions) {
    this.#workspace = workspace;
    this.#documents = new EditorDocuments(workspace, log);
    const documents = this.#documents;
    const context: EditorContext = {
      workspace,
      documents,
      problemsOf: (path, call) => this.#diagnostics.sent(path, call),
    };
    this.#readiness = new Readiness(context, this.#languages, warmUp);
    this.#diagnostics = new EditorDiagnostics({
      workspace,
      documents,
      languages: this.#languages,
      loaded: (document, facts, call) => this.#readiness.loaded(document, facts, call),
    });
    this.#search = new EditorSearch(context, this.#languages, this.#readiness);
    this.#disk = new DiskWatch(workspace, documents);
    this.#unsubscribe = workspace.onChanges((changes) => this.#note(changes));
  }

  async ask<K extends QuestionKind>(question: Question<K>, call: Call): Promise<Reply<AnswerOf<K>>> {
    const late = await this.#enter(call);
    const { answer, doubts } = await this.#askSteadily(question, call);
    const unsaved = await this.#unsavedDoubts(question, answer, call);
    return { answer, doubts: [...late, ...doubts, ...unsaved] };
  }

  async visibility(place: Place, files: readonly string[]): Promise<ReadonlyMap<string, Visibility>> {
    using call = beginCall({ time: limits.call.deadline });
    return this.#search.visibility(place, files, call);
  }

  async diagnostics(files: readonly string[], call: Call): Promise<Reply<readonly FileProblems[]>> {
    const late = await this.#enter(call);
    const { answer, doubts } = await this.#diagnostics.of(files, call);
    const dirty = this.#documents.unsaved().filter((file) => files.includes(file));
    return { answer, doubts: [...late, ...doubts, ...this.#doubtUnsaved(dirty)] };
  }

  async workspaceDiagnostics(call: Call, check?: WorkspaceCheck): Promise<Reply<WorkspaceProblems>> {
    const late = await this.#enter(call);
    const { answer, doubts } = await this.#diagnostics.ofWorkspace(call, check);
    return { answer, doubts: [...late, ...doubts, ...this.#doubtUnsaved(this.#documents.unsaved())] };
  }

  /** The edit came with the action; commands of other extensions are not run. */
  async propose(action: Action, call: Call): Promise<Proposal> {
    await this.#enter(call);
    const { edit } = object(action.sent);
    if (action.server !== editorId || edit === undefined)
      throw new LspanError('not_supported', 'VS Code does not say what this action changes.', {
        nextStep: 'Choose another action, or make the change yourself.',
      });
    for (const [file, hash] of Object.entries(action.seen)) {
      const document = await this.#workspace.read(file).catch(() => undefined);
      if (document?.hash === hash) continue;
      const message = `This action cannot be applied: ${this.#workspace.show(file)} has changed since it was offered.`;
      throw new LspanError('stale', message, { nextStep: 'List the actions again, and choose one.' });
    }
    const translation = translationIn({ workspace: this.#workspace });
    return withSeen(readProposal(edit, translation), translation);
  }

  onDiagnostics(listener: (path: string) => void): () => void {
    return this.#diagnostics.onDiagnostics(listener);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#unsubscribe();
    for (const part of [this.#disk, this.#diagnostics, this.#documents]) part.close();
  }

  async #enter(call: Call): Promise<readonly Doubt[]> {
    if (this.#isClosed) throw new LspanError('cancelled', 'VS Code is no longer asked: the server stops.');
    // VS Code ends the extension host when trust is taken back; until then nothing is answered.
    if (!vscode.workspace.isTrusted)
      throw new LspanError('refused', 'This window of VS Code is in Restricted Mode.', {
        nextStep: 'Ask the user to trust the folder.',
      });
    cancelSignalOf(call).throwIfAborted();
    return this.#disk.caughtUp(call);
  }

  /** Asks again if a text was changed meanwhile: places in the answer may be those of the old one. */
  async #askSteadily<K extends QuestionKind>(question: Question<K>, call: Call): Promise<Reply<AnswerOf<K>>> {
    for (let attempt = 1; ; attempt += 1) {
      const before = this.#workspace.generation();
      const reply = await this.#askNow(question, call);
      if (this.#workspace.generation() === before) return reply;
      if (attempt === limits.held.attempts) return { ...reply, doubts: [...reply.doubts, changing] };
      await this.#disk.caughtUp(call);
    }
  }

  async #askNow<K extends QuestionKind>(question: Question<K>, call: Call): Promise<Reply<AnswerOf<K>>> {
    const row: Row<K> = rows[question.kind];
    // VS Code asks its extensions about a move when it makes it, and tells nobody before.
    if (row.optional) return { answer: row.optional.nothing, doubts: [] };
    const path = row.path(question);
    if (path === undefined) return this.#askAll(question, call);
    const document: vscode.TextDocument = await this.#documents.open(path);
    const facts = this.#languages.of(path, document.languageId);
    return this.#search.ask({ question, document, facts, call });
  }

  /** Asks about the whole workspace. */
  async #askAll<K extends QuestionKind>(question: Question<K>, call: Call): Promise<Reply<AnswerOf<K>>> {
    const loaded = await this.#search.load(call);
    const { answer, doubts } = await this.#search.askAnywhere(question, call);
    return { answer, doubts: [...loaded, ...doubts] };
  }

  #note(changes: readonly Change[]): void {
    this.#search.note(changes);
    if (changes.some(({ path }) => /\.(json|toml|ya?ml)$/.test(path))) this.#readiness.forget();
  }

  /** Says of which files the text is not that of the disk, if the question or the answer is about them. */
  async #unsavedDoubts<K extends QuestionKind>(
    question: Question<K>,
    answer: AnswerOf<K>,
    call: Call,
  ): Promise<readonly Doubt[]> {
    const dirty = this.#documents.unsaved();
    if (dirty.length === 0) return [];
    const told = JSON.stringify([question, answer]) ?? '';
    const place = placeOf(question);
    const named = place ? await this.#mentioned(place, call) : new Set<string>();
    const isMeant = (file: string) =>
      [file, this.#workspace.uri(file)].some((name) => told.includes(JSON.stringify(name))) ||
      named.has(file);
    return this.#doubtUnsaved(dirty.filter(isMeant));
  }

  async #mentioned({ path, position }: Place, call: Call): Promise<ReadonlySet<string>> {
    const line = (await this.#workspace.read(path)).line(position.line);
    const word = wordAt(line, position.character);
    return new Set(word === undefined ? [] : await this.#workspace.mentioning(word, call));
  }

  #doubtUnsaved(files: readonly string[]): readonly Doubt[] {
    if (files.length === 0) return [];
    const names = nameSome(files.map((file) => this.#workspace.show(file)));
    const detail = `This is about the unsaved text of ${names} in VS Code, not about the disk.`;
    return [{ kind: 'unsaved_elsewhere', server: editorId, detail }];
  }
}

const changing: Doubt = {
  kind: 'indexing',
  server: editorId,
  detail: 'Texts were changed in VS Code again and again while it answered. Call again.',
};

/** Returns the place of a question whose answer may be in other files. */
function placeOf<K extends QuestionKind>(question: Question<K>): Place | undefined {
  const row: Row<K> = rows[question.kind];
  return row.search?.from?.(question);
}
