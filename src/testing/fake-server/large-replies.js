/** Replies of a given size, by kind of question; `padding` adds bytes that no client reads. */
export const largeReplies = {
  /** One use on every line of each file, alternating between the files. */
  references: ({ uris, count, padding = 0 }) =>
    many(count, (index) => ({
      uri: uris[index % uris.length],
      range: rangeAt(Math.floor(index / uris.length)),
      ...padded(padding),
    })),
  hover: ({ count }) => ({
    contents: { kind: 'markdown', value: 'Some *words* of a text.\n'.repeat(count / 24) },
  }),
  problems: ({ count, padding = 0 }) => ({
    kind: 'full',
    items: many(count, (index) => ({
      range: rangeAt(index),
      severity: 1 + (index % 4),
      message: `Problem ${index}`,
      ...padded(padding),
    })),
  }),
  symbols: ({ uris, count }) =>
    many(count, (index) => ({
      name: `a${index}`,
      kind: 12,
      location: { uri: uris[index % uris.length], range: rangeAt(Math.floor(index / uris.length)) },
    })),
  outline: ({ count }) => many(count, (index) => symbolAt(index)),
};

function many(count, make) {
  return Array.from({ length: count }, (_, index) => make(index));
}

function padded(bytes) {
  return bytes > 0 ? { padding: 'x'.repeat(bytes) } : {};
}

function rangeAt(line) {
  return { start: { line, character: 0 }, end: { line, character: 5 } };
}

function symbolAt(line) {
  return { name: 'alpha', kind: 12, range: rangeAt(line), selectionRange: rangeAt(line) };
}
