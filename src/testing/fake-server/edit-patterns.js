/** WorkspaceEdits by name, for the checks EDT-01 to EDT-24 of docs/checks.md; each edits one file whose first line has ten characters. */
export const editPatterns = {
  // EDT-01 to EDT-06: edits of one text.
  overlapping: (uri) => changes(uri, edit(0, 0, 0, 5, 'A'), edit(0, 3, 0, 8, 'B')),
  touching: (uri) => changes(uri, edit(0, 0, 0, 3, 'A'), edit(0, 3, 0, 6, 'B')),
  twoInserts: (uri) => changes(uri, edit(0, 2, 0, 2, 'A'), edit(0, 2, 0, 2, 'B')),
  insertThenReplace: (uri) => changes(uri, edit(0, 2, 0, 2, 'A'), edit(0, 2, 0, 4, 'B')),
  replaceThenInsert: (uri) => changes(uri, edit(0, 2, 0, 4, 'B'), edit(0, 2, 0, 2, 'A')),
  reversed: (uri) => changes(uri, edit(0, 5, 0, 2, 'A')),
  negative: (uri) => changes(uri, edit(0, -1, 0, 2, 'A')),
  fractional: (uri) => changes(uri, edit(0, 0.5, 0, 2, 'A')),
  worded: (uri) => changes(uri, edit(0, '0', 0, 2, 'A')),
  withoutNumber: (uri) => changes(uri, edit(0, null, 0, 2, 'A')),
  pastLine: (uri) => changes(uri, edit(0, 500, 0, 501, 'A')),
  pastText: (uri) => changes(uri, edit(5000, 0, 5000, 1, 'A')),
  // The first line has a surrogate pair at its second column, and the second line ends in CRLF.
  insidePair: (uri) => changes(uri, edit(0, 2, 0, 2, 'A')),
  betweenCrLf: (uri) => changes(uri, edit(1, 99, 2, 0, 'A')),
  // EDT-07: inserted text takes the line ending of the line where it is put.
  newLines: (uri) => changes(uri, edit(0, 0, 0, 0, 'A\nB\r\nC\n')),
  // EDT-17, EDT-18: versions, and both forms at once.
  oldVersion: (uri) => documents(text(uri, 999, edit(0, 0, 0, 1, 'A'))),
  noVersion: (uri) => documents(text(uri, null, edit(0, 0, 0, 1, 'A'))),
  bothForms: (uri) => ({
    ...changes(uri, edit(0, 0, 0, 1, 'wrong')),
    ...documents(text(uri, null, edit(0, 0, 0, 1, 'A'))),
  }),
  // EDT-19: order.
  createThenEdit: (uri) => documents(create(beside(uri)), text(beside(uri), null, edit(0, 0, 0, 0, 'A'))),
  renameThenEdit: (uri) =>
    documents(rename(uri, beside(uri)), text(beside(uri), null, edit(0, 0, 0, 1, 'A'))),
  deleteThenEdit: (uri) => documents(remove(uri), text(uri, null, edit(0, 0, 0, 1, 'A'))),
  editRenameEdit: (uri) =>
    documents(
      text(uri, null, edit(0, 0, 0, 1, 'A')),
      rename(uri, beside(uri)),
      text(beside(uri), null, edit(0, 1, 0, 2, 'B')),
    ),
  editTwice: (uri) =>
    documents(text(uri, null, edit(0, 0, 0, 1, 'AA')), text(uri, null, edit(0, 1, 0, 2, 'B'))),
  // EDT-20 to EDT-22: files that exist or do not.
  createExisting: (uri) => documents(create(uri)),
  createOverwriting: (uri) => documents(create(uri, { overwrite: true })),
  createIgnoring: (uri) => documents(create(uri, { ignoreIfExists: true })),
  createBoth: (uri) => documents(create(uri, { overwrite: true, ignoreIfExists: true })),
  renameOntoItself: (uri) => documents(rename(uri, uri)),
  renameCase: (uri) =>
    documents(
      rename(
        uri,
        uri.replace(/[^/]*$/, (name) => name.toUpperCase()),
      ),
    ),
  renameIntoNewFolder: (uri) => documents(rename(uri, uri.replace(/[^/]*$/, 'new/folder/$&'))),
  deleteMissing: (uri) => documents(remove(beside(uri))),
  deleteMissingIgnoring: (uri) => documents(remove(beside(uri), { ignoreIfNotExists: true })),
  deleteFolder: (uri) => documents(remove(above(uri))),
  deleteFolderRecursively: (uri) => documents(remove(above(uri), { recursive: true })),
  // EDT-23: annotations and snippets.
  needsConfirmation: (uri) => annotated(uri, 'sure', { sure: { label: 'Sure?', needsConfirmation: true } }),
  harmlessAnnotation: (uri) => annotated(uri, 'sure', { sure: { label: 'Just so' } }),
  unknownAnnotation: (uri) => annotated(uri, 'other', { sure: { label: 'Sure?' } }),
  snippet: (uri) =>
    documents(text(uri, null, { ...edit(0, 0, 0, 1, ''), snippet: { kind: 'snippet', value: '$1' } })),
  // EDT-24: more than the limits allow.
  manyEdits: (uri, count) =>
    changes(uri, ...Array.from({ length: count }, (_, line) => edit(line, 0, line, 1, 'A'))),
  manyFiles: (uri, count) =>
    documents(...Array.from({ length: count }, (_, index) => create(`${uri}.${index}`))),
  // BND-19: one file outside among many.
  outside: (uri) => ({
    changes: { [uri]: [edit(0, 0, 0, 1, 'A')], 'file:///etc/hosts': [edit(0, 0, 0, 1, 'A')] },
  }),
  otherScheme: () => changes('untitled:Untitled-1', edit(0, 0, 0, 0, 'A')),
  // Malformed edits.
  unknownKind: (uri) => documents({ kind: 'copy', uri }),
  editsNoList: (uri) => ({ changes: { [uri]: { range: null } } }),
  noObject: () => 'an edit',
};

function edit(startLine, startCharacter, endLine, endCharacter, newText) {
  const range = {
    start: { line: startLine, character: startCharacter },
    end: { line: endLine, character: endCharacter },
  };
  return { range, newText };
}

function changes(uri, ...edits) {
  return { changes: { [uri]: edits } };
}

function documents(...documentChanges) {
  return { documentChanges };
}

function text(uri, version, ...edits) {
  return { textDocument: { uri, version }, edits };
}

function create(uri, options) {
  return { kind: 'create', uri, options };
}

function rename(oldUri, newUri, options) {
  return { kind: 'rename', oldUri, newUri, options };
}

function remove(uri, options) {
  return { kind: 'delete', uri, options };
}

function annotated(uri, annotationId, changeAnnotations) {
  const edits = [{ ...edit(0, 0, 0, 1, 'A'), annotationId }];
  return { documentChanges: [{ textDocument: { uri, version: null }, edits }], changeAnnotations };
}

function beside(uri) {
  return uri.replace(/(\.\w+)?$/, '-new$1');
}

function above(uri) {
  return uri.replace(/\/[^/]*$/, '');
}
