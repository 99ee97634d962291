import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../../src/core/limits.ts';
import type { FakeScript, Rule } from '../../../fake-server/script.ts';
import { type ActionsWorld, offering, on, openActionsWorld, titled } from './asking-actions.ts';

const at = (line: number, from: number, to: number) => ({
  start: { line, character: from },
  end: { line, character: to },
});
const one = at(1, 0, 9);
const open = (...lives: readonly FakeScript[]) => openActionsWorld({ servers: { fake: { lives } } });
const titles = async (world: ActionsWorld, ...question: Parameters<ActionsWorld['offered']>) =>
  (await world.offered(...question)).answer.map(({ title }) => title);

describe('what servers offer', () => {
  it('is asked for with the problems of the range in the words of the server', async () => {
    const items = [
      { range: one, severity: 1, code: 7, source: 'own', message: 'Here.', data: { kept: true } },
      { range: at(0, 0, 3), severity: 1, code: 8, message: 'Elsewhere.', data: 1 },
    ];
    const world = await open({
      rules: [on('textDocument/diagnostic', { replyValue: { kind: 'full', items } })],
    });
    await world.offered('a.txt', { range: at(1, 2, 3) });
    expect(world.asked('textDocument/codeAction')).toEqual([
      {
        textDocument: { uri: `file://${world.root}/a.txt` },
        range: at(1, 2, 3),
        context: { diagnostics: [items[0]], triggerKind: 1 },
      },
    ]);
  });

  it('is about the present text, whose problems are waited for where the server publishes them', async () => {
    const world = await open({ diagnostics: 'push' });
    await world.offered('a.txt');
    world.write('a.txt', 'ERROR_new\n');
    expect(await titles(world, 'a.txt', { only: ['quickfix'] })).toEqual([
      'Put ERROR_new right',
      'Remove ERROR_new',
    ]);
  });

  it('comes without a range for each problem of the file, and for the whole of it', async () => {
    const world = await open({});
    const { answer, doubts } = await world.offered('a.txt');
    expect(doubts).toEqual([]);
    expect(answer).toMatchObject([
      { title: 'Put ERROR_one right', kind: 'quickfix', isPreferred: true, fixes: [{ code: 'ERROR_one' }] },
      { title: 'Remove ERROR_one' },
      { title: 'Put WARN_two right', fixes: [{ code: 'WARN_two', range: at(1, 10, 18) }] },
      { title: 'Remove WARN_two' },
      { title: 'Put all right', kind: 'source.fixAll.fake' },
      { title: 'Sort the imports' },
    ]);
    const asked = world.asked('textDocument/codeAction');
    expect(asked).toHaveLength(3);
    expect(asked.at(-1)).toMatchObject({
      range: { end: { line: 2, character: 0 } },
      context: { only: ['source'] },
    });
  });

  it('is only of the kinds that were asked for, though a server sends others', async () => {
    const sent = ['quickfix.own', 'quickfixes', 'source', undefined].map((kind, index) => ({
      title: `${index}`,
      kind,
    }));
    const world = await open(offering(sent));
    expect(await titles(world, 'a.txt', { range: one, only: ['quickfix'] })).toEqual(['0']);
    expect(await titles(world, 'a.txt', { range: one })).toEqual(['0', '1', '2', '3']);
  });

  it('is asked for at so many problems, the worst first, and that there are more is a doubt', async () => {
    const most = limits.actions.problems;
    const line = Array.from({ length: most }, (_, index) => `WARN_${index}`).join(' ');
    for (const [text, capped] of [
      [`${line}\n`, 0],
      [`${line} ERROR_last\n`, 1],
    ] as const) {
      const world = await openActionsWorld({ files: { 'a.txt': text } });
      const { answer, doubts } = await world.offered('a.txt', { only: ['quickfix'] });
      expect(answer).toHaveLength(2 * most);
      expect(doubts.map(({ kind }) => kind)).toEqual(capped ? ['capped'] : []);
      expect(answer[0]?.title).toBe(capped ? 'Put ERROR_last right' : 'Put WARN_0 right');
    }
  });

  it('is told once where it is the same at several problems', async () => {
    const world = await open(
      offering([{ title: 'Both', kind: 'quickfix', command: { command: 'fake.both' } }]),
    );
    expect(await titles(world, 'a.txt', { only: ['quickfix'] })).toEqual(['Both']);
  });

  it('is joined from all servers of the file, and one that fails is a doubt', async () => {
    const offered = (title: string) => ({ lives: [offering([{ title, kind: 'quickfix' }])] });
    const broken = {
      lives: [{ rules: [on('textDocument/codeAction', { replyError: { code: -1, message: '' } })] }],
    };
    const unable = { lives: [{ capabilities: { codeActionProvider: null } }] };
    const servers = {
      low: { ...offered('Low'), rank: 1 },
      high: { ...offered('High'), rank: 2 },
      unable,
      broken,
    };
    const world = await openActionsWorld({ servers });
    const { answer, doubts } = await world.offered('a.txt', { range: one });
    expect(answer.map(({ server, title }) => `${server} ${title}`)).toEqual(['high High', 'low Low']);
    expect(doubts).toMatchObject([{ kind: 'server_unavailable', server: 'broken' }]);
  });

  it('that cannot be read is not taken for nothing', async () => {
    const world = await open(offering([{ kind: 'quickfix' }, 7]));
    await expect(world.offered('a.txt', { range: one })).rejects.toMatchObject({ code: 'server_unverified' });
  });

  it('is asked for with a range that is in the text', async () => {
    const world = await open({});
    await world.offered('a.txt', {
      range: { start: { line: 9, character: 9 }, end: { line: 99, character: 0 } },
    });
    const end = { line: 2, character: 0 };
    expect(world.asked('textDocument/codeAction')).toMatchObject([{ range: { start: end, end } }]);
  });
});

