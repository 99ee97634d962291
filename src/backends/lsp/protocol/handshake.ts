import path from 'node:path';
import { limits } from '../../../core/limits.ts';
import type { PositionEncoding } from '../../../core/position.ts';
import { type Json, object, text } from '../../../core/runtime/json.ts';
import { mergeTables } from '../../../core/runtime/merge-json.ts';
import { symbolKinds } from '../../../core/symbol-kinds.ts';
import { uriOfPath } from '../../../workspace/gate/uri.ts';

/** The server's part of the handshake. */
export interface Handshake {
  readonly capabilities: unknown;
  readonly encoding: PositionEncoding;
  readonly name: string | undefined;
  readonly version: string | undefined;
}

/** Where a server works. */
interface InitializePlace {
  readonly root: string;
  readonly folders: readonly string[];
  /** The process with which the server ends; `null` for one that sees no process of ours. Default: this one. */
  readonly processId?: number | null;
}

/** Returns the parameters of `initialize`: the client, the workspace and the client's capabilities. */
export function initializeParams(
  { root, folders, processId = process.pid }: InitializePlace,
  initializationOptions: unknown,
  version: string,
  more: Json = {},
): Json {
  return {
    processId,
    clientInfo: { name: 'lspan', version },
    locale: 'en',
    rootPath: root,
    rootUri: uriOfPath(root),
    workspaceFolders: workspaceFolders(folders),
    capabilities: mergeTables(capabilities, more),
    ...(initializationOptions === undefined ? {} : { initializationOptions }),
    trace: 'off',
  };
}

/** Converts folders to LSP workspace folders. */
export function workspaceFolders(
  folders: readonly string[],
): { readonly uri: string; readonly name: string }[] {
  return folders.map((folder) => ({ uri: uriOfPath(folder), name: path.basename(folder) || folder }));
}

/** Reads the reply to `initialize`; an encoding that is not known counts as the default. */
export function readHandshake(reply: unknown): Handshake {
  const { capabilities: announced, serverInfo, offsetEncoding } = object(reply);
  const { name, version } = object(serverInfo);
  // Older servers for C send it next to their capabilities: https://clangd.llvm.org/extensions#utf-8-offsets
  const told = object(announced).positionEncoding ?? offsetEncoding;
  const encoding = encodings.find((known) => known === told) ?? 'utf-16';
  return { capabilities: announced, encoding, name: oneLine(name), version: oneLine(version) };
}

/** Cuts the server's free text to one line, for the status. */
function oneLine(value: unknown): string | undefined {
  const said = text(value)?.replace(/\s+/g, ' ');
  // Some servers send a whole report of their build, which is useless when cut to a line.
  return said?.startsWith('{') ? undefined : said?.slice(0, limits.quoted.version);
}

const encodings: readonly PositionEncoding[] = ['utf-16', 'utf-8', 'utf-32'];
const registrable = { dynamicRegistration: true };
const markup = ['markdown', 'plaintext'];
const kinds = { valueSet: symbolKinds.map((_, index) => index + 1) };

const actionKinds = [
  '',
  'quickfix',
  'refactor',
  'refactor.extract',
  'refactor.inline',
  'refactor.move',
  'refactor.rewrite',
  'source',
  'source.organizeImports',
  'source.fixAll',
];

const capabilities: Json = {
  general: {
    // What editors offer, and texts have here: columns of other units would be converted one by one.
    positionEncodings: ['utf-16'],
    // https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#staleRequestSupport
    staleRequestSupport: { cancel: true, retryOnContentModified: [] },
  },
  textDocument: {
    synchronization: { ...registrable, didSave: false, willSave: false, willSaveWaitUntil: false },
    definition: { ...registrable, linkSupport: true },
    declaration: { ...registrable, linkSupport: true },
    typeDefinition: { ...registrable, linkSupport: true },
    implementation: { ...registrable, linkSupport: true },
    callHierarchy: registrable,
    typeHierarchy: registrable,
    references: registrable,
    hover: { ...registrable, contentFormat: markup },
    documentSymbol: { ...registrable, hierarchicalDocumentSymbolSupport: true, symbolKind: kinds },
    codeAction: {
      ...registrable,
      codeActionLiteralSupport: { codeActionKind: { valueSet: actionKinds } },
      isPreferredSupport: true,
      disabledSupport: true,
      dataSupport: true,
      resolveSupport: { properties: ['edit', 'command'] },
      honorsChangeAnnotations: true,
    },
    completion: {
      ...registrable,
      contextSupport: true,
      completionItem: {
        // A definition overrides this for a server that otherwise offers no completions.
        snippetSupport: false,
        documentationFormat: markup,
        deprecatedSupport: true,
        tagSupport: { valueSet: [1] },
        preselectSupport: true,
        insertReplaceSupport: true,
        labelDetailsSupport: true,
        resolveSupport: { properties: ['documentation', 'detail', 'additionalTextEdits'] },
      },
      completionItemKind: { valueSet: Array.from({ length: 25 }, (_, index) => index + 1) },
      completionList: {
        itemDefaults: ['commitCharacters', 'editRange', 'insertTextFormat', 'insertTextMode', 'data'],
      },
    },
    signatureHelp: {
      ...registrable,
      contextSupport: true,
      signatureInformation: {
        documentationFormat: markup,
        parameterInformation: { labelOffsetSupport: true },
        activeParameterSupport: true,
        noActiveParameterSupport: true,
      },
    },
    inlayHint: registrable,
    formatting: registrable,
    rangeFormatting: registrable,
    publishDiagnostics: {
      versionSupport: true,
      relatedInformation: true,
      codeDescriptionSupport: true,
      dataSupport: true,
    },
    diagnostic: { ...registrable, relatedDocumentSupport: true },
    rename: {
      ...registrable,
      prepareSupport: true,
      prepareSupportDefaultBehavior: 1,
      honorsChangeAnnotations: true,
    },
  },
  workspace: {
    // Servers offer command-based actions only with this; edits that lspan did not ask for are refused.
    applyEdit: true,
    workspaceEdit: {
      documentChanges: true,
      resourceOperations: ['create', 'rename', 'delete'],
      failureHandling: 'transactional',
      normalizesLineEndings: true,
      changeAnnotationSupport: { groupsOnLabel: false },
    },
    fileOperations: { ...registrable, willRename: true, didRename: true },
    configuration: true,
    workspaceFolders: true,
    didChangeConfiguration: registrable,
    didChangeWatchedFiles: { ...registrable, relativePatternSupport: true },
    symbol: { ...registrable, symbolKind: kinds },
    diagnostics: { refreshSupport: true },
  },
  window: { workDoneProgress: true, showMessage: {}, showDocument: { support: false } },
};
