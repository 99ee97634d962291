import { fileURLToPath, pathToFileURL } from 'node:url';
import { changeCapabilities } from './changes.js';
import { hierarchyCapabilities } from './hierarchies.js';
import { renameCapabilities } from './renames.js';
import { replies } from './replies.js';
import { suggestionCapabilities } from './suggestions.js';
import { Texts } from './texts.js';
import { problems } from './words.js';

/** A language of words: a keyword and a name are a declaration, and all other occurrences of the name refer to it. */
export class Language {
  texts = new Texts();
  isShutDown = false;
  #script;
  #isInitialized = false;

  constructor(script) {
    this.#script = script;
    this.texts.encoding = script.positionEncoding ?? 'utf-16';
  }

  /** Replies to a request as a well-behaved server. */
  answer(method, params, complain) {
    if (method === 'initialize') return { result: this.#initialize(params, complain) };
    if (!this.#isInitialized) return failure(-32002, 'The server is not initialized.');
    if (this.isShutDown) return failure(-32600, 'The server is shut down.');
    const reply = Object.hasOwn(replies, method) ? replies[method] : undefined;
    if (!reply) return failure(-32601, `The fake server does not know ${method}.`);
    return { result: reply(this, params) };
  }

  /** Handles a notification, and logs violations of the protocol. */
  hear(server, method, params) {
    const { complain } = server;
    if (!this.#isInitialized && method !== 'exit') complain(`${method} before initialize`);
    if (method === 'initialized') this.#registerWatchers(server);
    const effect = Object.hasOwn(effects, method) ? effects[method] : undefined;
    effect?.(this.texts, params, complain);
    if (!method.startsWith('textDocument/did') || !pushes(this.#script)) return;
    this.#publish(server, params.textDocument.uri);
  }

  #initialize(params, complain) {
    if (this.#isInitialized) complain('a second initialize');
    this.#isInitialized = true;
    const root = params.workspaceFolders?.[0]?.uri ?? params.rootUri;
    if (root) this.texts.load(fileURLToPath(root));
    for (const [path, text] of Object.entries(this.#script.files ?? {})) {
      this.texts.files.set(new URL(path, root ? `${root}/` : 'file:///').href, text);
    }
    return { capabilities: capabilities(this.#script), serverInfo: { name: 'fake', version: '1.0.0' } };
  }

  #registerWatchers(server) {
    const { watch } = this.#script;
    if (!watch) return;
    const watchers = watch.map((globPattern) => ({ globPattern }));
    const method = 'workspace/didChangeWatchedFiles';
    const registrations = [{ id: 'watch', method, registerOptions: { watchers } }];
    void server.ask('client/registerCapability', { registrations });
  }

  #publish(server, uri) {
    const version = this.texts.open.get(uri)?.version;
    const stamp = this.#script.diagnostics === 'push_unversioned' ? {} : { version };
    const diagnostics = version === undefined ? [] : problems(this, uri);
    const params = { uri, ...stamp, diagnostics };
    server.send({ jsonrpc: '2.0', method: 'textDocument/publishDiagnostics', params });
  }
}

const effects = {
  'textDocument/didOpen': (texts, { textDocument }, complain) => {
    const { uri, version, text } = textDocument;
    if (texts.open.has(uri)) complain(`didOpen of ${uri}, which is open`);
    if (uri.startsWith('file:') && pathToFileURL(fileURLToPath(uri)).href !== uri) complain(`the uri ${uri}`);
    texts.open.set(uri, { version, text });
  },
  'textDocument/didChange': (texts, { textDocument, contentChanges }, complain) => {
    const { uri, version } = textDocument;
    const document = texts.open.get(uri);
    if (!document) return complain(`didChange of ${uri}, which is not open`);
    if (version <= document.version) complain(`version ${version} of ${uri} after ${document.version}`);
    document.version = version;
    for (const change of contentChanges) texts.change(uri, change);
  },
  'textDocument/didClose': (texts, { textDocument: { uri } }, complain) => {
    if (!texts.open.delete(uri)) complain(`didClose of ${uri}, which is not open`);
    texts.reload(uri);
  },
  'workspace/didChangeWatchedFiles': (texts, { changes }) => {
    for (const { uri } of changes) texts.reload(uri);
  },
};

function capabilities(script) {
  const all = {
    positionEncoding: script.positionEncoding,
    textDocumentSync: { openClose: true, change: 2, save: false },
    definitionProvider: true,
    referencesProvider: true,
    hoverProvider: true,
    documentSymbolProvider: true,
    workspaceSymbolProvider: true,
    diagnosticProvider: pulls(script)
      ? { interFileDependencies: false, workspaceDiagnostics: false }
      : undefined,
    ...changeCapabilities,
    ...hierarchyCapabilities,
    ...renameCapabilities,
    ...suggestionCapabilities,
    ...script.capabilities,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

const pulls = ({ diagnostics = 'pull' }) => diagnostics === 'pull' || diagnostics === 'both';
const pushes = ({ diagnostics = 'pull' }) => diagnostics === 'both' || diagnostics.startsWith('push');

function failure(code, message) {
  return { error: { code, message } };
}
