import * as vscode from 'vscode';
import type { Row } from '../../../../src/backends/lsp/questions/row.ts';
import { rows } from '../../../../src/backends/lsp/questions/table.ts';
import type { Reply } from '../../../../src/core/backend.ts';
import { type Call, cancelSignalOf, until, within } from '../../../../src/core/call.ts';
import type { Doubt } from '../../../../src/core/doubts.ts';
import { LspanError } from '../../../../src/core/errors.ts';
import type { AnswerOf, OutlineSymbol, Question, QuestionKind } from '../../../../src/core/question.ts';
import { editorLimits } from '../editor-limits.ts';
import { askEditor, type EditorContext, editorId } from './ask-editor.ts';
import type { LanguageFacts, Languages } from './language-facts.ts';

/**
 * Knows how far answers of VS Code can be trusted. While a language loads, its first answers grow: nothing, then the import,
 * then the definition. And an empty answer of VS Code may mean that no extension offers what was asked for, or that one failed.
 */
export class Readiness {
  readonly #context: EditorContext;
  readonly #languages: Languages;
  readonly #warmUp: number;
  readonly #loaded = new WeakSet<vscode.TextDocument>();
  /** When a language was first asked, and whether its answers have been seen to stay the same. */
  readonly #first = new Map<string, number>();
  readonly #steady = new Set<string>();
  /** Languages and kinds of questions that were answered with something. */
  readonly #answered = new Set<string>();

  constructor(context: EditorContext, languages: Languages, warmUp: number = editorLimits.warmUp) {
    this.#context = context;
    this.#languages = languages;
    this.#warmUp = warmUp;
  }

