import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { surfaces } from '../../src/surfaces/index.ts';
import type { Action, FakeScript } from '../fake-server/script.ts';
import { ask, expectInOrder, openTestBridge, question, type TestBridge } from '../test-bridge.ts';

const settings = { known: { setting: 1 }, empty: null };
const open = (script: FakeScript, files?: Record<string, string>) =>
  openTestBridge({ servers: { fake: { lives: [script], settings } }, ...(files ? { files } : {}) });
const whenAsked = (...actions: Action[]): FakeScript => ({
  rules: [{ on: { method: 'textDocument/definition' }, do: actions }],
});
/** What the bridge replied to requests of the server, in order. */
const answers = (bridge: TestBridge) => bridge.received().filter(({ method }) => method === undefined);
const methodsSent = (bridge: TestBridge) => bridge.received().flatMap(({ method }) => method ?? []);

const unknown = { error: { code: -32601 } };
const registration = { id: 'r', method: 'textDocument/rename' };

/** Every request that a server may send, and the shape of the answer. */
const requests: readonly (readonly [string, unknown, object])[] = [
  [
    'workspace/configuration',
    { items: [{ section: 'known.setting' }, { section: 'unset' }, { section: 'empty' }, {}] },
    { result: [1, {}, {}, settings] },
  ],
  ['client/registerCapability', { registrations: [registration] }, { result: null }],
  ['client/unregisterCapability', { unregisterations: [registration] }, { result: null }],
  ['window/workDoneProgress/create', { token: 't' }, { result: null }],
  [
    'workspace/applyEdit',
    { edit: { changes: {} } },
    { result: { applied: false, failureReason: expect.any(String) } },
  ],
  ['window/showMessageRequest', { type: 1, message: 'm', actions: [{ title: 'Yes' }] }, { result: null }],
  ['window/showDocument', { uri: 'https://example.org', external: true }, { result: { success: false } }],
  [
    'workspace/workspaceFolders',
    undefined,
    {
      result: [
        {
          uri: expect.stringMatching(/^file:\/\/\/.*lspan-project-/),
          name: expect.stringMatching(/^lspan-project-/),
        },
      ],
    },
  ],
  ...['semanticTokens', 'codeLens', 'inlayHint', 'inlineValue', 'diagnostic', 'foldingRange'].map(
    (what) => [`workspace/${what}/refresh`, undefined, { result: null }] as const,
  ),
  ['$/unknown', {}, unknown],
  ['tsserver/request', [1], unknown],
  ['constructor', null, unknown],
];

describe('PRO-13 every request of a server is answered in the right shape', () => {
  const asking: Action[] = requests.map(([method, params]) => ({ request: { method, params } }));
  it.each([
    ['before it is initialized', 'initialize'],
    ['during a call', 'textDocument/definition'],
    ['while it shuts down', 'shutdown'],
  ])('%s', async (_moment, method) => {
    const bridge = await open({ rules: [{ on: { method, nth: 1 }, do: asking }] });
    await expectInOrder(bridge);
    await bridge.close();
    const told = answers(bridge);
    expect(told).toHaveLength(requests.length);
    for (const [index, [asked, , answer]] of requests.entries()) {
      expect(told[index], asked).toMatchObject(answer);
    }
    expect(methodsSent(bridge).slice(-2)).toEqual(['shutdown', 'exit']);
  });

  it('though its params are of no type that makes sense', async () => {
    const odd = [null, 7, 'x', [], { items: 7, registrations: {}, unregisterations: 'x', edit: [] }];
    const methods = requests.map(([method]) => method);
    const actions = methods.flatMap((method) => odd.map((params) => ({ request: { method, params } })));
    const bridge = await open(whenAsked(...actions));
    await expectInOrder(bridge);
    expect(answers(bridge)).toHaveLength(actions.length);
    expect(bridge.pids()).toHaveLength(1);
  });
});

describe('PRO-14 a flood of requests', () => {
  const configuration = { method: 'workspace/configuration', params: { items: [{}] } };

  it('of 10,000 at once is answered, and so is ours among them', async () => {
    const bridge = await open(whenAsked({ request: { ...configuration, times: 10_000 } }));
    await expectInOrder(bridge);
    expect(answers(bridge)).toHaveLength(10_000);
    expect(bridge.pids()).toHaveLength(1);
  });

  it('while megabytes wait for a server that reads slowly wedges neither side', async () => {
    const large = 'word '.repeat(200_000);
    const names = Array.from({ length: 6 }, (_, index) => `large${index}.txt`);
    const files = { 'a.txt': 'function alpha\n', 'b.txt': 'alpha is used\n' };
    const slow: FakeScript = {
      rules: [
        { on: { method: 'initialized' }, do: [{ slowReader: { everyMs: 1 } }] },
        {
          on: { method: 'textDocument/didOpen' },
          do: [{ request: { ...configuration, times: 150, wait: false } }],
        },
      ],
    };
    const bridge = await open(slow, { ...files, ...Object.fromEntries(names.map((name) => [name, large])) });
    const outlines = names.map((file_path) => bridge.call('get_document_symbols', { file_path }));
    await expectInOrder(bridge);
    for (const { isError } of await Promise.all(outlines)) expect(isError).toBe(false);
    // The last reply comes after the last request, so the next call finds all answers sent.
    await expectInOrder(bridge);
    const opened = methodsSent(bridge).filter((method) => method === 'textDocument/didOpen');
    expect(opened.length).toBeGreaterThan(names.length);
    expect(answers(bridge)).toHaveLength(150 * opened.length);
    expect(bridge.pids()).toHaveLength(1);
  });
});

