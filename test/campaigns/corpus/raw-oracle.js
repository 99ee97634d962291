// What a language server says by itself with every file open and everything resolved, asked at every mention of a name.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { startRawClient } from '../../../bench/raw-client.js';
import { placesInCode, placesInText } from './code-words.js';
import { key } from './typescript-oracle.js';

const modules = path.resolve(import.meta.dirname, '../../../node_modules');

/** The distribution adds a version to some names. */
function newest(name) {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const named = folders.flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []));
  const versions = named.flatMap((one) =>
    one.startsWith(`${name}-`) ? Number(one.slice(name.length + 1)) : [],
  );
  const latest = Math.max(...versions.filter(Number.isInteger));
  return named.includes(name) || latest === Number.NEGATIVE_INFINITY ? name : `${name}-${latest}`;
}

const languages = {
  python: {
    id: 'python',
    command: ['node', path.join(modules, 'pyright/langserver.index.js'), '--stdio'],
    files: /\.pyi?$/,
  },
  go: { id: 'go', command: ['gopls'], files: /\.go$/ },
  rust: { id: 'rust', command: ['rust-analyzer'], files: /\.rs$/ },
  c: {
    id: 'c',
    command: [newest('clangd'), '--background-index=false'],
    files: /\.(?:[ch]|cc|cpp|cxx|hpp)$/,
  },
};

export class RawOracle {
  #client;
  #folder;
  #language;
  #texts = new Map();
  #symbols = [];

