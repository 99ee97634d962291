import { fromUnits } from './texts.js';

const wordPattern = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
const declarationPattern =
  /(?<![\p{L}\p{N}_$])(function|class|const|let|def|interface)\s+([\p{L}_$][\p{L}\p{N}_$]*)/u;
const symbolKinds = { function: 12, class: 5, const: 14, let: 13, def: 12, interface: 11 };

/** Returns the word at, or right before, a position. */
export function wordAt({ texts }, { textDocument, position }) {
  const line = texts.text(textDocument.uri).split(/\r?\n/)[position.line] ?? '';
  const index = fromUnits(line, position.character, texts.encoding);
  const covers = (match) => match.index <= index && index <= match.index + match[0].length;
  return [...line.matchAll(wordPattern)].find(covers)?.[0];
}

/** Returns every word of one document, or of all. */
export function words(language, only) {
  return linesOf(language, only).flatMap(({ uri, line, number }) =>
    [...line.matchAll(wordPattern)].map(({ 0: name, index }) => ({
      name,
      uri,
      range: language.texts.range(line, number, index, index + name.length),
    })),
  );
}

/** Returns every declaration of one document, or of all. */
export function declarations(language, only) {
  return linesOf(language, only).flatMap(({ uri, line, number }) => {
    const match = declarationPattern.exec(line);
    if (!match) return [];
    const [whole, keyword, name] = match;
    const end = match.index + whole.length;
    const range = language.texts.range(line, number, end - name.length, end);
    const lineRange = language.texts.range(line, number, 0, line.length);
    return [{ name, line, kind: symbolKinds[keyword], location: { uri, range }, lineRange }];
  });
}

function linesOf({ texts }, only) {
  return texts
    .all()
    .filter(({ uri }) => only === undefined || uri === only)
    .flatMap(({ uri, text }) => text.split(/\r?\n/).map((line, number) => ({ uri, line, number })));
}

/** Returns the diagnostics of a document. */
export function problems(language, uri) {
  return words(language, uri).flatMap(({ name, range }) => {
    const severity = name.startsWith('ERROR_') ? 1 : name.startsWith('WARN_') ? 2 : undefined;
    const message = `The word ${name} is ${severity === 1 ? 'an error' : 'a warning'}.`;
    return severity === undefined ? [] : [{ range, severity, code: name, source: 'fake', message }];
  });
}
