import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Action, FakeScript, Rule } from '../../../fake-server/script.ts';
import { openRenamingWorld, type RenamingWorld } from './renaming.ts';

const files = { 'a.txt': 'function alpha\nalpha beta\n', 'b.txt': 'ä alpha is used\nfunction beta\n' };

function open(script: FakeScript, more: Readonly<Record<string, string>> = files): Promise<RenamingWorld> {
  return openRenamingWorld({ files: more, servers: { fake: { lives: [script] } } });
}

const on = (method: string, ...actions: Action[]): Rule => ({ on: { method }, do: actions });
const onRename = (...actions: Action[]): FakeScript => ({ rules: [on('textDocument/rename', ...actions)] });
const methods = (world: RenamingWorld) => world.received().map(({ method }) => method);

/** The reason where it gives none: it never tells whether it has loaded all. */
const silent =
  'it gives no reason, perhaps this one: fake returned nothing and does not report whether it has finished loading';

describe('a rename', () => {
  it.each(['utf-8', 'utf-16', 'utf-32'] as const)(
    'tells what changes, in %s, with the text that it is about',
    async (positionEncoding) => {
      const world = await open({ positionEncoding });
      const { answer, doubts } = await world.rename('b.txt', 'alpha', 'gamma');
      expect(doubts).toEqual([]);
      const column = positionEncoding === 'utf-8' ? 3 : 2;
      expect(world.shown(answer?.proposal.steps ?? [])).toEqual([
        'a.txt 0:9 gamma',
        'a.txt 1:0 gamma',
        `b.txt 0:${column} gamma`,
      ]);
      expect(world.places(answer?.spans ?? [])).toEqual(['a.txt 0:9', 'a.txt 1:0', 'b.txt 0:2']);
      const [first] = answer?.proposal.steps ?? [];
      const { hash } = await world.workspace.read(path.join(world.root, 'a.txt'));
      expect(first).toMatchObject({ kind: 'edit', encoding: positionEncoding, seen: hash });
      expect(methods(world)).toContain('textDocument/prepareRename');
    },
  );

  it('is prepared only where the server announces that it can be', async () => {
    const world = await open({ capabilities: { renameProvider: true } });
    const { answer } = await world.rename('a.txt', 'alpha', 'gamma');
    expect(answer?.spans).toHaveLength(3);
    expect(methods(world)).not.toContain('textDocument/prepareRename');
  });

  it.each([
    ['nothing to prepare', on('textDocument/prepareRename', { replyValue: null }), silent],
    ['no default', on('textDocument/prepareRename', { replyValue: { defaultBehavior: false } }), silent],
    [
      'an error of the preparation',
      on('textDocument/prepareRename', { replyError: { code: -32803, message: 'A keyword,\nnot a name.' } }),
      'A keyword, not a name',
    ],
    [
      'an error of the rename',
      on('textDocument/rename', { replyError: { code: -32602, message: 'gamma is there already.' } }),
      'gamma is there already',
    ],
    [
      'an error as a library words it',
      on('textDocument/rename', {
        replyError: { code: -32603, message: 'Request textDocument/rename failed with message: No.' },
      }),
      'No',
    ],
    ['nothing', on('textDocument/rename', { replyValue: null }), silent],
    ['an empty edit', on('textDocument/rename', { replyValue: { changes: {} } }), silent],
    [
      'edits of none',
      on('textDocument/rename', { replyValue: { changes: { 'file://<root>/a.txt': [] } } }),
      silent,
    ],
  ])('EDT-37: is refused in the words of the server when that has %s', async (_what, rule, why) => {
    const world = await open({ rules: [rule] });
    await expect(world.rename('a.txt', 'alpha', 'gamma')).rejects.toMatchObject({
      code: 'refused',
      message: `fake refuses to rename this: ${why}.`,
      nextStep: expect.any(String),
      retryable: false,
    });
  });

  it('is not supported where no server can do it', async () => {
    const world = await open({ capabilities: { renameProvider: null } });
    await expect(world.rename('a.txt', 'alpha', 'gamma')).rejects.toMatchObject({ code: 'not_supported' });
  });

  it('is that of the first server that is able, whatever others would say', async () => {
    const world = await openRenamingWorld({
      files,
      servers: {
        unable: { lives: [{ capabilities: { renameProvider: null } }], rank: 9 },
        first: { rank: 8 },
        second: { rank: 7, lives: [onRename({ replyError: { code: -32803, message: 'Never.' } })] },
      },
    });
    const { answer, doubts } = await world.rename('a.txt', 'alpha', 'gamma');
    expect(answer?.spans).toHaveLength(3);
    expect(doubts).toEqual([]);
    expect(world.received('second')).toEqual([]);
  });

  it('EDT-15: is stale when a file that it touches changed while the server worked, though it was told meanwhile', async () => {
    const world = await open(onRename({ waitFor: 'textDocument/hover' }));
    const asked = world.rename('a.txt', 'alpha', 'gamma');
    asked.catch(() => {});
    await world.sent('textDocument/rename');
    world.write('b.txt', 'now alpha is elsewhere\n');
    await world.workspace.refresh(world.call);
    const place = { path: path.join(world.root, 'a.txt'), position: { line: 0, character: 0 } };
    await world.backend.ask({ kind: 'hover', place }, world.call);
    await expect(asked).rejects.toMatchObject({ code: 'stale', message: expect.stringContaining('b.txt') });
  });

  it('EDT-17: is of old text where it names another version than was sent, and has no version where none was', async () => {
    const uri = 'file://<root>/a.txt';
    const old = await open(onRename({ replyEdit: { pattern: 'oldVersion', uri } }));
    await expect(old.rename('a.txt', 'alpha', 'gamma')).rejects.toMatchObject({ code: 'stale' });
    const unopened = { pattern: 'oldVersion', uri: 'file://<root>/b.txt' };
    const other = await open(onRename({ replyEdit: unopened }));
    const { answer } = await other.rename('a.txt', 'alpha', 'gamma');
    const { hash } = await other.workspace.read(path.join(other.root, 'b.txt'));
    expect(answer?.proposal.steps).toMatchObject([{ kind: 'edit', seen: hash }]);
    expect(answer?.proposal.steps[0]).not.toHaveProperty('version');
  });

  it.each([
    'negative',
    'fractional',
    'worded',
    'withoutNumber',
    'unknownAnnotation',
    'snippet',
    'unknownKind',
    'editsNoList',
    'noObject',
  ])('EDT-05, EDT-23: whose edit cannot be meant as it is written is nobody’s: %s', async (pattern) => {
    const world = await open(onRename({ replyEdit: { pattern, uri: 'file://<root>/a.txt' } }));
    await expect(world.rename('a.txt', 'alpha', 'gamma')).rejects.toMatchObject({
      code: 'server_unverified',
      message: expect.stringMatching(/^fake proposed an edit that .*; nothing was changed\.$/),
    });
  });

  it.each([
    ['createThenEdit', ['create', 'edit'], [false, false]],
    ['renameThenEdit', ['rename', 'edit'], [false, false]],
    ['deleteThenEdit', ['delete', 'edit'], [false, false]],
    ['editRenameEdit', ['edit', 'rename', 'edit'], [true, false, false]],
    ['editTwice', ['edit', 'edit'], [true, false]],
    ['bothForms', ['edit'], [true]],
    ['outside', ['edit', 'edit'], [true, false]],
  ])(
    'EDT-19: keeps its steps in order, and says of which files the text is known: %s',
    async (pattern, kinds, seen) => {
      const world = await open(onRename({ replyEdit: { pattern, uri: 'file://<root>/a.txt' } }));
      const { answer } = await world.rename('a.txt', 'alpha', 'gamma');
      const steps = answer?.proposal.steps ?? [];
      expect(steps.map(({ kind }) => kind)).toEqual(kinds);
      expect(steps.map((step) => 'seen' in step)).toEqual(seen);
    },
  );

  it('whose server replaces whole texts is cut into the words that it changes', async () => {
    const text = 'function alpha\r\nalpha beta';
    const range = { start: { line: 0, character: 0 }, end: { line: 2, character: 0 } };
    const whole = (newText: string) =>
      onRename({ replyValue: { changes: { 'file://<root>/a.txt': [{ range, newText }] } } });
    const world = await open(whole('function gamma\ngamma beta'), { 'a.txt': text });
    const { answer } = await world.rename('a.txt', 'alpha', 'gamma');
    expect(world.shown(answer?.proposal.steps ?? [])).toEqual(['a.txt 0:9 gamma', 'a.txt 1:0 gamma']);
    const other = await open(whole('function gamma\n  gamma beta'), { 'a.txt': text });
    const kept = await other.rename('a.txt', 'alpha', 'gamma');
    expect(other.shown(kept.answer?.proposal.steps ?? [])).toEqual([
      'a.txt 0:0 function gamma\n  gamma beta',
    ]);
  });

  it('tells the uses that the server knows and does not rename, as far as they bear the old name', async () => {
    const edit = (line: number, character: number) => ({
      range: { start: { line, character }, end: { line, character: character + 5 } },
      newText: 'gamma',
    });
    const changes = { 'file://<root>/a.txt': [edit(0, 9), edit(1, 0)] };
    const world = await open(onRename({ replyValue: { changes } }));
    const { answer, doubts } = await world.rename('a.txt', 'alpha', 'gamma');
    expect(world.places(answer?.missed ?? [])).toEqual(['b.txt 0:2']);
    expect(doubts).toEqual([]);
  });
});

