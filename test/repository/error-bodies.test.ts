import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openBridge } from '../../src/bridge.ts';
import { asLspanError } from '../../src/core/errors.ts';
import { silent } from '../../src/core/log.ts';
import { fail } from '../../src/tools/run/render-error.ts';
import type { Outcome } from '../../src/tools/run/tool.ts';
import type { FakeScript } from '../fake-server/script.ts';
import { openTestBridge, type TestBridge, type TestSetting, temporaryFolder } from '../test-bridge.ts';

const place = { file_path: 'a.txt', line: 1, character: 10 };
const hover = (bridge: TestBridge) => bridge.call('get_hover', place);
const on = (method: string, ...actions: NonNullable<FakeScript['rules']>[number]['do']): TestSetting => ({
  servers: { fake: { lives: [{ rules: [{ on: { method }, do: actions }] }] } },
});
const never = { never: true } as const;

/** How each code is met, by the words of its test. */
const provoked: Readonly<
  Record<string, { setting?: () => TestSetting; ask: (bridge: TestBridge) => Promise<Outcome> }>
> = {
  invalid_input: { ask: (bridge) => bridge.call('get_hover', { file_path: 'a.txt', colour: 'red' }) },
  outside_workspace: { ask: (bridge) => bridge.call('get_hover', { ...place, file_path: '/etc/passwd' }) },
  not_found: { ask: (bridge) => bridge.call('get_hover', { ...place, file_path: 'none.txt' }) },
  ambiguous: {
    setting: () => ({
      ...on('textDocument/definition', { emptyResult: true }),
      files: { 'a.txt': 'function alpha\n', 'b.txt': 'function alpha\n' },
    }),
    ask: (bridge) => bridge.call('find_definition', { symbol_name: 'alpha' }),
  },
  not_supported: {
    setting: () => ({ servers: { fake: { lives: [{ capabilities: { hoverProvider: null } }] } } }),
    ask: hover,
  },
  not_installed: {
    setting: () => ({ servers: { none: { command: [path.join(homeOf(), 'bin/none'), '--stdio'] } } }),
    ask: hover,
  },
  timed_out: {
    setting: () => ({ ...on('textDocument/hover', never), config: { deadlines: { get_hover: 1_000 } } }),
    ask: async (bridge) => {
      // So that the time is not spent on the start of the server.
      await bridge.call('get_document_symbols', { file_path: 'a.txt' });
      return hover(bridge);
    },
  },
  cancelled: {
    setting: () => on('textDocument/hover', never),
    ask: async (bridge) => {
      const controller = new AbortController();
      const answer = bridge.call('get_hover', place, { signal: controller.signal });
      await bridge.sent('textDocument/hover');
      controller.abort();
      return answer;
    },
  },
  server_crashed: {
    setting: () => on('textDocument/hover', { exit: { code: 3 } }),
    ask: hover,
  },
  server_unverified: {
    setting: () => on('textDocument/references', { emptyResult: true }),
    ask: (bridge) => bridge.call('find_references', place),
  },
  refused: {
    setting: () => ({ servers: { vue: { lives: [{}] } } }),
    ask: (bridge) => bridge.call('get_document_symbols', { file_path: 'a.txt' }),
  },
  limit_exceeded: {
    setting: () => ({ files: { 'a.txt': 'a'.repeat(5 * 1024 * 1024) } }),
    ask: hover,
  },
};

function homeOf(): string {
  return process.env.HOME ?? '';
}

/** A home of a user with a name that stands nowhere else. */
function moveHome(): void {
  const before = { HOME: process.env.HOME, USER: process.env.USER };
  process.env.HOME = path.join(temporaryFolder('lspan-home-'), 'cassandra');
  process.env.USER = 'cassandra';
  onTestFinished(() => void Object.assign(process.env, before));
}

it.each(Object.entries(provoked))(
  'INF-04 the error %s tells nothing of the machine',
  async (code, { setting, ask }) => {
    moveHome();
    const bridge = await openTestBridge(setting?.());
    const outcome = await ask(bridge);
    expect(outcome.data).toMatchObject({ error: { code } });
    expectDiscreet(outcome, bridge.root);
  },
);

it('INF-04 nor does what nobody foresaw', () => {
  moveHome();
  const thrown = new Error(`EACCES: permission denied, open '${homeOf()}/key'`);
  expectDiscreet(fail(asLspanError(thrown)), '');
});

it('INF-04 nor does a server whose last words are a stack with a path', async () => {
  moveHome();
  const words = `Error: no\\n    at Object.<anonymous> (${homeOf()}/server.js:1:1)`;
  const command = ['/bin/sh', '-c', `printf '${words}\\n' >&2; exit 1`];
  const bridge = await openTestBridge({ servers: { talker: { command } } });
  const outcome = await hover(bridge);
  expect(outcome.data).toMatchObject({ error: { code: 'server_crashed' } });
  expect(outcome.text).not.toContain('cassandra');
});

it('INF-04 nor does a call without a workspace, or of a tool that is not there', async () => {
  moveHome();
  const bridge = await openBridge({ roots: [], surface: 'lspan', log: silent });
  const outcome = await bridge.call('get_hover', place);
  expect(outcome.data).toMatchObject({ error: { code: 'outside_workspace' } });
  expectDiscreet(outcome, '');
  const other = await openTestBridge();
  expectDiscreet(await other.call('no_such_tool', {}), other.root);
});

/** No stack, no home, no user's name, no list of roots, and no absolute path but those that the call itself named. */
function expectDiscreet({ text, data }: Outcome, root: string): void {
  const told = `${text}\n${JSON.stringify(data)}`;
  expect(told).not.toMatch(/\n\s+at |node:internal|\.ts:\d|\.js:\d/);
  expect(told).not.toContain('cassandra');
  if (root !== '') expect(told).not.toContain(root);
  const paths = told.match(/(?<![\w~.])\/[\w.-]+\/[\w./-]*/g) ?? [];
  expect(paths.filter((each) => each !== '/etc/passwd')).toEqual([]);
}
