import * as vscode from 'vscode';
import { readProblems } from '../../../../src/backends/lsp/convert/diagnostics.ts';
import type { Reply, WorkspaceCheck } from '../../../../src/core/backend.ts';
import { type Call, cancelSignalOf, timeLeft, until, within } from '../../../../src/core/call.ts';
import { limits } from '../../../../src/core/limits.ts';
import type { FileProblems, WorkspaceProblems } from '../../../../src/core/problems.ts';
import type { Workspace } from '../../../../src/workspace/workspace.ts';
import { editorId } from './ask-editor.ts';
import type { EditorDocuments } from './editor-documents.ts';
import type { LanguageFacts, Languages } from './language-facts.ts';
import { toDiagnostics } from './to-lsp.ts';

/** What the problems of files depend on. */
export interface DiagnosticsContext {
  readonly workspace: Workspace;
  readonly documents: EditorDocuments;
  readonly languages: Languages;
  /** Waits until the project of a document is loaded. */
  readonly loaded: (document: vscode.TextDocument, facts: LanguageFacts, call: Call) => Promise<void>;
}

/**
 * The problems that VS Code's extensions report. They publish them when they like; the version of a document at that moment
 * tells which text they are about.
 */
export class EditorDiagnostics {
  readonly #context: DiagnosticsContext;
  /** The version of each document when its problems were last published, by URI. */
  readonly #spoken = new Map<string, number>();
  readonly #listeners = new Set<(path: string) => void>();
  readonly #subscription: vscode.Disposable;

  constructor(context: DiagnosticsContext) {
    this.#context = context;
    this.#subscription = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      for (const uri of uris) this.#hear(uri);
    });
  }

  onDiagnostics(listener: (path: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#subscription.dispose();
    this.#listeners.clear();
  }

  /** Returns the problems of files, each with how current they are. */
  async of(files: readonly string[], call: Call): Promise<Reply<readonly FileProblems[]>> {
    const asked = files.slice(0, limits.diagnostics.asked);
    const answer = await Promise.all(asked.map((file) => this.#problemsOf(file, call)));
    const left = files.slice(asked.length).map((path) => this.#unavailable(path));
    return { answer: [...answer, ...left], doubts: [] };
  }

  /** Returns the problems of a file in the form of LSP. */
  async sent(file: string, call: Call): Promise<readonly unknown[]> {
    const document = await this.#context.documents.open(file);
    const { sent } = await this.#check(document, file, call);
    return sent;
  }

  /** Returns all problems that are known; VS Code does not say which files were checked, so they are never the whole. */
  async ofWorkspace(call: Call, check?: WorkspaceCheck): Promise<Reply<WorkspaceProblems>> {
    const { workspace, documents } = this.#context;
    const reported = vscode.languages
      .getDiagnostics()
      .filter(([uri, problems]) => uri.scheme === 'file' && problems.length > 0)
      .map(([uri]) => workspace.fromUri(uri.toString()))
      .filter(({ standing }) => standing === 'inside')
      .map(({ path }) => path);
    const open = vscode.workspace.textDocuments
      .filter(({ uri, isClosed }) => uri.scheme === 'file' && !isClosed)
      .map(({ uri }) => workspace.fromUri(uri.toString()))
      .filter(({ path, standing }) => standing === 'inside' && documents.at(path) !== undefined)
      .map(({ path }) => path);
    const { answer } = await this.of([...new Set([...reported, ...open, ...(check?.among ?? [])])], call);
    const files = answer.filter(({ state }) => state !== 'unavailable');
    const served = [...workspace.files()].filter((file) => this.#isServed(file));
    const unchecked = served.filter((file) => !files.some(({ path }) => path === file)).length;
    return { answer: { files, whole: false, ...(unchecked > 0 ? { unchecked } : {}) }, doubts: [] };
  }

  async #problemsOf(file: string, call: Call): Promise<FileProblems> {
    const { workspace, documents, languages } = this.#context;
    if (!this.#isServed(file) && documents.at(file) === undefined) return this.#unavailable(file);
    const document = await documents.open(file);
    const { sent, state } = await this.#check(document, file, call);
    const isSilent = sent.length === 0 && state === 'pending';
    if (isSilent && !languages.isServed(document.languageId)) return this.#unavailable(file);
    const text = await workspace.read(file);
    const problems = await readProblems(sent, text, 'utf-16', { id: editorId });
    const spoken =
      state === 'fresh' ? { heard: [editorId], unheard: [] } : { unheard: [editorId], mute: [editorId] };
    return { path: file, state, problems, ...spoken };
  }

  /** Asks the language service itself where that can be done; else waits until the present text was spoken of. */
  async #check(
    document: vscode.TextDocument,
    file: string,
    call: Call,
  ): Promise<{ readonly sent: readonly unknown[]; readonly state: FileProblems['state'] }> {
    const facts = this.#context.languages.of(file, document.languageId);
    if (!facts.check) await this.#awaitSpeech(document, call);
    else {
      await this.#context.loaded(document, facts, call);
      const own = await until(facts.check(document.uri), cancelSignalOf(call));
      const others = vscode.languages
        .getDiagnostics(document.uri)
        .filter(({ source }) => !facts.sources?.has(source ?? ''));
      if (own) return { sent: [...own, ...toDiagnostics(others)], state: 'fresh' };
    }
    const version = this.#spoken.get(document.uri.toString());
    const state = version === document.version ? 'fresh' : version === undefined ? 'pending' : 'stale';
    return { sent: toDiagnostics(vscode.languages.getDiagnostics(document.uri)), state };
  }

  async #awaitSpeech(document: vscode.TextDocument, call: Call): Promise<void> {
    const uri = document.uri.toString();
    if (this.#spoken.get(uri) === document.version || !this.#isServed(document.uri.fsPath)) return;
    let end: vscode.Disposable | undefined;
    const spoken = new Promise<void>((resolve) => {
      end = vscode.languages.onDidChangeDiagnostics(() => {
        if (this.#spoken.get(uri) === document.version) resolve();
      });
    });
    const time = Math.min(limits.diagnostics.warm, timeLeft(call, limits.shares.diagnostics));
    await within(spoken, Math.max(1, time), cancelSignalOf(call)).finally(() => end?.dispose());
  }

  #isServed(file: string): boolean {
    const { languages, documents } = this.#context;
    const language = documents.at(file)?.languageId ?? languages.idOf(file);
    return language !== undefined && languages.isServed(language);
  }

  #unavailable(path: string): FileProblems {
    return { path, state: 'unavailable', problems: [], unheard: [] };
  }

  #hear(uri: vscode.Uri): void {
    if (uri.scheme !== 'file') return;
    const { path, standing } = this.#context.workspace.fromUri(uri.toString());
    const document = this.#context.documents.at(path);
    if (document) this.#spoken.set(uri.toString(), document.version);
    if (standing === 'inside') for (const listener of this.#listeners) listener(path);
  }
}
