// Symbols of real sources, with what a raw client is told about them: half declarations, half uses.
import { pathToFileURL } from 'node:url';

const mostReferences = 100;
const word = /(?<![\p{ID_Continue}$])[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;

/** Words that are never names, in either language. */
export const keywords = new Set(
  (
    'and as async await break case catch class const continue def del elif else enum except export extends finally for ' +
    'function if implements import in instanceof interface lambda let new not or pass raise return switch throw try ' +
    'typeof var while with yield'
  ).split(' '),
);

/** The words of a line with their columns. */
export function wordsOf(line) {
  return [...line.matchAll(word)].map((match) => ({ start: match.index, text: match[0] }));
}

/**
 * Chooses symbols in an order that the seed decides, and asks the raw client about each.
 * Those that it knows no definition or no reference of are no symbols; those with very many references only cost time.
 */
export async function sampleSymbols({ folder, texts }, raw, { count, random }) {
  const server = rawServer(folder, texts, raw);
  const files = [...texts.keys()];
  const chosen = new Map();
  const take = async (file, position, kind) => {
    const symbol = await describe(server, file, position, kind);
    if (symbol) chosen.set(`${file}:${symbol.line}:${symbol.character}`, symbol);
  };
  const wanted = { declaration: count * 0.45, use: count * 0.35, wide: count * 0.2 };
  for (const [kind, choose] of Object.entries(choices)) {
    const until = chosen.size + wanted[kind];
    for (let tries = 0; chosen.size < until && tries < count * 40; tries += 1) {
      const file = pick(files, random);
      const position = await choose(server, file, random);
      if (position) await take(file, position, kind);
    }
  }
  return [...chosen.values()];
}

const choices = {
  declaration: async (server, file, random) =>
    pick(
      (await server.outline(file)).map(({ start }) => start),
      random,
    ),
  use: async (server, file, random) => {
    const lines = server.linesOf(file);
    const line = Math.floor(random() * lines.length);
    const chosen = pick(wordsOf(lines[line]), random);
    return chosen && { line, character: chosen.start };
  },
  /** After characters that are not one byte each. */
  wide: async (server, file, random) => {
    const lines = server.linesOf(file);
    const wide = lines.flatMap((text, line) =>
      wordsOf(text)
        .filter(({ start }) => /[^\x00-\x7f]/.test(text.slice(0, start)))
        .map(({ start }) => ({ line, character: start })),
    );
    return pick(wide, random);
  },
};

/** What the raw server says of a place; nothing where it is no symbol. */
async function describe(server, file, { line, character }, kind) {
  const text = server.linesOf(file)[line] ?? '';
  const own = wordsOf(text).find(({ start }) => start === character);
  if (!own || keywords.has(own.text)) return undefined;
  const definitions = await server.ask('textDocument/definition', file, { line, character });
  if (definitions.length === 0) return undefined;
  const references = await server.ask('textDocument/references', file, { line, character });
  // On a keyword some servers tell of what it declares, which makes it no symbol.
  const isSymbol = references.includes(`${file}\0${line}\0${character}`);
  if (!isSymbol || references.length > mostReferences) return undefined;
  const isGlobal = await isDefinedOutsideFunctions(server, definitions, own.text);
  const everywhere = isGlobal ? await usesOfAll(server, definitions, references) : references;
  return { file, line, character, name: own.text, kind, definitions, references, everywhere, isGlobal };
}

/** By its name alone a symbol is meant with all its declarations, as where a type and a value share the name. */
async function usesOfAll(server, definitions, references) {
  const all = new Set(references);
  for (const place of definitions) {
    const [file, line, character] = place.split('\0');
    if (!server.has(file)) continue;
    const position = { line: Number(line), character: Number(character) };
    for (const use of await server.ask('textDocument/references', file, position)) all.add(use);
  }
  return [...all].sort();
}

/** Whether a definition is in the outline of its file under the same name, and in no function. */
async function isDefinedOutsideFunctions(server, definitions, name) {
  for (const place of definitions) {
    const [file, line, character] = place.split('\0');
    if (!server.has(file)) continue;
    const outlined = (await server.outline(file)).find(
      ({ start }) => start.line === Number(line) && start.character === Number(character),
    );
    if (outlined?.isLocal === false && outlined.name === name) return true;
  }
  return false;
}

function rawServer(folder, texts, raw) {
  const opened = new Set();
  const outlines = new Map();
  const uriOf = (file) => pathToFileURL(`${folder}/${file}`).href;
  const open = (file) => {
    if (opened.has(file)) return;
    opened.add(file);
    const languageId = file.endsWith('.py') ? 'python' : 'typescript';
    raw.notify('textDocument/didOpen', {
      textDocument: { uri: uriOf(file), languageId, version: 1, text: texts.get(file) },
    });
  };
  const fileOf = (uri) => decodeURIComponent(uri).replace('file://', '').replace(`${folder}/`, '');
  return {
    has: (file) => texts.has(file),
    linesOf: (file) => texts.get(file).split(/\r\n?|\n/),
    async ask(method, file, position) {
      open(file);
      const context = { includeDeclaration: true };
      const found =
        (await raw.request(method, { textDocument: { uri: uriOf(file) }, position, context })) ?? [];
      const places = [found].flat().map(({ uri, range, targetUri, targetSelectionRange }) => {
        const { start } = range ?? targetSelectionRange;
        return `${fileOf(uri ?? targetUri)}\0${start.line}\0${start.character}`;
      });
      return [...new Set(places)].sort();
    },
    async outline(file) {
      open(file);
      const known = outlines.get(file);
      if (known) return known;
      const symbols = await raw.request('textDocument/documentSymbol', {
        textDocument: { uri: uriOf(file) },
      });
      outlines.set(file, flatten(symbols ?? [], false));
      return outlines.get(file);
    },
  };
}

const functions = new Set([6, 9, 12]);

function flatten(symbols, isLocal) {
  return symbols.flatMap(({ name, kind, selectionRange, children = [] }) => [
    { name, start: selectionRange.start, isLocal },
    ...flatten(children, isLocal || functions.has(kind)),
  ]);
}

function pick(list, random) {
  return list[Math.floor(random() * list.length)];
}
