import { fromUnits } from './texts.js';
import { declarations, words } from './words.js';

/** Capabilities for completion, signature help and inlay hints. */
export const suggestionCapabilities = {
  completionProvider: { triggerCharacters: ['.'], resolveProvider: true },
  signatureHelpProvider: { triggerCharacters: ['('] },
  inlayHintProvider: true,
};

/** Declared names are completions, the name before a parenthesis is called, and each use has its keyword as a hint. */
export const suggestionReplies = {
  'textDocument/completion': (language) => {
    const names = new Map(declarations(language).map((found) => [found.name, found]));
    return [...names.values()].map(({ name, line }) => ({ label: name, kind: 3, data: line.trim() }));
  },
  'completionItem/resolve': (_language, item) => ({ ...item, detail: item.data }),
  'textDocument/signatureHelp': (language, { textDocument, position }) => {
    const line = language.texts.text(textDocument.uri).split(/\r?\n/)[position.line] ?? '';
    const before = line.slice(0, fromUnits(line, position.character, language.texts.encoding));
    const call = /([\p{L}_$][\p{L}\p{N}_$]*)\(([^()]*)$/u.exec(before);
    if (!call) return null;
    const label = `${call[1]}(one, two)`;
    const parameters = [{ label: 'one' }, { label: 'two' }];
    return { signatures: [{ label, parameters }], activeParameter: call[2].split(',').length - 1 };
  },
  'textDocument/inlayHint': (language, { textDocument, range }) => {
    const kinds = new Map(declarations(language).map(({ name, line }) => [name, line.trim().split(' ')[0]]));
    return words(language, textDocument.uri)
      .filter((found) => kinds.has(found.name))
      .filter(({ range: { start } }) => start.line >= range.start.line && start.line <= range.end.line)
      .map(({ name, range: { end } }) => ({
        position: end,
        label: [{ value: ': ' }, { value: kinds.get(name) }],
        kind: 1,
      }));
  },
};
