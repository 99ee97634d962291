import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest';
import {
  type Client,
  type ClientOptions,
  LspanError,
  type Question,
  type QuestionKind,
  type Reply,
  type Span,
  startClient,
} from '../../src/lsp.ts';
import { type FakeScript, type FakeServer, fakeServer } from '../../src/testing.ts';
import { inSandbox, unconfinable } from '../confined.ts';
import { temporaryFolder } from '../test-bridge.ts';

const files = { 'a.txt': 'function alpha\nalpha beta\n', 'b.txt': 'alpha is used\nfunction beta\n' };
const use = { path: 'b.txt', position: { line: 0, character: 0 } };
const range = (line: number, start: number, end: number) => ({
  start: { line, character: start },
  end: { line, character: end },
});

describe('the client of a language server', () => {
  it('answers with 0-based positions and absolute paths', async () => {
    const { client, root } = await open();
    const { answer, doubts } = await client.ask({ kind: 'definition', place: use });
    expectTypeOf(answer).toEqualTypeOf<readonly Span[]>();
    const declared = { path: path.join(root, 'a.txt'), range: range(0, 9, 14), standing: 'inside' };
    expect({ answer, doubts }).toEqual({ answer: [declared], doubts: [] });
    for (const given of [path.join(root, 'b.txt'), `file://${root}/b.txt`, './b.txt'])
      expect((await client.ask({ kind: 'definition', place: { ...use, path: given } })).answer).toEqual([
        declared,
      ]);
  });

  it('starts the server with the first question, and not before', async () => {
    const { client, fake } = await open();
    expect(await client.status()).toMatchObject([{ id: 'fake', state: 'not_started' }]);
    expect(fake.pids()).toEqual([]);
    await client.ask({ kind: 'outline', path: 'a.txt' });
    expect(await client.status()).toMatchObject([{ id: 'fake', pid: fake.pids()[0], version: 'fake 1.0.0' }]);
    expect(fake.complaints()).toEqual([]);
  });

  it('starts it on `start()`', async () => {
    const { client, fake } = await open();
    await client.start();
    expect(fake.pids()).toHaveLength(1);
    await fake.heard('initialized');
  });

  it('asks every question of the vocabulary', async () => {
    const { client } = await open();
    const place = use;
    const asked: { readonly [K in QuestionKind]: Question<K> } = {
      definition: { kind: 'definition', place },
      references: { kind: 'references', place },
      declaration: { kind: 'declaration', place },
      type: { kind: 'type', place },
      implementations: { kind: 'implementations', place },
      calls: { kind: 'calls', place, direction: 'incoming', depth: 2 },
      types: { kind: 'types', place, direction: 'subtypes', depth: 1 },
      completions: { kind: 'completions', place, most: 5 },
      signatures: { kind: 'signatures', place },
      hints: { kind: 'hints', path: 'a.txt', range: range(0, 0, 5) },
      hover: { kind: 'hover', place },
      outline: { kind: 'outline', path: 'a.txt' },
      symbols: { kind: 'symbols', query: 'alp', among: ['a.txt'] },
      rename: { kind: 'rename', place, newName: 'gamma' },
      moves: { kind: 'moves', moves: [{ from: 'a.txt', to: 'c/a.txt', isFolder: false }] },
      actions: { kind: 'actions', path: 'a.txt', range: range(0, 0, 1), only: ['refactor'] },
      format: { kind: 'format', path: 'a.txt', layout: { tabSize: 2, insertSpaces: true } },
    };
    for (const question of Object.values(asked))
      expect(await client.ask(question)).toMatchObject({ doubts: expect.any(Array) });
  });

  it('knows the answer of a question by its kind', () => {
    type Answered<Q> = Q extends Promise<Reply<infer A>> ? A : never;
    const ask = (client: Client) => ({
      hover: () => client.ask({ kind: 'hover', place: use }),
      symbols: () => client.ask({ kind: 'symbols', query: 'a' }),
      // @ts-expect-error There is no place in it.
      wrong: () => client.ask({ kind: 'hover' }),
      // @ts-expect-error There is no such kind.
      none: () => client.ask({ kind: 'hovers', place: use }),
    });
    type Asked = ReturnType<typeof ask>;
    expectTypeOf<Answered<ReturnType<Asked['hover']>>>().toHaveProperty('text' as never);
    expectTypeOf<Answered<ReturnType<Asked['symbols']>>[number]['name']>().toEqualTypeOf<string>();
  });

  it('answers from the current content of the disk', async () => {
    const { client, root } = await open();
    await client.ask({ kind: 'definition', place: use });
    writeFileSync(path.join(root, 'a.txt'), '\n\nfunction alpha\n');
    writeFileSync(path.join(root, 'c.txt'), 'alpha again\n');
    const { answer } = await client.ask({ kind: 'references', place: use });
    expect(answer.map((span) => [path.basename(span.path), span.range.start.line])).toEqual([
      ['a.txt', 2],
      ['b.txt', 0],
      ['c.txt', 0],
    ]);
  });

  it('returns the problems of the current text, and notifies about files that servers report again', async () => {
    const { client, root } = await open({ script: { diagnostics: 'push' } });
    const told = new Promise<string>((resolve) => client.onDiagnostics(resolve));
    writeFileSync(path.join(root, 'a.txt'), 'ERROR_one here\n');
    const { answer } = await client.diagnostics(['a.txt', 'b.txt']);
    expect(answer).toMatchObject([
      {
        path: path.join(root, 'a.txt'),
        state: 'fresh',
        problems: [{ severity: 'error', range: range(0, 0, 9) }],
      },
      { path: path.join(root, 'b.txt'), state: 'fresh', problems: [] },
    ]);
    expect([path.join(root, 'a.txt'), path.join(root, 'b.txt')]).toContain(await told);
  });

  it('previews an action without changing anything', async () => {
    const { client, root } = await open();
    writeFileSync(path.join(root, 'a.txt'), 'ERROR_one here\n');
    const { answer } = await client.ask({ kind: 'actions', path: 'a.txt' });
    const fix = answer.find(({ title }) => title === 'Put ERROR_one right');
    if (!fix) throw new Error('The fix is not offered.');
    const proposal = await client.propose(fix);
    expect(proposal.steps).toMatchObject([{ kind: 'edit', edits: [{ newText: 'one' }] }]);
  });

  it('works with several independent clients in one process', async () => {
    const [one, other] = await Promise.all([open(), open({ files: { 'b.txt': 'let alpha\n' } })]);
    const asked = [one, other].map(({ client }) => client.ask({ kind: 'symbols', query: 'alpha' }));
    const lines = (await Promise.all(asked)).map(({ answer }) => answer.map(({ span }) => span.path));
    expect(lines).toEqual([[path.join(one.root, 'a.txt')], [path.join(other.root, 'b.txt')]]);
  });
});