describe('PRO-15 registrations', () => {
  const later = { id: 'later', method: 'textDocument/definition' };
  it.each<[string, readonly Action[]]>([
    ['twice under one id', [register(later), register(later)]],
    [
      'of a method that lspan does not have',
      [register({ id: 'x', method: 'textDocument/colour' }), register(later)],
    ],
    [
      'beside one that is taken back and never was',
      [unregister({ id: 'never', method: 'x' }), register(later)],
    ],
  ])('%s are answered with null, and what they announce can be asked at once', async (_what, actions) => {
    const bridge = await open({
      capabilities: { definitionProvider: null },
      rules: [{ on: { method: 'textDocument/hover' }, do: actions }],
    });
    expect((await ask(bridge)).data).toMatchObject({ error: { code: 'not_supported' } });
    await bridge.call('get_hover', question.input);
    expect(answers(bridge).map(({ result }) => result)).toEqual(actions.map(() => null));
    await expectInOrder(bridge);
  });
});

describe('PRO-24 what a server would have a person see', () => {
  const wishes: readonly Action[] = [
    { request: { method: 'window/showDocument', params: { uri: 'https://example.org', external: true } } },
    { request: { method: 'window/showDocument', params: { uri: 'file:///etc/passwd', takeFocus: true } } },
    {
      request: {
        method: 'window/showMessageRequest',
        params: { type: 1, message: 'Run?', actions: [{ title: 'Run' }] },
      },
    },
    { notify: { method: 'telemetry/event', params: { url: 'https://example.org' } } },
    { notify: { method: 'window/showMessage', params: { type: 1, message: 'Open https://example.org' } } },
  ];

  it('starts no process, opens nothing, and is answered with no', async () => {
    const bridge = await open(whenAsked(...wishes));
    await bridge.call('get_hover', question.input);
    const before = children();
    await expectInOrder(bridge);
    expect(children()).toEqual(before);
    expect(answers(bridge).map(({ result }) => result)).toEqual([
      { success: false },
      { success: false },
      null,
    ]);
  });

  it('and links to commands in a hover lead nowhere', async () => {
    const value = 'Words. [Run](command:go.test?%5B%5D) <command:x>';
    const hover: Action = { replyValue: { contents: { kind: 'markdown', value } } };
    const bridge = await open({ rules: [{ on: { method: 'textDocument/hover' }, do: [hover] }] });
    const { text, data } = await bridge.call('get_hover', question.input);
    for (const shown of [text, JSON.stringify(data)]) {
      expect(shown).toContain('[Run](#command:go.test?%5B%5D) <#command:x>');
    }
  });
});

it('PRO-26 no command is run for a hover, an outline, a request of the server or the input of a tool', async () => {
  const command = { title: 'Run', command: 'evil.run', arguments: ['x'] };
  const offer: FakeScript = {
    capabilities: {
      executeCommandProvider: { commands: ['evil.run'] },
      codeActionProvider: true,
      codeLensProvider: {},
    },
    rules: [
      { on: { method: 'initialized' }, do: [register({ id: 'c', method: 'workspace/executeCommand' })] },
      {
        on: { method: 'textDocument/documentSymbol' },
        do: [{ replyValue: [{ name: 'alpha', kind: 12, command, range, selectionRange: range }] }],
      },
      {
        on: { method: 'textDocument/hover' },
        do: [{ replyValue: { contents: '[x](command:evil.run)', command } }],
      },
      {
        on: { method: 'textDocument/definition' },
        do: [{ request: { method: 'workspace/executeCommand', params: command } }],
      },
    ],
  };
  const bridge = await open(offer);
  const [surface] = surfaces;
  const inputs = [
    question.input,
    { file_path: 'b.txt' },
    { query: 'alpha' },
    {},
    { ...question.input, command },
  ];
  for (const { name } of surface?.tools ?? []) for (const input of inputs) await bridge.call(name, input);
  expect(methodsSent(bridge)).toContain('textDocument/hover');
  expect(methodsSent(bridge)).not.toContain('workspace/executeCommand');
  expect(answers(bridge)).toContainEqual(
    expect.objectContaining({ error: expect.objectContaining(unknown.error) }),
  );
});

const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };

function register(entry: object): Action {
  return { request: { method: 'client/registerCapability', params: { registrations: [entry] } } };
}

function unregister(entry: object): Action {
  return { request: { method: 'client/unregisterCapability', params: { unregisterations: [entry] } } };
}

/** The processes that this one has started and that are still there. */
function children(): string[] {
  return readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );
}

describe('settings', () => {
  const params = { items: [{ section: 'known' }] };
  const message = { type: 3, message: 'Found 1 source file' };
  const asking: FakeScript = {
    rules: [
      {
        on: { method: 'initialized' },
        do: [
          { request: { method: 'workspace/configuration', params } },
          { notify: { method: 'window/logMessage', params: message } },
        ],
      },
    ],
  };
  it.each([
    ['fake', true],
    // It asks for them whenever it starts, and would load the project once more.
    ['pyright', false],
  ])('are answered, and sent too where the server may not ask: %s, %j', async (id, areSent) => {
    const bridge = await openTestBridge({ servers: { [id]: { lives: [asking], settings } } });
    await bridge.call('get_document_symbols', { file_path: 'a.txt' });
    const sent = bridge.traced.all.flatMap((one) => (one.direction === 'to_server' ? [one.message] : []));
    expect(sent).toContainEqual(expect.objectContaining({ result: [{ setting: 1 }] }));
    expect(JSON.stringify(sent).includes('workspace/didChangeConfiguration')).toBe(areSent);
  });
});