describe('what an action would change', () => {
  it('is the edit that came with it', async () => {
    const world = await open({});
    const { hash } = await world.workspace.read(path.join(world.root, 'a.txt'));
    expect(await world.propose('a.txt', 'Put ERROR_one right')).toEqual({
      steps: [
        {
          kind: 'edit',
          uri: `file://${world.root}/a.txt`,
          encoding: 'utf-16',
          edits: [{ range: one, newText: 'one' }],
          seen: hash,
        },
      ],
      confirm: [],
    });
    expect(world.asked('codeAction/resolve')).toEqual([]);
  });

  it('is asked for where the server works it out only then, of an action that it has just offered again', async () => {
    const world = await open({});
    expect(await world.propose('a.txt', 'Remove ERROR_one')).toMatchObject({
      steps: [{ edits: [{ range: one, newText: '' }], seen: expect.any(String) }],
    });
    const methods = world.received().flatMap(({ method }) => (method?.includes('odeAction') ? [method] : []));
    expect(methods.slice(-2)).toEqual(['textDocument/codeAction', 'codeAction/resolve']);
  });

  it('is what its command asks for, and the server is told that it was done', async () => {
    const world = await open({});
    expect(await world.propose('a.txt', 'Put all right')).toMatchObject({
      steps: [{ edits: [{ newText: 'one' }, { newText: 'two' }], seen: expect.any(String) }],
    });
    const answers = world.received().filter(({ method, result }) => method === undefined && result !== null);
    expect(answers.map(({ result }) => result)).toContainEqual({ applied: true });
  });

  it('is found also where a server answers the command before it asks', async () => {
    const edit = { changes: { 'file://<root>/a.txt': [{ range: one, newText: 'x' }] } };
    const late: Rule = on(
      'workspace/executeCommand',
      { replyValue: null },
      { request: { method: 'workspace/applyEdit', params: { edit } } },
    );
    const world = await open(offering([{ title: 'Late', command: 'fake.replace' }], late));
    const { answer } = await world.offered('a.txt', { range: one });
    expect(await world.backend.propose(titled(answer, 'Late'), world.call)).toMatchObject({
      steps: [{ edits: [{ newText: 'x' }] }],
    });
  });

  it.each([
    ['makes no edit', 'fake.nothing', /made no edit; it may need an editor/],
    ['is for the editor', 'editor.action.rename', /leaves the command of this action to the editor/],
  ])('PRO-26 is not known of a command that %s', async (_what, command, message) => {
    const world = await open(offering([{ title: 'Command', command }]));
    const { answer } = await world.offered('a.txt', { range: one });
    const proposed = world.backend.propose(titled(answer, 'Command'), world.call);
    await expect(proposed).rejects.toMatchObject({
      code: 'not_supported',
      message: expect.stringMatching(message),
    });
    expect(world.asked('workspace/executeCommand')).toHaveLength(command === 'fake.nothing' ? 1 : 0);
  });

  it('PRO-26 is not known of a command that does more than edit, which is not sent though the server offers it', async () => {
    const command = 'pyright.createtypestub';
    const script = {
      ...offering([{ title: 'Command', command }]),
      capabilities: { executeCommandProvider: { commands: [command] } },
    };
    const ready = { kind: 'immediate' } as const;
    const servers = { pyright: { extensions: ['txt'], ready, lives: [script] } };
    const world = await openActionsWorld({ servers });
    const { answer } = await world.offered('a.txt', { range: one });
    await expect(world.backend.propose(titled(answer, 'Command'), world.call)).rejects.toMatchObject({
      code: 'not_supported',
      message: expect.stringMatching(/may do more than edit/),
    });
    expect(world.asked('workspace/executeCommand', 'pyright')).toEqual([]);
  });

  it('is refused where the server says that it cannot be done now', async () => {
    const world = await open(offering([{ title: 'No', disabled: { reason: 'Nothing is selected.' } }]));
    const { answer } = await world.offered('a.txt', { range: one });
    expect(answer).toMatchObject([{ disabled: 'Nothing is selected.' }]);
    await expect(world.backend.propose(titled(answer, 'No'), world.call)).rejects.toMatchObject({
      code: 'refused',
    });
  });

  it('EDT-23 is refused where it is a template with placeholders', async () => {
    const uri = 'file://<root>/a.txt';
    const edits = [{ range: one, newText: '$0', insertTextFormat: 2 }];
    const edit = { documentChanges: [{ textDocument: { uri, version: null }, edits }] };
    const world = await open(offering([{ title: 'Snippet', edit }]));
    const { answer } = await world.offered('a.txt', { range: one });
    await expect(world.backend.propose(titled(answer, 'Snippet'), world.call)).rejects.toThrow(
      /placeholders/,
    );
  });

  it('EDT-15 is stale once the file, or another that the edit is about, has changed', async () => {
    const edit = (name: string) => ({
      changes: { [`file://<root>/${name}`]: [{ range: at(0, 0, 1), newText: 'x' }] },
    });
    const files = { 'a.txt': 'one\n', 'b.txt': 'two\n', 'c.txt': 'three\n' };
    const script = offering([
      { title: 'Here', edit: edit('a.txt') },
      { title: 'There', edit: edit('b.txt') },
    ]);
    const world = await openActionsWorld({ files, servers: { fake: { lives: [script] } } });
    const { answer } = await world.offered('a.txt', { range: at(0, 0, 1) });
    const propose = async (title: string) => {
      await world.workspace.refresh(world.call);
      return world.backend.propose(titled(answer, title), world.call);
    };
    world.write('c.txt', 'another\n');
    await propose('Here');
    world.write('b.txt', 'another\n');
    await propose('Here');
    await expect(propose('There')).rejects.toMatchObject({
      code: 'stale',
      message: expect.stringContaining('b.txt'),
    });
    world.write('a.txt', 'another\n');
    await expect(propose('Here')).rejects.toMatchObject({
      code: 'stale',
      nextStep: expect.stringContaining('get_code_actions'),
    });
  });

  it('EDT-17 is stale where the server speaks of another version', async () => {
    const edit = {
      documentChanges: [
        { textDocument: { uri: 'file://<root>/a.txt', version: 77 }, edits: [{ range: one, newText: '' }] },
      ],
    };
    const resolve = on('codeAction/resolve', { replyValue: { title: 'Old', edit } });
    const world = await open(offering([{ title: 'Old', kind: 'quickfix', data: 1 }], resolve));
    const { answer } = await world.offered('a.txt', { range: one });
    await expect(world.backend.propose(titled(answer, 'Old'), world.call)).rejects.toMatchObject({
      code: 'stale',
    });
  });
});