describe('an overlay of a client', () => {
  it('answers about texts that are not on disk, also of files that do not exist', async () => {
    const { client, root } = await open();
    const texts = { 'a.txt': 'let gone\nERROR_two\n', 'new/c.txt': 'function alpha\n' };
    const found = await client.overlay(texts, async (overlaid) => {
      const { answer } = await overlaid.ask({ kind: 'definition', place: use });
      const place = { path: 'new/c.txt', position: { line: 0, character: 9 } };
      const inNew = await overlaid.ask({ kind: 'hover', place });
      const { answer: problems } = await overlaid.diagnostics(['a.txt']);
      return { answer, hover: inNew.answer?.text, problems };
    });
    expect(found.answer.map((span) => span.path)).toEqual([path.join(root, 'new/c.txt')]);
    expect(found.hover).toContain('function alpha');
    expect(found.problems).toMatchObject([{ problems: [{ code: 'ERROR_two' }] }]);
    expect(existsSync(path.join(root, 'new'))).toBe(false);
    const { answer } = await client.ask({ kind: 'definition', place: use });
    expect(answer.map((span) => span.path)).toEqual([path.join(root, 'a.txt')]);
  });

  it('settles like its work, and accepts a map', async () => {
    const { client } = await open();
    const failed = client.overlay(new Map([['a.txt', '']]), async () => Promise.reject(new Error('mine')));
    await expect(failed).rejects.toThrow(/^mine$/);
    expect((await client.ask({ kind: 'definition', place: use })).answer).toHaveLength(1);
  });
});

