import { describe, expect, it, vi } from 'vitest';
import type { FakeScript } from '../fake-server/script.ts';
import { ask, expectInOrder, openTestBridge, type TestServer } from '../test-bridge.ts';

vi.mock('../../src/servers/index.ts', () => import('./definitions.ts'));

const status = 'get_server_status';
const missing = (more: Partial<TestServer>): TestServer => ({ command: ['/nowhere/to/be/found'], ...more });

describe('the status of a server', () => {
  it('tells how it last ended, when, after how long, and what it said last', async () => {
    const words: FakeScript = {
      rules: [
        {
          on: { method: 'textDocument/definition' },
          do: [{ stderr: { bytes: 320, newline: true } }, { exit: { code: 5 } }],
        },
      ],
    };
    const bridge = await openTestBridge({ servers: { fake: { lives: [words] } } });
    await ask(bridge);
    const { data, text } = await bridge.call(status, {});
    expect(data).toMatchObject({
      servers: [
        {
          state: 'crashed',
          restarts: 2,
          last_exit: { how: 'code 5', seconds_ago: expect.any(Number), lived_seconds: expect.any(Number) },
          last_errors: [expect.stringContaining('fake exited unexpectedly with code 5.')],
          last_stderr: Array.from({ length: 4 }, () => 'e'.repeat(79)),
          daemons_ended: [],
        },
      ],
    });
    expect(text).toMatch(/last exit: code 5, \d+ s ago, after \d+ s/);
    expect(text).toMatch(/stderr: e{79}/);
  });

  it('tells the last words also of one that never got up', async () => {
    const bridge = await openTestBridge({ servers: { fake: { before: 'echo "no cheese" >&2; exit 3' } } });
    await ask(bridge);
    expect((await bridge.call(status, {})).data).toMatchObject({
      servers: [{ state: 'crashed', last_exit: { how: 'code 3' }, last_stderr: ['no cheese'] }],
    });
  });

  it('tells for how long it is left alone', async () => {
    const bridge = await openTestBridge({ servers: { fake: { before: 'exit 3' } } });
    for (let crash = 0; crash < 5; crash += 1) await ask(bridge);
    const { data, text } = await bridge.call(status, {});
    expect(data).toMatchObject({ servers: [{ state: 'crashed', left_alone_seconds: expect.any(Number) }] });
    expect(text).toMatch(/can restart in \d+ s/);
  });
});

describe('the status of a running server', () => {
  const begins: FakeScript = {
    rules: [
      {
        on: { method: 'initialized' },
        do: [
          { progress: { token: 1, kind: 'begin', title: 'Loading' } },
          { progress: { token: 1, kind: 'report', message: '3 of 7' } },
        ],
      },
    ],
  };

  it('tells what it is loading, and for how long', async () => {
    const bridge = await openTestBridge({
      deadline: 2_000,
      servers: { loading: { lives: [begins] } },
    });
    await ask(bridge);
    await bridge.traced.nth(({ message }) => JSON.stringify(message).includes('3 of 7'));
    const { data, text } = await bridge.call(status, {});
    expect(data).toMatchObject({
      servers: [{ state: 'indexing', doing: 'Loading: 3 of 7', indexing_seconds: expect.any(Number) }],
    });
    expect(text).toMatch(/^loading \(.*\): indexing for \d+ s \(Loading: 3 of 7\), .*pid/m);
  });

  it('tells why its answers may be incomplete as long as it runs, and what it complains of', async () => {
    const broken: FakeScript = {
      rules: [
        { on: { method: 'initialized' }, do: [{ notify: { method: '$/status', params: { broken: true } } }] },
      ],
    };
    const bridge = await openTestBridge({ servers: { complaining: { lives: [broken] } } });
    await ask(bridge);
    const { data, text } = await bridge.call(status, {});
    const detail = 'complaining reports: The project is broken.';
    expect(data).toMatchObject({ servers: [{ doubts: [{ kind: 'project_not_loaded', detail }] }] });
    expect(text).toContain(`  answers may be incomplete (project_not_loaded): ${detail}`);
  });
});

describe('the status of many servers', () => {
  const servers: Record<string, TestServer> = {
    alpha: missing({ install: 'Buy alpha.' }),
    beta: { group: 'words', rank: 1 },
    gamma: { group: 'words', rank: 0 },
    delta: missing({ group: 'words', rank: 2, install: 'Buy delta.' }),
    epsilon: { before: 'exit 3', answers: ['hover'] },
  };

  it('shows first what an agent can act on, what is missing in one line, and what nobody misses by its name', async () => {
    const bridge = await openTestBridge({ servers });
    await bridge.call('get_hover', { file_path: 'b.txt', line: 1, character: 1 });
    const { data, text } = await bridge.call(status, {});
    expect(data).toMatchObject({
      total: 4,
      servers: [
        { id: 'epsilon', state: 'crashed' },
        { id: 'beta', state: 'running' },
        { id: 'gamma', state: 'not_started', standby_for: 'beta' },
        { id: 'alpha', state: 'not_installed', install: 'Buy alpha.' },
      ],
      also_known: ['delta'],
    });
    expect(text).toMatch(/^alpha \(.*\): not installed\. Buy alpha\.$/m);
    expect(text).toMatch(/^Also known, not installed and not needed: delta\./m);
    expect(text).not.toMatch(/Buy delta/);
  });

  it('shows one in full that is asked for, by its id or language', async () => {
    const bridge = await openTestBridge({ servers });
    const one = await bridge.call(status, { server: 'delta' });
    expect(one.data).toMatchObject({ servers: [{ id: 'delta', install: 'Buy delta.' }], also_known: [] });
    expect(one.text).toMatch(/Buy delta\./);
    const none = await bridge.call(status, { server: 'klingon' });
    expect(none.text).toMatch(/No such language server is known/);
  });

  it('fits its budget, and says what it left out', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        `s${index}`,
        missing({ install: `Buy server ${index}, and more. `.repeat(5) }),
      ]),
    );
    const bridge = await openTestBridge({ servers: { zeta: {}, ...many } });
    await expectInOrder(bridge);
    const { data, text } = await bridge.call(status, { max_tokens: 500 });
    expect(data).toMatchObject({ total: 31 });
    expect(text).toMatch(/^zeta /m);
    expect(text).toMatch(/^… 1-\d+ of 31: narrow the question, or raise max_tokens\.$/m);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(500 * 3.5);
  });
});
