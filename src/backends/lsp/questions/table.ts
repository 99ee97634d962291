import type { QuestionKind } from '../../../core/question.ts';
import { filterInSlices, joined } from '../../../core/runtime/slices.ts';
import { readFoundSymbols, readOutline, readSpans, readUses } from '../convert/answers.ts';
import { positionParams } from '../convert/translation.ts';
import { actionsRow } from './actions.ts';
import { callHierarchyRow } from './call-hierarchy.ts';
import { completionsRow } from './completions.ts';
import { formatRow } from './format.ts';
import { hintsRow } from './hints.ts';
import { hoverRow } from './hover.ts';
import { implementationsRow } from './implementations.ts';
import { movesRow } from './moves.ts';
import { renameRow } from './rename.ts';
import type { Row } from './row.ts';
import { signaturesRow } from './signature.ts';
import { typeHierarchyRow } from './type-hierarchy.ts';

/** Maps each kind of question to the Language Server Protocol. */
export const rows: { readonly [K in QuestionKind]: Row<K> } = {
  definition: {
    method: 'textDocument/definition',
    capability: 'definitionProvider',
    path: ({ place }) => place.path,
    params: ({ place }, translation) => positionParams(place, translation),
    answer: (raw, _question, translation) => readSpans(raw, translation),
    count: (spans) => spans.length,
  },
  declaration: {
    method: 'textDocument/declaration',
    capability: 'declarationProvider',
    path: ({ place }) => place.path,
    params: ({ place }, translation) => positionParams(place, translation),
    answer: (raw, _question, translation) => readSpans(raw, translation),
    count: (spans) => spans.length,
  },
  type: {
    method: 'textDocument/typeDefinition',
    capability: 'typeDefinitionProvider',
    path: ({ place }) => place.path,
    params: ({ place }, translation) => positionParams(place, translation),
    answer: (raw, _question, translation) => readSpans(raw, translation),
    count: (spans) => spans.length,
  },
  implementations: implementationsRow,
  calls: callHierarchyRow,
  types: typeHierarchyRow,
  completions: completionsRow,
  signatures: signaturesRow,
  hints: hintsRow,
  references: {
    method: 'textDocument/references',
    capability: 'referencesProvider',
    search: { from: ({ place }) => place, found: (spans) => spans, add: (spans, find) => find(spans) },
    path: ({ place }) => place.path,
    // Always include the declaration: an empty list for a symbol that resolves is then a contradiction.
    params: async ({ place }, translation) => ({
      ...(await positionParams(place, translation)),
      context: { includeDeclaration: true },
    }),
    answer: (raw, _question, translation) => readUses(raw, translation),
    addFromOtherServers: ({ place }, spans, find) => find(place, spans),
    count: (spans) => spans.length,
  },
  hover: hoverRow,
  outline: {
    method: 'textDocument/documentSymbol',
    capability: 'documentSymbolProvider',
    ofOneText: true,
    path: ({ path }) => path,
    params: async ({ path }, { workspace }) => ({ textDocument: { uri: workspace.uri(path) } }),
    answer: (raw, { path }, translation) => readOutline(raw, path, translation),
    count: (symbols) => symbols.length,
  },
  symbols: {
    method: 'workspace/symbol',
    capability: 'workspaceSymbolProvider',
    union: joined,
    keepOwn: (symbols, isOwn) => filterInSlices(symbols, ({ span }) => isOwn(span.path)),
    search: { found: () => [] },
    path: () => undefined,
    candidateFiles: ({ among }) => among,
    params: async ({ query }, { wordQuery }) => ({ query: wordQuery(query) }),
    answer: (raw, _question, translation) => readFoundSymbols(raw, translation),
    count: (symbols) => symbols.length,
  },
  rename: renameRow,
  moves: movesRow,
  actions: actionsRow,
  format: formatRow,
};
