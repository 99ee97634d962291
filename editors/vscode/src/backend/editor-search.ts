import type * as vscode from 'vscode';
import { type Row, type SearchRule, searchOf } from '../../../../src/backends/lsp/questions/row.ts';
import { rows } from '../../../../src/backends/lsp/questions/table.ts';
import { aliasedUses } from '../../../../src/backends/lsp/search/aliased-uses.ts';
import { ProjectLoader, type SearchSession } from '../../../../src/backends/lsp/search/load-projects.ts';
import { searchByName } from '../../../../src/backends/lsp/search/search-by-name.ts';
import { searchByUses } from '../../../../src/backends/lsp/search/search-by-uses.ts';
import { type UseSearch, unreportedUses } from '../../../../src/backends/lsp/search/unreported-uses.ts';
import { projectFacts } from '../../../../src/backends/lsp/session/project-facts.ts';
import type { Reply, Visibility } from '../../../../src/core/backend.ts';
import type { Call } from '../../../../src/core/call.ts';
import type { Doubt } from '../../../../src/core/doubts.ts';
import type { AnswerOf, Place, Question, QuestionKind, Span } from '../../../../src/core/question.ts';
import { untrusted } from '../../../../src/core/trust.ts';
import { languageOf } from '../../../../src/servers/language-of.ts';
import type { Change, Workspace } from '../../../../src/workspace/workspace.ts';
import { askEditor, type EditorContext } from './ask-editor.ts';
import type { EditorDocuments } from './editor-documents.ts';
import type { LanguageFacts, Languages } from './language-facts.ts';
import type { Readiness } from './readiness.ts';

/** A question about a document of VS Code. */
interface Asked<K extends QuestionKind> {
  readonly question: Question<K>;
  readonly document: vscode.TextDocument;
  readonly facts: LanguageFacts;
  readonly call: Call;
}

/** Makes VS Code see every file concerned before it searches, and adds the uses that it overlooks, as for language servers. */
export class EditorSearch {
  readonly #workspace: Workspace;
  readonly #documents: EditorDocuments;
  readonly #context: EditorContext;
  readonly #languages: Languages;
  readonly #readiness: Readiness;
  readonly #projects: ProjectLoader;

  constructor(context: EditorContext, languages: Languages, readiness: Readiness) {
    this.#workspace = context.workspace;
    this.#documents = context.documents;
    this.#context = context;
    this.#languages = languages;
    this.#readiness = readiness;
    this.#projects = new ProjectLoader(context.workspace);
  }

  /** Files were created, changed or deleted: projects may have changed. */
  note(changes: readonly Change[]): void {
    this.#projects.note(changes);
  }

  /** Asks a question; one that searches, after the files that mention the symbol are open. */
  async ask<K extends QuestionKind>(asked: Asked<K>): Promise<Reply<AnswerOf<K>>> {
    const { question, document, facts, call } = asked;
    const row: Row<K> = rows[question.kind];
    const rule = searchOf(row, question);
    const place = rule?.from?.(question);
    if (!rule || !place) return this.#readiness.ask(question, document, facts, call);
    return this.#searchFrom(asked, rule, place);
  }