  static async start(language, { resolved, env, oracleEnv = env }) {
    const oracle = new RawOracle();
    oracle.#language = language;
    oracle.#folder = resolved;
    const { id, command, files } = languages[language];
    oracle.#client = startRawClient({ command, cwd: resolved, env: { ...process.env, ...oracleEnv } });
    const root = pathToFileURL(resolved).href;
    await oracle.#client.request('initialize', {
      processId: process.pid,
      rootUri: root,
      workspaceFolders: [{ uri: root, name: 'resolved' }],
      capabilities: {
        textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } },
        workspace: { configuration: true, workspaceFolders: true },
        general: { positionEncodings: ['utf-16'] },
      },
    });
    oracle.#client.notify('initialized', {});
    for (const file of filesIn(resolved, files)) oracle.#texts.set(file, readFileSync(file, 'utf8'));
    const isAlone = language === 'c' ? aloneAmong(oracle.#texts) : () => true;
    for (const [file, text] of oracle.#texts) {
      if (!isAlone(file, text)) continue;
      const uri = pathToFileURL(file).href;
      oracle.#client.notify('textDocument/didOpen', {
        textDocument: { uri, languageId: /\.[ch]\w\w?$/.test(file) ? 'cpp' : id, version: 1, text },
      });
    }
    for (const [file, text] of oracle.#texts) {
      if (!isAlone(file, text)) continue;
      const list = await oracle.#ask('textDocument/documentSymbol', { textDocument: document(file) });
      oracle.#collect(file, list ?? [], 0);
    }
    await oracle.#settle();
    return oracle;
  }

  symbols() {
    return this.#symbols;
  }

  async references(symbol) {
    const places = await this.#listed(symbol);
    const own = key(symbol);
    for (const mention of this.#mentions(symbol.name)) {
      if (places.has(key(mention))) continue;
      if ((await this.definitions(mention)).includes(own) && !(await this.#isGuess(mention)))
        places.set(key(mention), { ...mention, text: symbol.name });
    }
    for (const [place, { file, text }] of places)
      if (file.endsWith('.c') && text !== symbol.name && !this.#isMacro(text)) places.delete(place);
    if (places.size > 0) places.set(own, places.get(own) ?? { ...symbol, text: symbol.name });
    return places;
  }

  /** Whether a word is a macro: a compiler of C takes a name that it does not know for another that is spelt alike. */
  #isMacro(word) {
    const define = new RegExp(`^[ \\t]*#[ \\t]*define[ \\t]+${word.replaceAll(/\W/g, '')}\\b`, 'm');
    return [...this.#texts.values()].some((text) => define.test(text));
  }

  /** The uses of the names that imports among the places give to a symbol; few servers list them as uses of the symbol. */
  async aliasUses(places) {
    const found = new Map();
    for (const { file, line, character, text } of places.values()) {
      const from = character - 1 + text.length;
      const code = this.#texts.get(path.join(this.#folder, file))?.split('\n')[line - 1] ?? '';
      const alias = /^\s+as\s+(?=\w)/.exec(code.slice(from));
      if (alias === null) continue;
      const local = { file, line, character: character + text.length + alias[0].length };
      for (const [place, use] of await this.#listed(local)) if (use.file === file) found.set(place, use);
    }
    return found;
  }

  async mentions(name) {
    return new Map(this.#mentions(name).map((mention) => [key(mention), mention]));
  }

  async comments(name) {
    const inCode = await this.mentions(name);
    const everywhere = this.#mentions(name, placesInText).map((mention) => [key(mention), mention]);
    return new Map(everywhere.filter(([place]) => !inCode.has(place)));
  }

  /** The places in code where a name stands and the server knows no definition. */
  async unknown(name) {
    const places = new Map();
    for (const mention of this.#mentions(name)) {
      const found = await this.#ask('textDocument/definition', this.#at(mention));
      if (found === null || found.length === 0 || (await this.#isGuess(mention)))
        places.set(key(mention), mention);
    }
    for (const use of this.#macroUses(name)) places.set(key(use), use);
    return places;
  }

  #at({ file, line, character }) {
    return {
      textDocument: document(path.join(this.#folder, file)),
      position: { line: line - 1, character: character - 1 },
    };
  }

  /** A server of C guesses where it knows nothing, but only if it is asked for the definition. */
  async #isGuess(mention) {
    return this.#language === 'c' && (await this.#ask('textDocument/hover', this.#at(mention))) === null;
  }

  /** Where a macro of C stands for a name: the server says nothing of those that are not compiled. */
  #macroUses(name) {
    if (this.#language !== 'c') return [];
    const define = new RegExp(`^[ \\t]*#[ \\t]*define[ \\t]+(\\w+)\\b(?=(?:\\\\\\n|.)*\\b${name}\\b)`, 'gm');
    return [...this.#texts].flatMap(([file, text]) => {
      const macros = new Set([...text.matchAll(define)].map(([, macro]) => macro));
      const lines = text.split('\n');
      const isUse = ({ line, character }) => !/#\s*define\s*$/.test(lines[line - 1].slice(0, character - 1));
      const inFile = (one) => path.join(this.#folder, one.file) === file && one.text !== name && isUse(one);
      return [...macros].flatMap((macro) => this.#mentions(macro).filter(inFile));
    });
  }

  async definitions({ file, line, character }) {
    const at = {
      textDocument: document(path.join(this.#folder, file)),
      position: { line: line - 1, character: character - 1 },
    };
    const found = (await this.#ask('textDocument/definition', at)) ?? [];
    return [found]
      .flat()
      .map((one) => this.#place(one.targetUri ?? one.uri, (one.targetSelectionRange ?? one.range).start))
      .filter((place) => place !== undefined)
      .map(key);
  }

  async stop() {
    await this.#client.stop();
  }

  async #ask(method, params) {
    try {
      return await this.#client.request(method, params);
    } catch {
      return null; // A server has its own ways to say that there is nothing.
    }
  }

  /** Asks about one symbol until two answers are the same: a server that is still loading finds more each time. */
  async #settle() {
    const probes = this.#symbols.slice(0, 400).filter((_, index) => index % 40 === 0);
    let before = '';
    for (let same = 0; same < 3; ) {
      const sizes = [];
      for (const probe of probes) sizes.push((await this.references(probe)).size);
      const now = sizes.join();
      same = now === before && sizes.some((size) => size > 0) ? same + 1 : 0;
      before = now;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }

  async #listed({ file, line, character }) {
    const listed = await this.#ask('textDocument/references', {
      textDocument: document(path.join(this.#folder, file)),
      position: { line: line - 1, character: character - 1 },
      context: { includeDeclaration: true },
    });
    const places = new Map();
    for (const { uri, range } of listed ?? []) {
      const place = this.#place(uri, range.start);
      if (place !== undefined) places.set(key(place), { ...place, ...this.#textAt(uri, range) });
    }
    return places;
  }

  #mentions(name, placesIn = placesInCode) {
    const found = [];
    for (const [file, text] of this.#texts) {
      for (const { line, character, before, after } of placesIn(text, name, this.#language))
        found.push({
          file: path.relative(this.#folder, file),
          line: line + 1,
          character: character + 1,
          text: name,
          isImport: /\b(import|from|use)\b/.test(before),
          call: isCall(before, after),
        });
    }
    return found;
  }

  #collect(file, list, depth) {
    for (const { name, kind, selectionRange, children = [] } of list) {
      const [bare = ''] = /[A-Za-z_$][\w$]*$/.exec(name.replace(/\(.*$/, '')) ?? [];
      const line = this.#texts.get(file).split('\n')[selectionRange.start.line] ?? '';
      const stands = line.slice(selectionRange.start.character, selectionRange.end.character) === bare;
      if (stands && bare !== '' && wanted.has(kind) && !bare.startsWith('__'))
        this.#symbols.push({
          ...this.#place(pathToFileURL(file).href, selectionRange.start),
          name: bare,
          kind: wanted.get(kind),
          exported: depth === 0,
        });
      if (depth < 1) this.#collect(file, children, depth + 1);
    }
  }

  #place(uri, start) {
    const file = path.relative(this.#folder, decodeURIComponent(new URL(uri).pathname));
    if (file.startsWith('..')) return undefined;
    return { file, line: start.line + 1, character: start.character + 1 };
  }

  #textAt(uri, { start, end }) {
    const text = this.#texts.get(decodeURIComponent(new URL(uri).pathname));
    const line = text?.split('\n')[start.line] ?? '';
    return {
      text: line.slice(start.character, end.character),
      call: isCall(line.slice(0, start.character), line.slice(end.character)),
    };
  }
}

const wanted = new Map([
  [5, 'class'],
  [6, 'method'],
  [7, 'property'],
  [8, 'field'],
  [10, 'enum'],
  [11, 'interface'],
  [12, 'function'],
  [13, 'variable'],
  [14, 'constant'],
  [23, 'struct'],
]);

/**
 * Returns whether a file of C stands alone: it has a declaration, and if another file includes it although it is no header, it
 * includes what it needs itself.
 * A part of others means something else when it is opened alone, here too.
 */
function aloneAmong(texts) {
  const all = [...texts.values()].join('\n');
  const parts = new Set(
    Array.from(all.matchAll(/^[ \t]*#[ \t]*include[ \t]*"([^"\n]+\.c)"/gm), ([, name]) =>
      path.basename(name),
    ),
  );
  return (file, text) =>
    (!parts.has(path.basename(file)) || /^[ \t]*#[ \t]*include/m.test(text)) &&
    /;/.test(text.replace(/\/\*[\s\S]*?\*\//g, ''));
}

/** Whether a name is called: a parenthesis follows, and neither a word of declaration nor a type stands before it. */
function isCall(before, after) {
  // A definition of C, whose type stands above it, or a method of an interface.
  if (/^(?:\w+::)*$/.test(before) || (/^\s*$/.test(before) && /^\([^()]*\)[ \t]+[\w*[(]/.test(after)))
    return false;
  const declares = /\b(def|class|fn|func|struct)\s*(\([^)]*\)\s*)?$|#\s*define\s*$/.test(before);
  const typed =
    /[\w*>]\s*$/.test(before) &&
    !/\b(return|else|in|not|and|or|if|await|yield|go|defer|case|lambda|new)\s*$/.test(before);
  return /^\s*\(/.test(after) && !declares && !typed;
}

const document = (file) => ({ uri: pathToFileURL(file).href });

function filesIn(folder, pattern) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && pattern.test(one.name))
    .map((one) => path.join(one.parentPath, one.name))
    .sort();
}
