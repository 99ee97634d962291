import { declarations, wordAt, words } from './words.js';

/** Capabilities for the replies below. */
export const hierarchyCapabilities = {
  declarationProvider: true,
  typeDefinitionProvider: true,
  implementationProvider: true,
  callHierarchyProvider: true,
  typeHierarchyProvider: true,
};

/**
 * Call and type hierarchies: replies by method. The words from one declaration to the next are its calls; the words
 * after its name on its line are its supertypes.
 */
export const hierarchyReplies = {
  'textDocument/declaration': (language, params) => named(language, wordAt(language, params)).map(placeOf),
  'textDocument/typeDefinition': (language, params) =>
    named(language, wordAt(language, params)).flatMap((one) => parentsOf(language, one).map(placeOf)),
  'textDocument/implementation': (language, params) => {
    const name = wordAt(language, params);
    return childrenOf(language, name).map(placeOf);
  },
  'textDocument/prepareCallHierarchy': (language, params) => {
    const found = named(language, wordAt(language, params)).filter(({ kind }) => kind === functionKind);
    return found.length === 0 ? null : found.map(itemOf);
  },
  'callHierarchy/incomingCalls': (language, { item }) =>
    functions(language).flatMap((one) => {
      const fromRanges = callsIn(language, one).filter(({ name }) => name === item.name);
      return fromRanges.length === 0 ? [] : [{ from: itemOf(one), fromRanges: fromRanges.map(rangeOf) }];
    }),
  'callHierarchy/outgoingCalls': (language, { item }) => {
    const calls = functions(language)
      .filter(({ name }) => name === item.name)
      .flatMap((one) => callsIn(language, one));
    return functions(language).flatMap((to) => {
      const fromRanges = calls.filter(({ name }) => name === to.name).map(rangeOf);
      return fromRanges.length === 0 ? [] : [{ to: itemOf(to), fromRanges }];
    });
  },
  'textDocument/prepareTypeHierarchy': (language, params) =>
    named(language, wordAt(language, params))
      .filter(({ kind }) => kind !== functionKind)
      .map(itemOf),
  'typeHierarchy/supertypes': (language, { item }) =>
    named(language, item.name).flatMap((one) => parentsOf(language, one).map(itemOf)),
  'typeHierarchy/subtypes': (language, { item }) => childrenOf(language, item.name).map(itemOf),
};

const functionKind = 12;

const placeOf = ({ location }) => location;
const rangeOf = ({ range }) => range;

function named(language, name) {
  return declarations(language).filter((one) => one.name === name);
}

function functions(language) {
  return declarations(language).filter(({ kind }) => kind === functionKind);
}

function itemOf({ name, kind, location: { uri, range }, lineRange }) {
  return { name, kind, uri, range: lineRange, selectionRange: range };
}

function parentsOf(language, { name, line }) {
  const behind = new Set(line.slice(line.indexOf(name) + name.length).match(/[\p{L}\p{N}_$]+/gu));
  return declarations(language).filter((one) => behind.has(one.name));
}

function childrenOf(language, name) {
  return declarations(language).filter((one) =>
    parentsOf(language, one).some((parent) => parent.name === name),
  );
}

function callsIn(language, { location: { uri, range } }) {
  const lines = declarations(language, uri).map(({ location }) => location.range.start.line);
  const end = lines.find((line) => line > range.start.line) ?? Number.POSITIVE_INFINITY;
  const known = new Set(functions(language).map(({ name }) => name));
  return words(language, uri).filter(
    ({ name, range: { start } }) => known.has(name) && start.line > range.start.line && start.line < end,
  );
}
