import { words } from './words.js';

/** Renames of words and files: replies by method. */
export const renameReplies = {
  'textDocument/prepareRename': (language, params) => {
    const found = placeOf(language, params);
    return found ? { range: found.range, placeholder: found.name } : null;
  },
  'textDocument/rename': (language, { newName, ...params }) => {
    const name = placeOf(language, params)?.name;
    return name === undefined ? null : replaced(language, new Map([[name, newName]]));
  },
  // A file is mentioned by its name without extension.
  'workspace/willRenameFiles': (language, { files }) =>
    replaced(language, new Map(files.map(({ oldUri, newUri }) => [stem(oldUri), stem(newUri)]))),
};

/** Capabilities for the replies above. */
export const renameCapabilities = {
  renameProvider: { prepareProvider: true },
};

function placeOf(language, { textDocument, position: { line, character } }) {
  return words(language, textDocument.uri).find(
    ({ range: { start, end } }) =>
      start.line === line && start.character <= character && character <= end.character,
  );
}

/** Returns an edit that replaces every renamed word. */
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