describe('the client of a real server', () => {
  const project = {
    'tsconfig.json': '{ "compilerOptions": { "strict": true, "types": [] } }',
    'sum.ts': 'export function sum(a: number, b: number): number {\n  return a + b;\n}\n',
    'main.ts': "import { sum } from './sum';\nexport const three = sum(1, 2);\n",
  };
  const called = { path: 'main.ts', position: { line: 1, character: 21 } };

  it('finds references, diagnostics and overlays, and recovers after its server was killed', async () => {
    const { client, root } = await open({ files: project, server: 'typescript' });
    const places = (spans: readonly Span[]) =>
      spans.map((span) => `${path.relative(root, span.path)}:${span.range.start.line}`).sort();
    const definition = await client.ask({ kind: 'definition', place: called });
    expect([places(definition.answer), definition.doubts]).toEqual([['sum.ts:0'], []]);
    const references = await client.ask({ kind: 'references', place: called });
    expect([places(references.answer), references.doubts]).toEqual([
      ['main.ts:0', 'main.ts:1', 'sum.ts:0'],
      [],
    ]);
    expect((await client.diagnostics(['main.ts'])).answer).toMatchObject([{ state: 'fresh', problems: [] }]);
    const [running] = await client.status();
    process.kill(running?.pid ?? 0, 'SIGKILL');
    const text = project['sum.ts'].replace('b: number', 'b: string');
    // In a sandbox it may still answer once: its end is then noticed by the next call, which says so.
    const tried = await client.overlay({ 'sum.ts': text }, (overlaid) => overlaid.diagnostics(['main.ts']));
    expect(tried.answer).toMatchObject([{ state: 'fresh', problems: [{ severity: 'error', code: '2345' }] }]);
    const isRestarted = ({ kind }: { readonly kind: string }) => kind === 'server_restarted';
    let last = await client.diagnostics(['main.ts']);
    if (last.doubts.some(isRestarted)) last = await client.diagnostics(['main.ts']);
    expect(last.answer).toMatchObject([{ state: 'fresh', problems: [] }]);
  });
});

describe('an unsaved text of a client', () => {
  it('replaces the file in every question until it is released', async () => {
    const { client, root } = await open();
    const declared = async () => {
      const { answer } = await client.ask({ kind: 'definition', place: use });
      return answer.map((span) => [path.relative(root, span.path), span.range.start.line]);
    };
    expect(await declared()).toEqual([['a.txt', 0]]);
    client.hold('a.txt', '\nERROR_one\nfunction alpha\n');
    expect(await declared()).toEqual([['a.txt', 2]]);
    expect((await client.diagnostics(['a.txt'])).answer).toMatchObject([
      { problems: [{ code: 'ERROR_one' }] },
    ]);
    client.hold('a.txt', 'nothing');
    client.hold('new.txt', 'function alpha\n');
    expect(await declared()).toEqual([['new.txt', 0]]);
    for (const file of ['a.txt', 'new.txt']) client.hold(file, null);
    expect(await declared()).toEqual([['a.txt', 0]]);
  });

  it('is refused outside the workspace, if it is not a string, and after close', async () => {
    const { client } = await open();
    const thrown = (work: () => unknown) => expect(work).toThrow(LspanError);
    thrown(() => client.hold('../a.txt', ''));
    thrown(() => Reflect.apply(client.hold, undefined, ['a.txt', 1]));
    await client.close();
    thrown(() => client.hold('a.txt', ''));
  });
});

