import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { changeReplies } from './changes.js';
import { hierarchyReplies } from './hierarchies.js';
import { renameReplies } from './renames.js';
import { suggestionReplies } from './suggestions.js';
import { declarations, problems, wordAt, words } from './words.js';

/** Replies by method. */
export const replies = {
  ...changeReplies,
  ...hierarchyReplies,
  ...renameReplies,
  ...suggestionReplies,
  shutdown: (language) => {
    language.isShutDown = true;
    return null;
  },
  'textDocument/definition': (language, params) => {
    const name = wordAt(language, params);
    return declarations(language)
      .filter((found) => found.name === name)
      .map(({ location }) => location);
  },
  'textDocument/references': (language, params) => {
    const name = wordAt(language, params);
    const declared = new Set(declarations(language).map(({ location }) => JSON.stringify(location)));
    const wanted = (location) => params.context.includeDeclaration || !declared.has(JSON.stringify(location));
    return words(language)
      .filter((found) => found.name === name)
      .map(locationOf)
      .filter(wanted);
  },
  'textDocument/hover': (language, params) => {
    const name = wordAt(language, params);
    const found = declarations(language).find((declaration) => declaration.name === name);
    return found ? { contents: { kind: 'markdown', value: `\`\`\`\n${found.line.trim()}\n\`\`\`` } } : null;
  },
  'textDocument/documentSymbol': (language, { textDocument }) =>
    declarations(language, textDocument.uri).map(({ name, kind, lineRange, location }) => ({
      name,
      kind,
      range: lineRange,
      selectionRange: location.range,
    })),
  'workspace/symbol': (language, { query }) =>
    declarations(language)
      .filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()))
      .map(({ name, kind, location }) => ({
        name,
        kind,
        location,
        containerName: basename(new URL(location.uri).pathname),
      })),
  'textDocument/diagnostic': (language, { textDocument, previousResultId }) =>
    report(language, textDocument.uri, previousResultId),
  'workspace/diagnostic': (language, { previousResultIds }) => {
    const known = new Map(previousResultIds.map(({ uri, value }) => [uri, value]));
    const items = language.texts.all().map(({ uri }) => ({
      uri,
      version: language.texts.open.get(uri)?.version ?? null,
      ...report(language, uri, known.get(uri)),
    }));
    return { items };
  },
};

function report(language, uri, previousResultId) {
  const resultId = createHash('sha1').update(language.texts.text(uri)).digest('hex');
  if (previousResultId === resultId) return { kind: 'unchanged', resultId };
  return { kind: 'full', resultId, items: problems(language, uri) };
}

function locationOf({ uri, range }) {
  return { uri, range };
}
