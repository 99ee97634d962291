import * as vscode from 'vscode';
import { LspanError } from '../../../../src/core/errors.ts';
import { type Json, list, number, object, text } from '../../../../src/core/runtime/json.ts';
import {
  toActions,
  toCompletions,
  toHierarchyItem,
  toHints,
  toHover,
  toLocations,
  toOutline,
  toRange,
  toSignatures,
  toSymbolInformation,
  toTextEdits,
  toWorkspaceEdit,
} from './to-lsp.ts';

/** What the rows of the table need besides the parameters of a request. */
export interface ProviderContext {
  /** Returns the URI under which VS Code knows a document. */
  uriOf(uri: string): vscode.Uri;
  /** The items of hierarchies that were answered, by number: VS Code wants its own objects back. */
  readonly items: (vscode.CallHierarchyItem | vscode.TypeHierarchyItem)[];
  /** How many completions or actions are asked for in full. */
  readonly resolved: number;
}

type Provider = (params: Json, context: ProviderContext) => PromiseLike<unknown>;

/** Answers a request of the Language Server Protocol by the providers of VS Code. */
export function askProvider(method: string, params: Json, context: ProviderContext): Promise<unknown> {
  const provider = providers[method];
  if (provider) return Promise.resolve(provider(params, context));
  return Promise.reject(new LspanError('not_supported', 'VS Code cannot be asked this by an extension.'));
}

/** Returns whether VS Code can be asked a request at all. */
export function isAskable(method: string): boolean {
  return providers[method] !== undefined;
}

/** One row for each request: the command of VS Code that asks its providers, and how its answer is read. */
const providers: Readonly<Record<string, Provider>> = {
  'textDocument/definition': places('vscode.executeDefinitionProvider'),
  'textDocument/declaration': places('vscode.executeDeclarationProvider'),
  'textDocument/typeDefinition': places('vscode.executeTypeDefinitionProvider'),
  'textDocument/implementation': places('vscode.executeImplementationProvider'),
  'textDocument/references': places('vscode.executeReferenceProvider'),
  'textDocument/hover': (params, context) =>
    run<vscode.Hover[]>('vscode.executeHoverProvider', ...placeOf(params, context)).then(toHover),
  'textDocument/documentSymbol': (params, context) =>
    run<(vscode.DocumentSymbol | vscode.SymbolInformation)[]>(
      'vscode.executeDocumentSymbolProvider',
      documentOf(params, context),
    ).then(toOutline),
  'workspace/symbol': ({ query }) =>
    run<vscode.SymbolInformation[]>('vscode.executeWorkspaceSymbolProvider', query).then((found) =>
      (found ?? []).map(toSymbolInformation),
    ),
  'textDocument/prepareRename': (params, context) =>
    run<{ range: vscode.Range } | undefined>('vscode.prepareRename', ...placeOf(params, context)).then(
      (allowed) => (allowed ? { range: toRange(allowed.range) } : null),
    ),
  'textDocument/rename': (params, context) =>
    run<vscode.WorkspaceEdit | undefined>(
      'vscode.executeDocumentRenameProvider',
      ...placeOf(params, context),
      params.newName,
    ).then((edit) => (edit && edit.entries().length > 0 ? toWorkspaceEdit(edit, 'This rename') : null)),
  'textDocument/prepareCallHierarchy': (params, context) =>
    run<vscode.CallHierarchyItem[]>('vscode.prepareCallHierarchy', ...placeOf(params, context)).then(
      (items) => (items ?? []).map((item) => keepItem(item, context)),
    ),
  'callHierarchy/incomingCalls': (params, context) =>
    run<vscode.CallHierarchyIncomingCall[]>('vscode.provideIncomingCalls', itemOf(params, context)).then(
      (calls) =>
        (calls ?? []).map(({ from, fromRanges }) => ({
          from: keepItem(from, context),
          fromRanges: fromRanges.map(toRange),
        })),
    ),
  'callHierarchy/outgoingCalls': (params, context) =>
    run<vscode.CallHierarchyOutgoingCall[]>('vscode.provideOutgoingCalls', itemOf(params, context)).then(
      (calls) =>
        (calls ?? []).map(({ to, fromRanges }) => ({
          to: keepItem(to, context),
          fromRanges: fromRanges.map(toRange),
        })),
    ),
  'textDocument/prepareTypeHierarchy': (params, context) =>
    run<vscode.TypeHierarchyItem[]>('vscode.prepareTypeHierarchy', ...placeOf(params, context)).then(
      (items) => (items ?? []).map((item) => keepItem(item, context)),
    ),
  'typeHierarchy/supertypes': typesBelow('vscode.provideSupertypes'),
  'typeHierarchy/subtypes': typesBelow('vscode.provideSubtypes'),
  'textDocument/completion': (params, context) =>
    run<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      ...placeOf(params, context),
      undefined,
      context.resolved,
    ).then(toCompletions),
  'textDocument/signatureHelp': (params, context) =>
    run<vscode.SignatureHelp | undefined>(
      'vscode.executeSignatureHelpProvider',
      ...placeOf(params, context),
    ).then(toSignatures),
  'textDocument/inlayHint': (params, context) =>
    run<vscode.InlayHint[]>(
      'vscode.executeInlayHintProvider',
      documentOf(params, context),
      rangeOf(params.range),
    ).then(toHints),
  'textDocument/codeAction': (params, context) => {
    const [only] = list(object(params.context).only).flatMap((kind) => text(kind) ?? []);
    return run<(vscode.CodeAction | vscode.Command)[]>(
      'vscode.executeCodeActionProvider',
      documentOf(params, context),
      rangeOf(params.range),
      only,
      context.resolved,
    ).then(toActions);
  },
  'textDocument/formatting': (params, context) =>
    run<vscode.TextEdit[] | undefined>(
      'vscode.executeFormatDocumentProvider',
      documentOf(params, context),
      params.options,
    ).then(toTextEdits),
  'textDocument/rangeFormatting': (params, context) =>
    run<vscode.TextEdit[] | undefined>(
      'vscode.executeFormatRangeProvider',
      documentOf(params, context),
      rangeOf(params.range),
      params.options,
    ).then(toTextEdits),
};

function run<T>(command: string, ...given: unknown[]): PromiseLike<T> {
  return vscode.commands.executeCommand<T>(command, ...given);
}

function places(command: string): Provider {
  return (params, context) =>
    run<(vscode.Location | vscode.LocationLink)[]>(command, ...placeOf(params, context)).then(toLocations);
}

function typesBelow(command: string): Provider {
  return (params, context) =>
    run<vscode.TypeHierarchyItem[]>(command, itemOf(params, context)).then((items) =>
      (items ?? []).map((item) => keepItem(item, context)),
    );
}

function placeOf(params: Json, context: ProviderContext): readonly unknown[] {
  return [documentOf(params, context), positionOf(params.position)];
}

function documentOf({ textDocument }: Json, { uriOf }: ProviderContext): vscode.Uri {
  return uriOf(String(object(textDocument).uri));
}

function positionOf(value: unknown): vscode.Position {
  const { line, character } = object(value);
  return new vscode.Position(number(line) ?? 0, number(character) ?? 0);
}

function rangeOf(value: unknown): vscode.Range {
  const { start, end } = object(value);
  return new vscode.Range(positionOf(start), positionOf(end));
}

function keepItem(item: ProviderContext['items'][number], { items }: ProviderContext): Json {
  return toHierarchyItem(item, items.push(item) - 1);
}

function itemOf({ item }: Json, { items }: ProviderContext): unknown {
  return items[number(object(item).data) ?? -1];
}