describe('BND-20 edits that a server asks for', () => {
  const ask = (name: string) => ({
    request: {
      method: 'workspace/applyEdit',
      params: { edit: { changes: { [`file://<root>/${name}`]: [{ range: one, newText: name }] } } },
    },
  });
  const execute = 'workspace/executeCommand';
  const answersOf = (world: ActionsWorld) =>
    world.received().flatMap(({ method, result }) => (method === undefined && result ? [result] : []));

  it('are refused and counted before and after a command, and taken in their order while it runs', async () => {
    const script = offering(
      [{ title: 'Command', command: 'fake.replace' }],
      on(execute, ask('a.txt'), ask('b.txt'), { replyValue: null }),
      on('textDocument/hover', ask('c.txt')),
    );
    const files = { 'a.txt': 'function alpha\nERROR_one\n', 'b.txt': '\n         \n' };
    const world = await openActionsWorld({ files, servers: { fake: { lives: [script] } } });
    const place = { path: path.join(world.root, 'a.txt'), position: { line: 0, character: 9 } };
    const hover = () => world.backend.ask({ kind: 'hover', place }, world.call);
    await hover();
    const { answer } = await world.offered('a.txt', { range: one });
    const { steps } = await world.backend.propose(titled(answer, 'Command'), world.call);
    expect(steps.map((step) => 'uri' in step && path.basename(step.uri))).toEqual(['a.txt', 'b.txt']);
    await hover();
    const refused = { applied: false, failureReason: expect.any(String) };
    expect(answersOf(world)).toEqual([refused, { applied: true }, { applied: true }, refused]);
    const counted = world.logged.all.filter(({ event }) => event === 'edit_refused');
    expect(counted.map(({ fields }) => fields.count)).toEqual([1, 2]);
  });

  it('are taken for one command at a time, so that it is known whose they are', async () => {
    const offered = ['a.txt', 'b.txt'].map((name) => ({
      title: name,
      command: 'fake.replace',
      arguments: [name],
    }));
    const rule = (name: string, nth: number): Rule => ({
      on: { method: execute, nth },
      do: [{ delayMs: 50 }, ask(name), { replyValue: null }],
    });
    const world = await open(offering(offered, rule('a.txt', 1), rule('b.txt', 2)));
    const { answer } = await world.offered('a.txt', { range: one });
    const proposed = answer.map((action) => world.backend.propose(action, world.call));
    const uris = (await Promise.all(proposed)).map(({ steps }) =>
      steps.map((step) => 'uri' in step && step.uri),
    );
    expect(uris.map((list) => list.map((uri) => path.basename(String(uri))))).toEqual([['a.txt'], ['b.txt']]);
    expect(answersOf(world)).toEqual([{ applied: true }, { applied: true }]);
  });

  it.each([
    [0, undefined],
    [1, 'limit_exceeded'],
  ])('are at most so many for one command, and none of them counts beyond: %i more', async (more, code) => {
    const requests = Array.from({ length: limits.commandEdits + more }, (_, index) => ask(`${index}.txt`));
    const script = offering(
      [{ title: 'Many', command: 'fake.replace' }],
      on(execute, ...requests, { replyValue: null }),
    );
    const world = await open(script);
    const { answer } = await world.offered('a.txt', { range: one });
    const proposed = world.backend.propose(titled(answer, 'Many'), world.call);
    if (code) await expect(proposed).rejects.toMatchObject({ code });
    else expect((await proposed).steps).toHaveLength(limits.commandEdits);
  });

  it('are not taken where they change one file twice, which may mean either text', async () => {
    const script = offering(
      [{ title: 'Twice', command: 'fake.replace' }],
      on(execute, ask('a.txt'), ask('a.txt'), { replyValue: null }),
    );
    const world = await open(script);
    const { answer } = await world.offered('a.txt', { range: one });
    const proposed = world.backend.propose(titled(answer, 'Twice'), world.call);
    await expect(proposed).rejects.toMatchObject({
      code: 'not_supported',
      message: expect.stringContaining('twice'),
    });
  });
});
