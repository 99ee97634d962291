import { describe, expect, it } from 'vitest';
import { Readiness } from '../../../../src/backends/lsp/session/readiness.ts';
import { servers } from '../../../../src/servers/index.ts';

type Said = readonly [method: string, params: unknown, ready: boolean];

const progress = (kind: 'begin' | 'report' | 'end', title: string, token = 1): [string, unknown] => [
  '$/progress',
  { token, value: { kind, title } },
];
const log = (message: string): [string, unknown] => ['window/logMessage', { type: 3, message }];
const status = (params: object): [string, unknown] => ['experimental/serverStatus', params];
const phase = (type: string, message: string): [string, unknown] => ['language/status', { type, message }];
const problems: [string, unknown] = [
  'textDocument/publishDiagnostics',
  { uri: 'file:///a', diagnostics: [] },
];

/** What servers say one after the other, each with whether they are ready by then. */
const signals: Readonly<Record<string, readonly Said[]>> = {
  'rust-analyzer': [
    [...status({ health: 'ok', quiescent: false }), false],
    [...progress('end', 'Fetching'), false],
    [...status({ health: 'ok', quiescent: true }), true],
    [...status({ health: 'warning', quiescent: false, message: 'x' }), false],
    [...status({ health: 'warning', quiescent: true, message: 'x' }), true],
  ],
  gopls: [
    [...progress('begin', 'Setting up workspace'), false],
    [...progress('begin', 'Setting up workspace', 2), false],
    [...progress('end', '', 1), false],
    [...progress('end', '', 2), true],
    [...progress('begin', 'Diagnosing', 3), true],
  ],
  pyright: [
    [...log('Pyright language server starting'), false],
    [...log('Found 12 source files'), true],
  ],
  basedpyright: [[...log('No source files found.'), true]],
  'typescript-language-server': [
    [...progress('begin', 'Initializing JS/TS language features…'), false],
    [...progress('end', ''), true],
    [...progress('begin', 'Initializing JS/TS language features…', 2), false],
  ],
  vtsls: [
    [...progress('begin', "Analyzing 'a.ts' and its dependencies"), false],
    [...problems, false],
    [...progress('end', ''), true],
    [...progress('begin', "Initializing 'one/tsconfig.json'", 2), false],
    [...progress('begin', "Initializing 'two/tsconfig.json'", 3), false],
    [...progress('end', '', 3), true],
    [...progress('end', '', 2), true],
  ],
  jdtls: [
    [...phase('Starting', '12% Starting Java Language Server'), false],
    [...phase('Started', 'Ready'), false],
    [...phase('ServiceReady', 'ServiceReady'), true],
    [...phase('ProjectStatus', 'OK'), true],
    [...phase('Message', 'Building'), true],
  ],
  dart: [
    [...progress('begin', 'Analyzing…'), false],
    [...progress('end', ''), true],
    [...progress('begin', 'Analyzing…', 2), false],
  ],
  'ruby-lsp': [
    [...progress('begin', 'Ruby LSP: indexing files'), false],
    [...progress('end', ''), true],
  ],
  intelephense: [
    [...progress('begin', 'Intelephense 1.18.5 indexing'), false],
    [...progress('end', ''), true],
  ],
  'lua-language-server': [
    [...problems, true],
    [...progress('begin', 'Loading workspace'), false],
    [...progress('end', ''), true],
  ],
  biome: [
    [...progress('begin', 'Biome is scanning the project. This may take a while'), false],
    [...progress('end', ''), true],
  ],
  'bash-language-server': [[...log('BackgroundAnalysis: Completed after 0.1 seconds.'), true]],
  'some-sass-language-server': [[...log('Initial scan finished'), true]],
  oxlint: [['client/registerCapability', { registrations: [] }, true]],
};

describe('readiness', () => {
  it.each(Object.entries(signals))('is told by %s in its own way', (id, said) => {
    const readiness = readinessOf(id);
    for (const [method, params, ready] of said) {
      readiness.onMessage(method, params);
      expect({ params, known: readiness.isReady }).toEqual({ params, known: ready });
    }
  });

  it('has what is told last of what is still under way, with its share', () => {
    const readiness = readinessOf('gopls');
    const tell = (token: number, value: object) => readiness.onMessage('$/progress', { token, value });
    tell(1, { kind: 'begin', title: 'Setting up workspace' });
    expect(readiness.doing).toBe('Setting up workspace');
    tell(1, { kind: 'report', percentage: 41.6 });
    expect(readiness.doing).toBe('Setting up workspace: 42 %');
    tell(2, { kind: 'begin', title: 'Roots', message: '1/40' });
    tell(2, { kind: 'report', message: '2/40\n(serde)' });
    expect(readiness.doing).toBe('Roots: 2/40 (serde)');
    tell(2, { kind: 'end' });
    expect(readiness.doing).toBe('Setting up workspace: 42 %');
    expect(readiness.loadingFor).toBeGreaterThan(0);
    tell(1, { kind: 'end' });
    expect(readiness.doing).toBeUndefined();
    expect(readiness.loadingFor).toBe(0);
  });

  it('of jdtls tells what it does and what went wrong', () => {
    const readiness = readinessOf('jdtls');
    readiness.onMessage(...phase('Starting', '12% Starting'));
    expect(readiness.doing).toBe('12% Starting');
    readiness.onMessage(...phase('Error', 'Initialization failed'));
    expect(readiness.trouble).toBe('Initialization failed');
  });
});

it('gopls: that modules are nested is no trouble, since it says so only once a file of one was opened', () => {
  const readiness = readinessOf('gopls');
  const error = (token: number, message: string): [string, unknown] => [
    '$/progress',
    { token, value: { kind: 'begin', title: 'Error loading workspace', message } },
  ];
  readiness.onMessage(...error(1, 'You have opened a nested module.'));
  expect(readiness.trouble).toBeUndefined();
  readiness.onMessage(...error(2, 'go.mod: missing go.sum entry'));
  expect(readiness.trouble).toBe('go.mod: missing go.sum entry');
});

function readinessOf(id: string): Readiness {
  const ready = servers.find((server) => server.id === id)?.ready;
  if (ready === undefined || typeof ready === 'function') throw new Error(`${id} has no signal of its own.`);
  return new Readiness(ready);
}