describe('a server that fails its client', () => {
  it('and crashes during a question is restarted, and the question is asked again', async () => {
    const crash = { rules: [{ on: { method: 'textDocument/definition' }, do: [{ exit: { code: 3 } }] }] };
    const { client, fake } = await open({ script: [crash, {}] });
    const { answer, doubts } = await client.ask({ kind: 'definition', place: use });
    expect(answer).toHaveLength(1);
    expect(doubts).toMatchObject([{ kind: 'server_restarted' }]);
    expect(fake.pids()).toHaveLength(2);
  });

  it('and is killed between two questions is restarted for the second', async () => {
    const { client, fake } = await open();
    await client.ask({ kind: 'definition', place: use });
    const [first = 0] = fake.pids();
    process.kill(first, 'SIGKILL');
    expect((await client.ask({ kind: 'references', place: use })).answer).toHaveLength(3);
    expect(fake.pids()).toHaveLength(2);
  });

  it('and never answers is given up at the deadline or on cancellation', async () => {
    const mute = { rules: [{ on: { method: 'textDocument/hover' }, do: [{ never: true as const }] }] };
    const { client, fake } = await open({ script: mute });
    await client.start();
    const late = client.ask({ kind: 'hover', place: use }, { deadline: 500 });
    const told = { name: 'LspanError', code: 'timed_out', retryable: true };
    await expect(late).rejects.toMatchObject({ ...told, nextStep: expect.not.stringContaining('get_') });
    const asked = fake.received('textDocument/hover').length;
    const leaving = new AbortController();
    const left = client.ask({ kind: 'hover', place: use }, { signal: leaving.signal });
    left.catch(() => {});
    await fake.heard('textDocument/hover', asked + 1);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: 'cancelled' });
    const aborted = client.ask({ kind: 'hover', place: use }, { signal: leaving.signal });
    await expect(aborted).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('and answers with nothing while it may be loading causes a doubt', async () => {
    const empty = { rules: [{ on: { method: 'workspace/symbol' }, do: [{ emptyResult: true as const }] }] };
    const fake = fakeServer(empty);
    onTestFinished(() => fake.close());
    const { client } = await open({ server: { ...fake.server, ready: 'unknown' } });
    const { answer, doubts } = await client.ask({ kind: 'symbols', query: 'alpha' });
    expect(answer).toEqual([]);
    expect(doubts).not.toEqual([]);
  });

  it('and is not installed causes an error, at the start and on a question', async () => {
    const { client } = await open({ server: { command: ['no-such-server'], extensions: ['txt'] } });
    await expect(client.start()).rejects.toMatchObject({ code: 'not_installed' });
    const asked = client.ask({ kind: 'hover', place: use });
    await expect(asked).rejects.toMatchObject({ code: 'not_installed', nextStep: expect.any(String) });
  });

  it('and would run untrusted content is not started, and the error says so', async () => {
    const { root, fake } = prepare(files);
    const server = { id: 'eslint', command: fake.command, extensions: ['txt'] };
    await using client = await startClient({ workspace: root, server });
    const refused = { code: 'refused', nextStep: expect.stringContaining('lspan trust') };
    await expect(client.start()).rejects.toMatchObject(refused);
    writeFileSync(path.join(root, 'eslint.config.js'), '');
    await expect(client.start()).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining('eslint'),
    });
    await expect(client.diagnostics(['a.txt'])).rejects.toMatchObject(refused);
    expect(fake.pids()).toEqual([]);
  });

  it('is restarted on demand', async () => {
    const { client, fake } = await open();
    await client.start();
    expect(await client.restart()).toMatchObject([{ id: 'fake', outcome: 'restarted' }]);
    expect(fake.pids()).toHaveLength(2);
  });
});