/** A server that ends renames at imports and exports as TypeScript does, by these answers one after the other. */
function answering(
  ...answers: readonly Readonly<Record<string, readonly (readonly [number, number, string])[]>>[]
): FakeScript {
  const edit = ([line, character, newText]: readonly [number, number, string]) => ({
    range: { start: { line, character }, end: { line, character: character + 5 } },
    newText,
  });
  const rules = answers.map((files, index) => ({
    on: { method: 'textDocument/rename', nth: index + 1 },
    do: [
      {
        replyValue: {
          changes: Object.fromEntries(
            Object.entries(files).map(([file, edits]) => [`file://<root>/${file}`, edits.map(edit)]),
          ),
        },
      },
    ],
  }));
  return { rules };
}

describe('a rename that the server ends by a second name', () => {
  const modules = {
    'a.ts': 'function alpha\nexport { alpha }\n',
    'b.ts': 'import { alpha } from a\nalpha\n',
  };
  const declaration = {
    'a.ts': [
      [0, 9, 'gamma'],
      [1, 9, 'gamma as alpha'],
    ],
  } as const;
  const openModules = (script: FakeScript) =>
    openRenamingWorld({ files: modules, servers: { typescript: { lives: [script], extensions: ['ts'] } } });
  const all = ['a.ts 0:9 gamma', 'a.ts 1:9 gamma', 'b.ts 0:9 gamma', 'b.ts 1:0 gamma'];

  it('goes on at the other side of each export', async () => {
    const exported = {
      'a.ts': [[1, 9, 'alpha as gamma']],
      'b.ts': [
        [0, 9, 'gamma'],
        [1, 0, 'gamma'],
      ],
    } as const;
    const world = await openModules(answering({ ...declaration }, { ...exported }));
    const { answer, doubts } = await world.rename('a.ts', 'alpha', 'gamma');
    expect(doubts).toEqual([]);
    expect(world.shown(answer?.proposal.steps ?? [])).toEqual(all);
    expect(answer?.proposal.steps).toHaveLength(2);
  });

  it('goes back to the declaration from an import', async () => {
    const imported = {
      'b.ts': [
        [0, 9, 'alpha as gamma'],
        [1, 0, 'gamma'],
      ],
    } as const;
    const exported = {
      'a.ts': [[1, 9, 'alpha as gamma']],
      'b.ts': [
        [0, 9, 'gamma'],
        [1, 0, 'gamma'],
      ],
    } as const;
    const world = await openModules(answering({ ...imported }, { ...declaration }, { ...exported }));
    const { answer } = await world.rename('b.ts', '\n|alpha', 'gamma');
    expect(world.shown(answer?.proposal.steps ?? [])).toEqual(all);
  });

  it('keeps the second name where the other side is refused, which is right all the same', async () => {
    const { rules = [] } = answering({ ...declaration });
    const refusing = { on: { method: 'textDocument/rename', nth: 2 }, do: [{ replyValue: null }] };
    const world = await openModules({ rules: [...rules, refusing] });
    const { answer } = await world.rename('a.ts', 'alpha', 'gamma');
    expect(world.shown(answer?.proposal.steps ?? [])).toEqual(['a.ts 0:9 gamma', 'a.ts 1:9 gamma as alpha']);
    expect(world.places(answer?.missed ?? [])).toEqual(['b.ts 0:9', 'b.ts 1:0']);
  });

  it('is refused where it would not reach what is declared in this workspace', async () => {
    const imported = {
      'b.ts': [
        [0, 9, 'alpha as gamma'],
        [1, 0, 'gamma'],
      ],
    } as const;
    const { rules = [] } = answering({ ...imported });
    const refusing = { on: { method: 'textDocument/rename', nth: 2 }, do: [{ replyValue: null }] };
    const world = await openModules({ rules: [...rules, refusing] });
    await expect(world.rename('b.ts', '\n|alpha', 'gamma')).rejects.toMatchObject({
      code: 'refused',
      nextStep: 'Rename it at its declaration, a.ts:1:10.',
    });
  });
});