  /** Opens a file of each project, for languages that load a project only then; doubts those that are left. */
  async load(call: Call): Promise<readonly Doubt[]> {
    const doubts: Doubt[] = [];
    for (const file of this.#firstFiles()) {
      const document = await this.#documents.open(file);
      const facts = this.#languages.of(file, document.languageId);
      if (!facts.definition.projects?.loadsOnOpen) continue;
      const session = this.#session(file, facts, call);
      doubts.push(...(await this.#projects.load(session, async () => undefined)));
      await this.#readiness.loaded(document, facts, call);
    }
    return doubts;
  }

  /** Asks a question that is about no document. */
  askAnywhere<K extends QuestionKind>(question: Question<K>, call: Call): Promise<Reply<AnswerOf<K>>> {
    return askEditor(this.#context, question, call);
  }

  /** Returns which files a search from a place covers. */
  async visibility(
    place: Place,
    files: readonly string[],
    call: Call,
  ): Promise<ReadonlyMap<string, Visibility>> {
    const document = await this.#documents.open(place.path);
    const facts = this.#languages.of(place.path, document.languageId);
    const session = this.#session(place.path, facts, call);
    const seen = new Map<string, Visibility>();
    const unseen = await this.#projects.unseen(session, files);
    for (const file of files) {
      const isOwn = languageOf(file, facts.definition) !== undefined;
      const isSeen = isOwn && !unseen.has(file);
      seen.set(file, isSeen ? 'seen' : isOwn ? 'unseen' : 'other_language');
    }
    return seen;
  }

  async #searchFrom<K extends QuestionKind>(
    { question, document, facts, call }: Asked<K>,
    { found, follow, add, byUses }: SearchRule<K>,
    place: Place,
  ): Promise<Reply<AnswerOf<K>>> {
    const workspace = this.#workspace;
    const session = this.#session(place.path, facts, call);
    const ask = (one: Question<K>) => this.#readiness.ask(one, document, facts, call);
    const search = { workspace, projects: this.#projects, session, ask: () => ask(question), found };
    const useSearch = this.#useSearch(session, call);
    const uses = {
      service: question.kind,
      uses: (at: Place) => this.#plain({ kind: 'references', place: at }, call),
    };
    const reply = await (byUses
      ? searchByUses(search, uses, place, call)
      : searchByName(search, place, call));
    const again = async (at: Place) => (await this.#plain({ ...question, place: at }, call)).answer;
    const followUp = { definition: facts.definition, workspace, again, means: useSearch.means };
    const further = await follow?.(reply.answer, question, followUp, call);
    const whole = further ? { ...further, doubts: [...reply.doubts, ...further.doubts] } : reply;
    const find = async (known: readonly Span[]) =>
      unreportedUses(useSearch, place, await aliasedUses(useSearch, known), call);
    const more = await add?.(whole.answer, find, question, followUp, call);
    return more ? { answer: more.answer, doubts: [...whole.doubts, ...more.doubts] } : whole;
  }

  /** Asks about another place than that of the question, whose document may not be open yet. */
  async #plain<K extends QuestionKind>(question: Question<K>, call: Call): Promise<Reply<AnswerOf<K>>> {
    const row: Row<K> = rows[question.kind];
    const path = row.path(question);
    if (path !== undefined) {
      const document = await this.#documents.open(path);
      await this.#readiness.loaded(document, this.#languages.of(path, document.languageId), call);
    }
    return askEditor(this.#context, question, call);
  }

  #useSearch({ definition, root }: SearchSession, call: Call): UseSearch {
    return {
      workspace: this.#workspace,
      definition,
      root,
      means: async (place) => (await this.#plain({ kind: 'definition', place }, call)).answer,
      uses: async (place) => (await this.#plain({ kind: 'references', place }, call)).answer,
    };
  }

  #session(path: string, facts: LanguageFacts, call: Call): SearchSession {
    const workspace = this.#workspace;
    const root = workspace.rootOf(path) ?? workspace.roots[0] ?? '';
    return {
      definition: facts.definition,
      root,
      facts: projectFacts(root, process.env, untrusted, { path: '' }, workspace),
      documents: {
        isOpen: (file) => this.#documents.at(file) !== undefined,
        sync: async (files, welcome = []) => {
          await this.#documents.openAll([...files, ...welcome]);
          // A project that is loading is answered from single files.
          for (const file of welcome) {
            const document = this.#documents.at(file);
            if (document) await this.#readiness.loaded(document, facts, call);
          }
        },
      },
    };
  }

  /** Returns a file of each language of each root. */
  #firstFiles(): readonly string[] {
    const first = new Map<string, string>();
    for (const file of this.#workspace.files()) {
      const language = this.#languages.idOf(file);
      if (language === undefined || !this.#languages.isServed(language)) continue;
      const key = `${this.#workspace.rootOf(file)} ${language}`;
      if (!first.has(key)) first.set(key, file);
    }
    return [...first.values()];
  }
}
