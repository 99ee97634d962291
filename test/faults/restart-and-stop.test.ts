import { describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import type { Action, FakeScript } from '../fake-server/script.ts';
import { ask, expectError, expectInOrder, openTestBridge } from '../test-bridge.ts';

const definition = 'textDocument/definition';
const during = (...does: Action[]): FakeScript => ({ rules: [{ on: { method: definition }, do: does }] });
const dead = { before: 'echo bang >&2; exit 3' };

describe('a restart', () => {
  it('ends the process and starts another, which then answers', async () => {
    const bridge = await openTestBridge();
    await expectInOrder(bridge);
    const { data, text } = await bridge.call('restart_server', { server: 'fake' });
    const [first, second] = bridge.pids();
    expect(data).toMatchObject({ servers: [{ id: 'fake', outcome: 'restarted', pid: second }] });
    expect(text).toMatch(new RegExp(`^fake: restarted, now \\w+, pid ${second}\\.$`));
    expect(first).not.toBe(second);
    await expectInOrder(bridge);
    expect(bridge.pids()).toHaveLength(2);
  });

  it('gives a server that is left alone another chance', async () => {
    const bridge = await openTestBridge({
      servers: {
        fake: {
          before: `[ "$(wc -l < "$0" 2>/dev/null || echo 0)" -ge ${limits.restart.crashes} ] || { echo $$ >> "$0"; exit 3; }`,
        },
      },
    });
    for (let crash = 1; crash <= limits.restart.crashes; crash += 1) await ask(bridge);
    expectError(await ask(bridge), 'server_crashed', /can restart in/);
    const { data } = await bridge.call('restart_server', {});
    expect(data).toMatchObject({ servers: [{ id: 'fake', outcome: 'restarted' }] });
    await expectInOrder(bridge);
  });

  it('that fails for one server is told with the reason, and the others are restarted', async () => {
    const broken = { ...dead, extensions: ['md'] };
    const bridge = await openTestBridge({
      files: { 'a.txt': 'function alpha\n', 'b.txt': 'alpha\n', 'c.md': 'alpha\n' },
      servers: { fake: {}, broken },
    });
    await expectInOrder(bridge);
    expectError(
      await bridge.call('get_hover', { file_path: 'c.md', line: 1, character: 1 }),
      'server_crashed',
    );
    const { data, text, isError } = await bridge.call('restart_server', {});
    expect(isError).toBe(false);
    expect(data).toMatchObject({
      servers: [
        { id: 'broken', outcome: 'failed', state: 'crashed', error: expect.stringMatching(/code 3/) },
        { id: 'fake', outcome: 'restarted' },
      ],
    });
    expect(text).toMatch(/^broken: failed: .*code 3/);
  });

  it('starts nothing that does not run, and says when it starts', async () => {
    const bridge = await openTestBridge();
    const { text } = await bridge.call('restart_server', { language: 'txt' });
    expect(text).toBe('fake: not running (not started). The next question that needs it starts it.');
    expect((await bridge.call('restart_server', {})).text).toMatch(/^No server runs or has crashed/);
    expect(bridge.pids()).toEqual([]);
  });
});

describe('a stop', () => {
  it.each([{}, { server: 'fake' }, { server: 'txt' }, { extensions: ['.txt'] }])(
    'by %j ends the process, and the next question starts another',
    async (selector) => {
      const bridge = await openTestBridge();
      await expectInOrder(bridge);
      const { data, text } = await bridge.call('stop_server', selector);
      expect(data).toMatchObject({ servers: [{ id: 'fake', outcome: 'stopped', state: 'stopped' }] });
      expect(text).toBe('fake: stopped. The next question that needs it starts it again.');
      await expectInOrder(bridge);
      expect(bridge.pids()).toHaveLength(2);
    },
  );

  it.each([
    ['never answers', [{ never: true }]],
    ['answers with nothing when it is told to end', [{ waitFor: 'shutdown' }, { replyValue: [] }]],
  ] satisfies [string, Action[]][])(
    'ends a question that a server %s with an error, never with nothing',
    async (_what, does) => {
      const bridge = await openTestBridge({ servers: { fake: { lives: [during(...does), {}] } } });
      const asked = ask(bridge);
      await bridge.sent(definition);
      expect((await bridge.call('stop_server', {})).isError).toBe(false);
      expectError(await asked, 'cancelled', /fake was stopped/, /restarts the server/);
      await expectInOrder(bridge);
    },
  );

  it('ends a server that still starts', async () => {
    const silent: FakeScript = { rules: [{ on: { method: 'initialize' }, do: [{ never: true }] }] };
    const bridge = await openTestBridge({ servers: { fake: { lives: [silent, {}] } } });
    const asked = ask(bridge);
    // One that is ended before it has noted its life would leave it to the next.
    await expect.poll(() => bridge.received().length).toBe(1);
    expect((await bridge.call('stop_server', {})).data).toMatchObject({ servers: [{ outcome: 'stopped' }] });
    expectError(await asked, 'cancelled', /fake was stopped/);
    await expectInOrder(bridge);
  });

  it('ends a check of edits under way, and what follows is of the disk', async () => {
    const never: FakeScript = {
      rules: [{ on: { method: 'textDocument/diagnostic', nth: 2 }, do: [{ never: true }] }],
    };
    const bridge = await openTestBridge({ servers: { fake: { lives: [never, {}] } } });
    const edits = [{ file_path: 'a.txt', old_text: 'function alpha', new_text: 'function gamma' }];
    const checked = bridge.call('check_edits', { candidates: [{ id: 'a', edits }] });
    await bridge.sent('textDocument/diagnostic', 2);
    expect((await bridge.call('stop_server', {})).isError).toBe(false);
    const { data } = await checked;
    const unsettled = { settled: false, unsettled_because: ['fake was stopped.'] };
    expect(data).toMatchObject({ candidates: [unsettled] });
    await expectInOrder(bridge);
  });

  it('of what does not run says so', async () => {
    const bridge = await openTestBridge();
    expect((await bridge.call('stop_server', {})).text).toBe('No server runs.');
    expect((await bridge.call('stop_server', { server: 'fake' })).text).toMatch(/^fake: not running/);
  });
});

it.each(['restart_server', 'stop_server'])(
  '%s of an unknown server lists those that are known',
  async (tool) => {
    const bridge = await openTestBridge();
    for (const selector of [{ server: 'fak' }, { language: 'cobol' }, { extensions: ['cob'] }])
      expectError(await bridge.call(tool, selector), 'invalid_input', /fake \(txt\)/);
  },
);

it('the status of one server tells what it answers, beside the version of lspan', async () => {
  const bridge = await openTestBridge();
  await expectInOrder(bridge);
  const closely = await bridge.call('get_server_status', { server: 'fake' });
  expect(closely.text).toMatch(/^lspan \d+\.\d+\.\d+\S*, workspace \//);
  expect(closely.text).toMatch(/\n {2}answers definition, .*completions, signatures, hints/);
  expect((await bridge.call('get_server_status', {})).text).not.toMatch(/answers definition/);
});
