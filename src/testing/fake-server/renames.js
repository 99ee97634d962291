import { words } from './words.js';

/** What the language changes when a word gets another name, or a file another place: replies by method. */
export const renameReplies = {
  'textDocument/prepareRename': (language, params) => {
    const found = placeOf(language, params);
    return found ? { range: found.range, placeholder: found.name } : null;
  },
  'textDocument/rename': (language, { newName, ...params }) => {
    const name = placeOf(language, params)?.name;
    return name === undefined ? null : replaced(language, new Map([[name, newName]]));
  },
  // A file is mentioned by its name without the ending.
  'workspace/willRenameFiles': (language, { files }) =>
    replaced(language, new Map(files.map(({ oldUri, newUri }) => [stem(oldUri), stem(newUri)]))),
};

/** Capabilities that go with the replies above. */
export const renameCapabilities = {
  renameProvider: { prepareProvider: true },
};

function placeOf(language, { textDocument, position: { line, character } }) {
  return words(language, textDocument.uri).find(
    ({ range: { start, end } }) =>
      start.line === line && start.character <= character && character <= end.character,
  );
}

/** Every word that has a new name, by document in order. */
function replaced({ texts, ...language }, names) {
  const edits = new Map();
  for (const { name, uri, range } of words({ texts, ...language })) {
    if (names.has(name)) edits.set(uri, [...(edits.get(uri) ?? []), { range, newText: names.get(name) }]);
  }
  const version = (uri) => texts.open.get(uri)?.version ?? null;
  const changed = [...edits].map(([uri, list]) => ({
    textDocument: { uri, version: version(uri) },
    edits: list,
  }));
  return { documentChanges: changed };
}

function stem(uri) {
  return /([^/.]*)[^/]*\/?$/.exec(uri)[1];
}