  /** Waits until the project of a document is loaded, where the language service tells that. */
  async loaded(document: vscode.TextDocument, { loaded }: LanguageFacts, call: Call): Promise<void> {
    if (!loaded || this.#loaded.has(document)) return;
    call.report('Waiting for VS Code to load the project');
    for (;;) {
      if (await until(loaded(document.uri), cancelSignalOf(call))) break;
      await nextNews(call);
    }
    this.#loaded.add(document);
  }

  /** After a change of configuration, projects may load again. */
  forget(): void {
    for (const document of vscode.workspace.textDocuments) this.#loaded.delete(document);
  }

  /** Asks a question about a document until the answer can be trusted, or says that it cannot. */
  async ask<K extends QuestionKind>(
    question: Question<K>,
    document: vscode.TextDocument,
    facts: LanguageFacts,
    call: Call,
  ): Promise<Reply<AnswerOf<K>>> {
    const { languageId } = document;
    const now = performance.now();
    if (!this.#first.has(languageId)) this.#first.set(languageId, now);
    await this.loaded(document, facts, call);
    const isCertain = facts.loaded !== undefined || this.#steady.has(languageId);
    const reply = isCertain
      ? await askEditor(this.#context, question, call)
      : await this.#askUntilSteady(question, languageId, call);
    if (!isEmpty(question, reply.answer)) {
      this.#answered.add(`${languageId} ${question.kind}`);
      return reply;
    }
    if (facts.definition.answers?.includes(question.kind)) return reply;
    return { ...reply, doubts: [...reply.doubts, ...(await this.#doubtEmpty(question, document, call))] };
  }

  async #askUntilSteady<K extends QuestionKind>(
    question: Question<K>,
    languageId: string,
    call: Call,
  ): Promise<Reply<AnswerOf<K>>> {
    let last = await askEditor(this.#context, question, call);
    let best = last;
    for (let attempt = 1; attempt < editorLimits.settling.attempts; attempt += 1) {
      await nextNews(call);
      const next = await askEditor(this.#context, question, call);
      if (JSON.stringify(next.answer) === JSON.stringify(last.answer)) {
        if (!isEmpty(question, next.answer)) this.#steady.add(languageId);
        return next;
      }
      last = next;
      if (!isEmpty(question, next.answer)) best = next;
    }
    return { ...best, doubts: [...best.doubts, growing] };
  }

  /** Tells "nothing" from "nobody answers": where a symbol is declared, there must be an answer. */
  async #doubtEmpty<K extends QuestionKind>(
    { kind }: Question<K>,
    document: vscode.TextDocument,
    call: Call,
  ): Promise<readonly Doubt[]> {
    const { languageId } = document;
    if (!this.#answered.has(`${languageId} ${kind}`)) {
      if (!isProbed(kind)) return [neverAnswered(kind, languageId)];
      if (!(await this.#probe(kind, document, call))) throw nobodyAnswers(kind, languageId);
      this.#answered.add(`${languageId} ${kind}`);
    }
    const asked = this.#first.get(languageId) ?? 0;
    const isYoung = performance.now() - asked < this.#warmUp && !this.#steady.has(languageId);
    return isYoung ? [mayBeLoading(languageId)] : [];
  }

  /** Asks the same at symbols that are declared, in this document or in others of its language. */
  async #probe(kind: ProbedKind, document: vscode.TextDocument, call: Call): Promise<boolean> {
    const { workspace, documents } = this.#context;
    const own = workspace.fromUri(document.uri.toString()).path;
    const others: string[] = [];
    for (const file of workspace.files()) {
      if (others.length === editorLimits.probe.files) break;
      if (file !== own && this.#languages.idOf(file) === document.languageId) others.push(file);
    }
    for (const path of [own, ...others]) {
      await documents.open(path);
      const { answer } = await askEditor(this.#context, { kind: 'outline', path }, call);
      for (const { selection } of flat(answer).slice(0, editorLimits.probe.symbols)) {
        const place = { path, position: selection.start };
        const probe = await askEditor(this.#context, { kind, place }, call);
        if (!isEmpty({ kind, place }, probe.answer)) return true;
      }
    }
    return false;
  }
}

type ProbedKind = 'definition' | 'references' | 'hover';

function isProbed(kind: QuestionKind): kind is ProbedKind {
  return kind === 'definition' || kind === 'references' || kind === 'hover';
}

function flat(symbols: readonly OutlineSymbol[]): readonly OutlineSymbol[] {
  return symbols.flatMap((symbol) => [symbol, ...flat(symbol.children)]);
}

/** Formatting that changes nothing is empty too, although it is an answer. */
function isEmpty<K extends QuestionKind>(question: Question<K>, answer: AnswerOf<K>): boolean {
  const row: Row<K> = rows[question.kind];
  if (question.kind === 'format') return JSON.stringify(answer).includes('"steps":[]');
  return row.count(answer, question) === 0;
}

/** Waits for news of any language, but not long. */
async function nextNews(call: Call): Promise<void> {
  let end: vscode.Disposable | undefined;
  const news = new Promise<void>((resolve) => {
    end = vscode.languages.onDidChangeDiagnostics(() => resolve());
  });
  await within(news, editorLimits.settling.pause, cancelSignalOf(call)).finally(() => end?.dispose());
}

const growing: Doubt = {
  kind: 'indexing',
  server: editorId,
  detail: 'The answers of VS Code still change: it may be loading the project. Call again.',
};

function mayBeLoading(languageId: string): Doubt {
  const detail = `VS Code has found nothing about ${languageId} yet: it may be loading the project. Call again.`;
  return { kind: 'indexing', server: editorId, detail };
}

function neverAnswered(kind: QuestionKind, languageId: string): Doubt {
  const detail = `VS Code has never answered ${kind} for ${languageId}: it may have no extension for that.`;
  return { kind: 'server_unavailable', server: editorId, detail };
}

function nobodyAnswers(kind: QuestionKind, languageId: string): LspanError {
  const message = `VS Code gives no ${kind} even where a symbol of ${languageId} is declared: no extension offers it, or one failed.`;
  return new LspanError('not_supported', message, {
    retryable: true,
    nextStep: 'Search the text instead. If VS Code has just started, call again.',
  });
}
