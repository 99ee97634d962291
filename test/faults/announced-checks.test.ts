import { expect, it, vi } from 'vitest';
import type { Action, Rule } from '../fake-server/script.ts';
import { patient } from '../patient.ts';
import { openTestBridge, type TestBridge } from '../test-bridge.ts';

vi.mock('../../src/servers/index.ts', () => import('./definitions.ts'));

const publish = (version: number | undefined, ...codes: string[]): Action => ({
  notify: {
    method: 'textDocument/publishDiagnostics',
    params: {
      uri: 'file://<root>/a.txt',
      ...(version === undefined ? {} : { version }),
      diagnostics: codes.map((code) => ({
        code,
        message: code,
        range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
      })),
    },
  },
});
const begin = (token: string, title = 'Checking files'): Action => ({
  progress: { token, kind: 'begin', title },
});
const end = (token: string): Action => ({ progress: { token, kind: 'end' } });
const on = (method: string, ...actions: Action[]): Rule => ({ on: { method }, do: actions });
const [didOpen, didChange] = ['textDocument/didOpen', 'textDocument/didChange'];

/** Far more than lspan waits for another publication. */
const pause: Action = { delayMs: 400 };
const loads = on('initialized', begin('load', 'Loading'), begin('first'), end('load'));

const open = (config: typeof patient, ...rules: Rule[]) =>
  openTestBridge({
    files: { 'a.txt': 'text\n' },
    config,
    servers: { announcing: { lives: [{ diagnostics: 'none', rules: [loads, ...rules] }] } },
  });
const problems = async (bridge: TestBridge) =>
  (await bridge.call('get_diagnostics', { file_path: 'a.txt' })).data;
const changes = (bridge: TestBridge) =>
  bridge.received('announcing').filter(({ method }) => method === didChange).length;
const fresh = (...codes: string[]) => ({
  complete: true,
  doubts: [],
  files: [{ state: 'fresh' }],
  diagnostics: codes.map((code) => ({ code })),
});

it('an empty list about the file before it was opened, which comes late from the check at the start, is not its problems', async () => {
  const late = [publish(undefined), end('first'), begin('second'), pause, publish(1, 'late'), end('second')];
  const bridge = await open(patient, on(didOpen, ...late));
  expect(await problems(bridge)).toMatchObject(fresh('late'));
  expect(changes(bridge)).toBe(0);
});

it('an empty list about the present version is not the last word while an outdated check runs', async () => {
  const late = [begin('second'), publish(1), pause, end('first'), publish(1, 'late'), end('second')];
  const bridge = await open(patient, on(didOpen, ...late));
  expect(await problems(bridge)).toMatchObject(fresh('late'));
});

it('an empty list is not believed if the checks do not end', async () => {
  const short = { ...patient, limits: { ...patient.limits, diagnostics: 1_000, diagnosticsCold: 1_000 } };
  const bridge = await open(short, on(didOpen, begin('second'), publish(1)));
  expect(await problems(bridge)).toMatchObject({ complete: false, files: [{ state: 'pending' }] });
});

it.each([[[]], [['old']]])(
  'what a server said before the file was opened holds if it has ended its checks and does not repeat it: %j',
  async (codes) => {
    const bridge = await open(
      patient,
      on(didOpen, begin('second'), publish(undefined, ...codes), end('first'), end('second')),
    );
    expect(await problems(bridge)).toMatchObject(fresh(...codes));
    expect(changes(bridge)).toBe(0);
  },
);

it('a server that never speaks of a file though it checks is told a few times', async () => {
  const short = { ...patient, limits: { ...patient.limits, diagnostics: 1_000, diagnosticsCold: 1_000 } };
  const silent = [begin('next'), end('first'), end('next')];
  const bridge = await open(short, on(didOpen, ...silent), on(didChange, ...silent));
  expect(await problems(bridge)).toMatchObject({ complete: false, files: [{ state: 'pending' }] });
  expect(changes(bridge)).toBeLessThan(5);
});
