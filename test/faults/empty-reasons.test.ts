import { describe, expect, it, vi } from 'vitest';
import { defaultConfig } from '../../src/config/default-config.ts';
import type { Doubt } from '../../src/core/doubts.ts';
import { noAnswerError } from '../../src/tools/target/no-answer.ts';
import type { Action, FakeScript } from '../fake-server/script.ts';
import { ask, expectError, openTestBridge, question, type TestServer } from '../test-bridge.ts';

vi.mock('../../src/servers/index.ts', () => import('./definitions.ts'));

const nothing: Action = { emptyResult: true };
const empty: FakeScript = { rules: [{ on: { method: 'textDocument/definition' }, do: [nothing] }] };
const impatient = { limits: { ...defaultConfig.limits, readiness: 300 } };
const open = (servers: Record<string, TestServer>) => openTestBridge({ servers, config: impatient });

describe('why nothing was found', () => {
  it('is told of every server that could have known', async () => {
    const bridge = await open({
      loading: { lives: [empty], rank: 2 },
      fake: { lives: [empty], rank: 1 },
      missing: { command: ['/nowhere/to/be/found'], install: 'Buy it.' },
    });
    expectError(
      await ask(bridge),
      'server_unverified',
      /loading is loading the project\. Call again/,
      /fake returned nothing and does not report/,
      /No program for missing was found.* Buy it\./,
      /Next: Call again: servers are still loading\. get_server_status shows/,
    );
  });

  it('is no matter where the next server found it by position', async () => {
    const bridge = await open({ loading: { lives: [empty], rank: 2 }, fake: { rank: 1 } });
    expect((await ask(bridge)).data).toMatchObject({ complete: true, ...question.answer });
  });

  it('is told of a name that is looked for in the whole workspace', async () => {
    const bridge = await open({ fake: {}, missing: { command: ['/nowhere'], extensions: ['md'] } });
    bridge.write('c.md', 'text, but nowhere\n');
    bridge.write('c.txt', 'nowhere\n');
    expectError(
      await bridge.call('find_definition', { symbol_name: 'nowhere' }),
      'server_unverified',
      /No symbol named "nowhere" was found, but this is not certain/,
      /fake returned nothing/,
      /No program for missing was found/,
      /Or give the `file_path`/,
    );
  });
});

describe('what to do about it', () => {
  const kinds: readonly (readonly [Doubt['kind'], boolean, RegExp])[] = [
    ['indexing', true, /Call again/],
    ['server_restarted', true, /Call again/],
    ['timed_out', true, /Call again/],
    ['server_unavailable', true, /get_server_status/],
    ['project_not_loaded', false, /Fix the server's setup/],
    ['not_trusted', false, /lspan trust/],
    ['capped', false, /more of the name/],
    ['watch_lost', false, /Search the text/],
    ['unsaved_elsewhere', true, /save the file/],
  ];
  it.each(kinds)('depends on the reason: %s', (kind, retryable, step) => {
    const error = noAnswerError('definition', { name: 'alpha' }, [{ kind, detail: 'So it is.' }]);
    expect(error).toMatchObject({ code: 'server_unverified', retryable });
    expect(error.message).toBe('No definition was found, but this is not certain: So it is.');
    expect(error.nextStep).toMatch(step);
  });

  it('is told once for each, and so is each reason', () => {
    const doubts: readonly Doubt[] = [
      { kind: 'not_trusted', detail: 'One is not run.' },
      { kind: 'indexing', detail: 'Two is loading.' },
      { kind: 'indexing', detail: 'Two is loading.' },
      { kind: 'indexing', detail: 'Three is loading.' },
    ];
    const { message, nextStep, retryable } = noAnswerError('reference', { name: 'alpha' }, doubts);
    expect(message).toMatch(/: One is not run\. Two is loading\. Three is loading\.$/);
    expect(nextStep).toBe(
      'Call again: servers are still loading. Tell the user about `lspan trust`, or search the text.',
    );
    expect(retryable).toBe(true);
  });
});
