import type { AnswerSource, Reply, ServerControl, ServerStatus, Visibility } from '../../core/backend.ts';
import { bareStatus } from '../../core/bare-status.ts';
import { type Call, cancelSignalOf } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type {
  AnswerOf,
  FoundSymbol,
  Hover,
  OutlineSymbol,
  Place,
  Question,
  QuestionKind,
  Span,
} from '../../core/question.ts';
import { nameSome } from '../../core/wording/name-some.ts';
import { asOf, type IndexContext, ownFile, rangeOf } from './answers/index-context.ts';
import { type SymbolAt, symbolAt } from './answers/symbol-at.ts';
import { plainPostings, usesOf } from './answers/uses-of.ts';
import { parseSymbol, symbolName } from './scip/scip-symbol.ts';
import type { IndexStore, Posting, StoredOccurrence, SymbolKey } from './store/index-store.ts';

/** Answers of one kind from an index. */
type Answers = {
  readonly [K in QuestionKind]?: (question: Question<K>, call: Call) => Promise<Reply<AnswerOf<K>>>;
};

/**
 * Answers about files of the workspace from an index of their repository, where no language server can: none is
 * installed, it has failed, or the file is too large. It never proposes a change and knows no problems.
 */
export class IndexBackend implements AnswerSource {
  readonly id = 'index';
  readonly isStandby = true;
  readonly servers: ServerControl;
  readonly #context: IndexContext;
  readonly #answers: Answers = {
    definition: ({ place }, call) => this.#spans(place, 'definition', call),
    declaration: ({ place }, call) => this.#spans(place, 'definition', call),
    references: ({ place }, call) => this.#spans(place, 'references', call),
    implementations: ({ place }, call) => this.#spans(place, 'implementations', call),
    hover: ({ place }) => this.#hover(place),
    outline: ({ path }) => this.#outline(path),
    symbols: ({ query }) => this.#symbols(query),
  };

  constructor(context: IndexContext) {
    this.#context = context;
    this.servers = controlOf(() => this.#status());
  }

  answers(kind: QuestionKind | 'diagnostics'): boolean {
    return kind !== 'diagnostics' && this.#answers[kind] !== undefined;
  }

  async ask<K extends QuestionKind>(question: Question<K>, call: Call): Promise<Reply<AnswerOf<K>>> {
    cancelSignalOf(call).throwIfAborted();
    const answers: {
      readonly [P in K]?: (question: Question<P>, call: Call) => Promise<Reply<AnswerOf<P>>>;
    } = this.#answers;
    const answer = answers[question.kind];
    if (!answer) throw refusal(question.kind);
    return answer(question, call);
  }

  async visibility(): Promise<ReadonlyMap<string, Visibility>> {
    return new Map();
  }

  async diagnostics(): Promise<never> {
    throw refusal('diagnostics');
  }

  async workspaceDiagnostics(): Promise<never> {
    throw refusal('diagnostics');
  }

  async propose(): Promise<never> {
    throw refusal('actions');
  }

  onDiagnostics(): () => void {
    return () => {};
  }

  async close(): Promise<void> {
    // What could not be opened need not be closed, and whoever asked has been told.
    const store = await this.#context.store().catch(() => undefined);
    await store?.close();
  }

  async #status(): Promise<readonly ServerStatus[]> {
    const store = await this.#context.store();
    const indexes = (await store?.list()) ?? [];
    return this.#context.workspace.roots.flatMap((root) => {
      const { name } = this.#context.repositoryOf(root);
      const own = indexes.filter(({ repository }) => repository === name);
      return own.map(({ tool }) => ({
        ...bareStatus,
        state: 'ready',
        id: this.id,
        root,
        version: tool,
        doubts: asOf(own),
      }));
    });
  }

  async #spans(
    place: Place,
    kind: 'definition' | 'references' | 'implementations',
    call: Call,
  ): Promise<Reply<readonly Span[]>> {
    const { store, at } = await this.#at(place);
    const keys = kind === 'implementations' ? await store.implementers(at.keys) : at.keys;
    cancelSignalOf(call).throwIfAborted();
    const { postings } = await (kind === 'references' ? usesOf : plainPostings)(store, keys);
    const own = postings.filter(({ document }) => document.index === at.index.id);
    const local = { document: at.document, occurrences: at.local };
    const isMeant = ({ isDefinition }: StoredOccurrence) => kind === 'references' || isDefinition;
    const found = [...own, local].flatMap(({ document, occurrences }) =>
      occurrences.filter(isMeant).map((one) => this.#span(at.root, document.path, one)),
    );
    return { answer: found, doubts: await this.#doubts(store, at, own, call) };
  }

  #span(root: string, path: string, one: StoredOccurrence): Span {
    const { path: real, standing } = this.#context.workspace.fromUri(
      this.#context.workspace.uri(`${root}/${path}`),
    );
    return { path: real, range: rangeOf(one), standing };
  }

  /** Says how old the index is, and which files that matter have changed since. */
  async #doubts(
    store: IndexStore,
    at: SymbolAt,
    postings: readonly Posting[],
    call: Call,
  ): Promise<readonly Doubt[]> {
    const { workspace } = this.#context;
    const known = new Map(postings.map(({ document }) => [`${at.root}/${document.path}`, document.hash]));
    known.set(`${at.root}/${at.document.path}`, at.document.hash);
    const names = (await store.symbols(at.keys.slice(0, 1))).map(({ name }) => name);
    const [name = ''] = names;
    const mentioning = name === '' ? [] : ((await workspace.mentioning(name, call)) ?? []);
    for (const file of mentioning.slice(0, limits.mentions.files)) {
      if (known.has(file)) continue;
      const own = await ownFile(this.#context, store, file);
      known.set(file, own?.found?.document.hash ?? '');
    }
    const changed: string[] = [];
    for (const [file, hash] of known) {
      const text =
        workspace.rootOf(file) === undefined ? undefined : await workspace.read(file).catch(() => undefined);
      if (text?.hash !== hash) changed.push(workspace.show(file));
    }
    return [...asOf([at.index]), ...changedDoubt(changed)];
  }

  async #hover(place: Place): Promise<Reply<Hover | undefined>> {
    const { store, at } = await this.#at(place);
    const symbols = (await store.symbols(at.keys)).filter(({ documentation }) => documentation !== '');
    const text = symbols[0]?.documentation;
    return {
      answer: text === undefined ? undefined : { text },
      doubts: [...asOf([at.index]), ...changedAt(at)],
    };
  }

  async #outline(file: string): Promise<Reply<readonly OutlineSymbol[]>> {
    const store = await this.#store();
    const { index, document } = (await ownFile(this.#context, store, file))?.found ?? {};
    const content = document && (await store.content(document));
    if (!index || !document || !content) throw notIndexed();
    const defined = content.symbols.flatMap(({ key, occurrences }) =>
      occurrences.filter(({ isDefinition }) => isDefinition).map((one) => ({ key, one })),
    );
    const byKey = new Map((await store.symbols(defined.map(({ key }) => key))).map((one) => [one.key, one]));
    const symbols = defined.flatMap(({ key, one }) => {
      const { name, kind } = byKey.get(key) ?? {};
      const range = rangeOf(one);
      return name && kind && kind !== 'module' ? [{ name, kind, range, selection: range, children: [] }] : [];
    });
    const { hash } = await this.#context.workspace.read(file);
    const changed = hash === document.hash ? [] : [this.#context.workspace.show(file)];
    return { answer: symbols, doubts: [...asOf([index]), ...changedDoubt(changed)] };
  }

  async #symbols(query: string): Promise<Reply<readonly FoundSymbol[]>> {
    const store = await this.#store();
    const indexes = await store.list();
    const roots = new Map(
      this.#context.workspace.roots.flatMap((root) => {
        const { name, root: top } = this.#context.repositoryOf(root);
        const own = indexes.filter(({ repository }) => repository === name);
        return own.map(({ id }) => [id, top] as const);
      }),
    );
    const found = await store.named(query, limits.index.found);
    const symbols: FoundSymbol[] = [];
    for (const { key, index, name, kind, symbol } of found) {
      const root = roots.get(index);
      if (root === undefined) continue;
      const { container } = symbolName(parseSymbol(symbol));
      for (const span of await this.#definitions(store, key, index, root))
        symbols.push({ name, kind, ...(container === undefined ? {} : { container }), span });
    }
    return { answer: symbols, doubts: asOf(indexes.filter(({ id }) => roots.has(id))) };
  }

  async #definitions(
    store: IndexStore,
    key: SymbolKey,
    index: number,
    root: string,
  ): Promise<readonly Span[]> {
    const postings = await store.postings([key], limits.index.documents);
    return postings
      .filter(({ document }) => document.index === index)
      .flatMap(({ document, occurrences }) =>
        occurrences
          .filter(({ isDefinition }) => isDefinition)
          .map((one) => this.#span(root, document.path, one)),
      );
  }

  async #at(place: Place): Promise<{ readonly store: IndexStore; readonly at: SymbolAt }> {
    const store = await this.#store();
    const at = await symbolAt(this.#context, store, place);
    if (!at) throw notIndexed();
    return { store, at };
  }

  async #store(): Promise<IndexStore> {
    const store = await this.#context.store();
    if (!store) throw notIndexed();
    return store;
  }
}

function changedAt({ isCurrent, document }: SymbolAt): readonly Doubt[] {
  return isCurrent ? [] : changedDoubt([document.path]);
}

function changedDoubt(changed: readonly string[]): readonly Doubt[] {
  if (changed.length === 0) return [];
  return [{ kind: 'changed_since', detail: `Changed since they were indexed: ${nameSome(changed)}.` }];
}

function notIndexed(): LspanError {
  return new LspanError('not_supported', 'No index has this file.', {
    nextStep: 'Ask the user to run: lspan index build',
  });
}

/** An index is a picture of an earlier state: nothing is changed, and no problem is told, because of it. */
function refusal(kind: QuestionKind | 'diagnostics'): LspanError {
  return new LspanError(
    'not_supported',
    `An index answers no questions about ${kind}: it may be older than the files.`,
    {
      nextStep: 'Install a language server for the file: get_server_status names one.',
    },
  );
}

function controlOf(status: ServerControl['status']): ServerControl {
  return {
    status,
    restart: async () => [],
    stop: async () => [],
    filesMoved: async () => {},
    askRunning: async () => undefined,
    filesWithProblems: () => [],
  };
}