describe('a client that is closed', () => {
  it('leaves no process, cancels questions in progress, and refuses new ones', async () => {
    const mute = { rules: [{ on: { method: 'textDocument/hover' }, do: [{ never: true as const }] }] };
    const { client, fake } = await open({ script: mute });
    const asked = client.ask({ kind: 'hover', place: use });
    asked.catch(() => {});
    await fake.heard('textDocument/hover');
    await Promise.all([client.close(), client.close()]);
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
    await expect(client.ask({ kind: 'hover', place: use })).rejects.toMatchObject({ code: 'cancelled' });
    for (const pid of fake.pids()) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('is closed at the end of its block, without side effects on the process', async () => {
    const before = process.eventNames().map((name) => [name, process.listenerCount(name)]);
    const { root, fake } = prepare({});
    {
      await using client = await startClient({ workspace: root, server: fake.server });
      await client.start();
    }
    expect(fake.received().map(({ method }) => method)).toContain('exit');
    expect(process.eventNames().map((name) => [name, process.listenerCount(name)])).toEqual(before);
  });
});

describe('arguments of a client:', () => {
  it.each<[string, unknown, RegExp]>([
    ['nothing', undefined, /The settings must be/],
    ['no workspace', { server: 'typescript' }, /workspace/],
    ['a workspace that is no text', { workspace: [1], server: 'typescript' }, /workspace/],
    ['an option that is none', { workspace: '.', servers: 'typescript' }, /Did you mean server\?/],
    [
      'a key in the form of the configuration',
      { workspace: '.', server: { id: 'gopls', language_id: 'go' } },
      /Did you mean languageId\?/,
    ],
    ['no server', { workspace: '.' }, /neither a name nor an object/],
    ['an empty list of servers', { workspace: '.', server: [] }, /No server/],
    ['a name that is nearly right', { workspace: '.', server: 'typscript' }, /Did you mean typescript\?/],
    ['a command that is no list', { workspace: '.', server: { command: 'gopls' } }, /command/],
    [
      'a command without extensions',
      { workspace: '.', server: { command: ['some'] } },
      /extensions is missing/,
    ],
    [
      'an empty list of extensions',
      { workspace: '.', server: { command: ['some'], extensions: [] } },
      /no file ext/,
    ],
    [
      'extensions that are none',
      { workspace: '.', server: { command: ['some'], extensions: ['*'] } },
      /"\*"/,
    ],
    ...Object.entries({
      id: 5,
      args: '-v',
      env: { A: 5 },
      ready: 'now',
      answers: ['all'],
      settings: [],
      initializeTimeout: -1,
      timeouts: { hover: 'long' },
      extensions: 'ts',
      confine: 'sometimes',
      writableFolders: ['cache'],
    }).map(([key, value]): [string, unknown, RegExp] => [
      `a server whose ${key} is ${JSON.stringify(value)}`,
      { workspace: '.', server: { command: ['some'], extensions: ['a'], [key]: value } },
      new RegExp(`The setting ${key} must be`),
    ]),
    ...Object.entries({ deadline: 0, exclude: 'x', environment: 5, log: 5, trace: {}, workspace: '' }).map(
      ([key, value]): [string, unknown, RegExp] => [
        `${key} as ${JSON.stringify(value)}`,
        { workspace: '.', server: 'typescript', [key]: value },
        new RegExp(`The setting ${key} must be`),
      ],
    ),
  ])('%s is refused', async (_title, options, told) => {
    const started = untyped(startClient, options);
    await expect(started).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(told),
    });
    await expect(started).rejects.toBeInstanceOf(LspanError);
  });

  it('a missing folder is refused', async () => {
    const started = startClient({ workspace: '/no/such/folder', server: 'typescript' });
    await expect(started).rejects.toMatchObject({ code: 'not_found' });
  });

  it('a known server may be changed, and several may be given', async () => {
    const { root, fake } = prepare({ 'a.go': 'package a\n', 'b.txt': 'let x\n' });
    const other = fakeServer({}, { id: 'other' });
    onTestFinished(() => other.close());
    const { command, confine } = fake.server;
    const server = [{ id: 'gopls', command, confine, settings: { gopls: { x: 1 } } }, other.server];
    await using client = await startClient({ workspace: root, server });
    await client.start();
    expect((await client.status()).map(({ id }) => id)).toEqual(['gopls', 'other']);
    expect([...fake.pids(), ...other.pids()]).toHaveLength(2);
  });

  it.skipIf(unconfinable !== '')(
    inSandbox('a server may be confined, with folders to write to'),
    async () => {
      const { root, fake } = prepare({ 'a.txt': 'let x\n' });
      const notes = path.dirname(fake.command.at(-1) ?? '');
      const server = { ...fake.server, confine: 'always', writableFolders: [notes] } as const;
      await using client = await startClient({ workspace: root, server });
      await client.start();
      expect(await client.status()).toMatchObject([{ id: 'fake', confined: true }]);
      expect(fake.pids()).toHaveLength(1);
    },
  );

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['no kind', {}],
    ['a kind that is none', { kind: 'toString' }],
    ['no place', { kind: 'hover' }],
    ['a place without a path', { kind: 'hover', place: { position: use.position } }],
    ['a place without a position', { kind: 'hover', place: { path: 'a.txt' } }],
    ['a line below 0', { kind: 'hover', place: { path: 'a.txt', position: { line: -1, character: 0 } } }],
    ['half a character', { kind: 'hover', place: { path: 'a.txt', position: { line: 0, character: 0.5 } } }],
    ['a direction that is none', { kind: 'calls', place: use, direction: 'both', depth: 1 }],
    ['no depth', { kind: 'calls', place: use, direction: 'incoming' }],
    ['no range', { kind: 'hints', path: 'a.txt' }],
    ['no query', { kind: 'symbols' }],
    ['files that are no list', { kind: 'symbols', query: 'a', among: 'a.txt' }],
    ['no new name', { kind: 'rename', place: use }],
    ['moves that are no list', { kind: 'moves', moves: { from: 'a.txt', to: 'b.txt' } }],
    ['no layout', { kind: 'format', path: 'a.txt' }],
  ])('a question with %s is refused, and starts nothing', async (_title, question) => {
    const { client, fake } = await open();
    await expect(untyped(client.ask, question)).rejects.toMatchObject({ code: 'invalid_input' });
    expect(fake.pids()).toEqual([]);
  });

  it('paths go through the gate', async () => {
    const { client } = await open();
    const hover = (given: string) => client.ask({ kind: 'hover', place: { ...use, path: given } });
    await expect(hover('/etc/hosts')).rejects.toMatchObject({ code: 'outside_workspace' });
    await expect(hover('../x.txt')).rejects.toMatchObject({ code: 'outside_workspace' });
    await expect(hover('c.txt')).rejects.toMatchObject({ code: 'not_found' });
    await expect(client.diagnostics(['/etc/hosts'])).rejects.toMatchObject({ code: 'outside_workspace' });
    const outside = client.overlay({ '../x.txt': '' }, async () => {});
    await expect(outside).rejects.toMatchObject({ code: 'outside_workspace' });
    const moved = { from: 'a.txt', to: '../a.txt', isFolder: false };
    await expect(client.ask({ kind: 'moves', moves: [moved] })).rejects.toMatchObject({
      code: 'outside_workspace',
    });
  });

  it('a wrong type is refused', async () => {
    const { client } = await open();
    const refused = { code: 'invalid_input' };
    await expect(untyped(client.diagnostics, 'a.txt')).rejects.toMatchObject(refused);
    await expect(client.overlay(Object({ 'a.txt': 1 }), async () => {})).rejects.toMatchObject(refused);
  });

  it('a file without a server is an error, and so is an invalid deadline', async () => {
    const { client, root } = await open();
    writeFileSync(path.join(root, 'a.rs'), '');
    await expect(client.ask({ kind: 'outline', path: 'a.rs' })).rejects.toMatchObject({
      code: 'not_supported',
    });
    const late = client.ask({ kind: 'outline', path: 'a.txt' }, { deadline: 0 });
    await expect(late).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

/** Calls like a program without type checks. */
function untyped(called: (...args: never) => Promise<unknown>, given: unknown): Promise<unknown> {
  return Reflect.apply(called, undefined, [given]);
}

interface Setting extends Partial<Omit<ClientOptions, 'workspace'>> {
  readonly files?: Readonly<Record<string, string>>;
  readonly script?: FakeScript | readonly FakeScript[];
}

/** A client over a project of its own, for the length of a test. */
async function open(
  setting: Setting = {},
): Promise<{ readonly client: Client; readonly fake: FakeServer; readonly root: string }> {
  const { files: texts = files, script, ...options } = setting;
  const { root, fake } = prepare(texts, script);
  const client = await startClient({ workspace: root, server: fake.server, ...options });
  onTestFinished(() => client.close());
  return { client, fake, root };
}

function prepare(texts: Readonly<Record<string, string>>, script?: Setting['script']) {
  const root = temporaryFolder('lspan-client-');
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  const fake = fakeServer(script);
  onTestFinished(() => fake.close());
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return { root, fake };
}
