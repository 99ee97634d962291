import { describe, expect, test } from 'vitest';
import { asLspanError, LspanError } from '../../src/core/errors.ts';
import { readTextEdits, readWorkspaceEdit } from '../../src/core/read-workspace-edit.ts';

const fault = (wrong: string) => new LspanError('refused', `The edit ${wrong}.`);
const read = (raw: unknown) => readWorkspaceEdit(raw, 'utf-8', fault);

const range = { start: { line: 1, character: 2 }, end: { line: 3, character: 4 } };
const edit = { range, newText: 'x' };
const uri = 'file:///w/a.ts';

describe('a WorkspaceEdit', () => {
  test('with `changes` is one step for each file', () => {
    expect(read({ changes: { [uri]: [edit], 'file:///w/b.ts': [] } })).toEqual({
      steps: [
        { kind: 'edit', uri, encoding: 'utf-8', edits: [edit] },
        { kind: 'edit', uri: 'file:///w/b.ts', encoding: 'utf-8', edits: [] },
      ],
      confirm: [],
    });
  });

  test('EDT-18 with both forms means `documentChanges` only', () => {
    const both = { changes: { [uri]: [edit] }, documentChanges: [] };
    expect(read(both).steps).toEqual([]);
    expect(read({ ...both, documentChanges: null }).steps.length).toBe(1);
  });

  test('EDT-17 keeps versions, of which null is none', () => {
    const versions = [7, null].map((version) => ({ textDocument: { uri, version }, edits: [edit] }));
    const step = { kind: 'edit', uri, encoding: 'utf-8', edits: [edit] };
    expect(read({ documentChanges: versions }).steps).toEqual([{ ...step, version: 7 }, step]);
  });

  test('EDT-19 keeps the order of its steps', () => {
    const documentChanges = [
      { kind: 'create', uri },
      { textDocument: { uri, version: null }, edits: [] },
      { kind: 'rename', oldUri: uri, newUri: 'file:///w/b.ts' },
      { kind: 'delete', uri: 'file:///w/c.ts' },
    ];
    expect(read({ documentChanges }).steps.map(({ kind }) => kind)).toEqual([
      'create',
      'edit',
      'rename',
      'delete',
    ]);
  });

  test('EDT-20 overwrites rather than ignores where both are said', () => {
    const flags = [
      {},
      { ignoreIfExists: true },
      { overwrite: true },
      { overwrite: true, ignoreIfExists: true },
      { overwrite: false, ignoreIfExists: false },
    ];
    const wanted = ['refuse', 'ignore', 'overwrite', 'overwrite', 'refuse'];
    const creations = flags.map((options) => ({ kind: 'create', uri, options }));
    const moves = flags.map((options) => ({ kind: 'rename', oldUri: uri, newUri: `${uri}x`, options }));
    for (const documentChanges of [creations, moves])
      expect(read({ documentChanges }).steps.map((step) => 'ifThere' in step && step.ifThere)).toEqual(
        wanted,
      );
  });

  test('EDT-22 removes folders and ignores what is missing only where that is said', () => {
    const options = { recursive: true, ignoreIfNotExists: true };
    const documentChanges = [
      { kind: 'delete', uri },
      { kind: 'delete', uri, options },
    ];
    expect(read({ documentChanges }).steps).toEqual([
      { kind: 'delete', uri, recursive: false, ifMissing: 'refuse' },
      { kind: 'delete', uri, recursive: true, ifMissing: 'ignore' },
    ]);
  });

  test('EDT-23 tells once what wants to be confirmed, on edits and on files', () => {
    const changeAnnotations = {
      sure: { label: 'Sure' },
      ask: { label: 'Rename in comments', needsConfirmation: true },
      file: { label: 'Delete the file', needsConfirmation: true },
      unused: { label: 'Unused', needsConfirmation: true },
    };
    const edits = ['sure', 'ask', 'ask'].map((annotationId) => ({ ...edit, annotationId }));
    const documentChanges = [
      { textDocument: { uri, version: 1 }, edits },
      { kind: 'delete', uri, annotationId: 'file' },
    ];
    expect(read({ documentChanges, changeAnnotations }).confirm).toEqual([
      'Rename in comments',
      'Delete the file',
    ]);
  });

  const withEdit = (one: unknown) => ({ changes: { [uri]: [one] } });
  const at = (start: unknown) => withEdit({ newText: '', range: { start, end: { line: 0, character: 0 } } });
  const refused: readonly (readonly [title: string, raw: unknown, says: RegExp])[] = [
    ['what is no object', 'x', /is not an object/],
    ['a list', [], /is not an object/],
    ['`changes` that are none', { changes: [] }, /`changes`/],
    ['`documentChanges` that are none', { documentChanges: {} }, /`documentChanges`/],
    ['EDT-05 a negative line', at({ line: -1, character: 0 }), /integers/],
    ['EDT-05 a column that is no number', at({ line: 0, character: Number.NaN }), /integers/],
    ['EDT-05 half a column', at({ line: 0, character: 0.5 }), /integers/],
    ['EDT-05 a number in quotes', at({ line: '0', character: 0 }), /integers/],
    ['EDT-05 a number larger than can be counted', at({ line: 2 ** 53, character: 0 }), /integers/],
    ['a position that is missing', at(undefined), /position that is not/],
    ['an edit without a text', withEdit({ range }), /without a text/],
    ['an edit without a range', withEdit({ newText: '' }), /without a range/],
    ['EDT-23 an annotation that is not known', withEdit({ ...edit, annotationId: 'x' }), /annotation/],
    [
      'EDT-23 an annotation by a name that every object has',
      withEdit({ ...edit, annotationId: 'toString' }),
      /annotation/,
    ],
    ['EDT-23 a snippet', withEdit({ range, snippet: { kind: 'snippet', value: '$0' } }), /snippet/],
    ['EDT-23 a snippet as rust-analyzer sends it', withEdit({ ...edit, insertTextFormat: 2 }), /snippet/],
    ['a step of another kind', { documentChanges: [{ kind: 'copy', uri }] }, /unknown kind/],
    ['a step that names no file', { documentChanges: [{ kind: 'create', uri: '' }] }, /no file URI/],
    ['a change of no document', { documentChanges: [{ edits: [] }] }, /without a document/],
  ];
  for (const [title, raw, says] of refused)
    test(`is refused whole for ${title}`, () => {
      expect(faultIn(() => read(raw))).toMatch(says);
    });
});

describe('a list of text edits', () => {
  test('may be missing', () => {
    expect(readTextEdits(null, fault)).toEqual([]);
    expect(readTextEdits([edit], fault)).toEqual([edit]);
  });

  test('is refused for what is none', () => {
    expect(faultIn(() => readTextEdits({}, fault))).toMatch(/not a list/);
  });
});

function faultIn(attempt: () => unknown): string {
  try {
    attempt();
  } catch (thrown) {
    return asLspanError(thrown).message;
  }
  throw new Error('It was read.');
}
