import { words } from './words.js';

/** Code actions and formatting: replies by method. */
export const changeReplies = {
  'textDocument/codeAction': (language, { textDocument: { uri }, range, context }) =>
    offers(language, uri, range, context).filter((offer) => isWanted(offer, context.only)),
  'codeAction/resolve': (language, action) => ({
    ...action,
    edit: editOf(language, action.data.uri, action.data.edits),
  }),
  'textDocument/formatting': (language, { textDocument: { uri }, options }) => format(language, uri, options),
  'textDocument/rangeFormatting': (language, { textDocument: { uri }, options, range }) =>
    format(language, uri, options).filter(
      ({ range: { start } }) => range.start.line <= start.line && start.line <= range.end.line,
    ),
};

/** Asks the client to apply the edits of a command, and returns the reply to it when all are answered. */
export async function carryOut(server, { command, arguments: given = [] }) {
  const edits = Object.hasOwn(commandEdits, command) ? commandEdits[command] : undefined;
  if (!edits) return { error: { code: -32602, message: `The fake server has no command ${command}.` } };
  for (const edit of edits(server.language, given)) await server.ask('workspace/applyEdit', { edit });
  return { result: null };
}

/** Edits by command. */
const commandEdits = {
  'fake.replace': (language, [uri, edits]) => [editOf(language, uri, edits)],
  'fake.nothing': () => [],
};

/** Capabilities for the replies above. */
export const changeCapabilities = {
  codeActionProvider: { resolveProvider: true },
  executeCommandProvider: { commands: Object.keys(commandEdits) },
  documentFormattingProvider: true,
  documentRangeFormattingProvider: true,
};

/** Fixes for each problem that the client names, and actions for the whole text. */
function offers(language, uri, range, { diagnostics }) {
  const fixes = diagnostics.flatMap((diagnostic) => [
    {
      title: `Put ${diagnostic.code} right`,
      kind: 'quickfix',
      isPreferred: true,
      diagnostics: [diagnostic],
      edit: editOf(language, uri, [{ range: diagnostic.range, newText: repaired(diagnostic.code) }]),
    },
    {
      title: `Remove ${diagnostic.code}`,
      kind: 'quickfix',
      diagnostics: [diagnostic],
      data: { uri, edits: [{ range: diagnostic.range, newText: '' }] },
    },
  ]);
  const all = words(language, uri).filter(({ name }) => repaired(name) !== name);
  const edits = all.map((word) => ({ range: word.range, newText: repaired(word.name) }));
  const command = { title: 'Put all right', command: 'fake.replace', arguments: [uri, edits] };
  return [
    ...fixes,
    { title: 'Put all right', kind: 'source.fixAll.fake', command },
    { title: 'Sort the imports', kind: 'source.organizeImports', edit: editOf(language, uri, []) },
    {
      title: 'Extract a function',
      kind: 'refactor.extract.function',
      disabled: { reason: 'Nothing is selected.' },
    },
    {
      title: 'Shout',
      kind: 'refactor.rewrite',
      data: { uri, edits: [{ range, newText: 'SHOUT' }] },
    },
    { title: 'Do nothing', command: 'fake.nothing' },
    { title: 'Rename here', command: 'editor.action.rename' },
  ];
}

function isWanted({ kind }, only) {
  return only === undefined || only.some((wanted) => kind === wanted || kind?.startsWith(`${wanted}.`));
}

function repaired(name) {
  return String(name).replace(/^(ERROR|WARN)_/, '');
}

function editOf(language, uri, edits) {
  const version = language.texts.open.get(uri)?.version ?? null;
  return { documentChanges: edits.length === 0 ? [] : [{ textDocument: { uri, version }, edits }] };
}

/** Indents by the client's unit and removes trailing whitespace. */
function format(language, uri, { tabSize, insertSpaces }) {
  const unit = insertSpaces ? ' '.repeat(tabSize) : '\t';
  const lines = language.texts.text(uri).split(/\r?\n/);
  return lines.flatMap((line, number) => {
    const [indent] = /^[ \t]*/.exec(line);
    const [rest] = /[ \t]*$/.exec(line.slice(indent.length));
    const wanted = indent === '' ? '' : unit;
    const end = line.length - rest.length;
    return [
      ...(indent === wanted
        ? []
        : [{ range: language.texts.range(line, number, 0, indent.length), newText: wanted }]),
      ...(rest === '' ? [] : [{ range: language.texts.range(line, number, end, line.length), newText: '' }]),
    ];
  });
}
