import { describe, expect, it, vi } from 'vitest';
import type { ConfiguredLimits } from '../../src/config/config.ts';
import { defaultConfig } from '../../src/config/default-config.ts';
import { userSchema } from '../../src/config/schema/schema.ts';
import { limits } from '../../src/core/limits.ts';
import type { Action } from '../fake-server/script.ts';
import {
  ask,
  expectError,
  expectInOrder,
  openTestBridge,
  question,
  type TestSetting,
} from '../test-bridge.ts';

vi.mock('../../src/servers/index.ts', () => ({ servers: [] }));

function open(set: Partial<ConfiguredLimits>, setting: TestSetting = {}) {
  return openTestBridge({ ...setting, config: { limits: { ...defaultConfig.limits, ...set } } });
}

describe('a limit acts:', () => {
  it('servers_running: the second server replaces the first', async () => {
    const servers = { one: { extensions: ['txt'] }, two: { extensions: ['md'] } };
    const files = { 'a.txt': 'function alpha\n', 'b.txt': 'alpha\n', 'c.md': 'function beta\n' };
    const states = async (running: number) => {
      const bridge = await open({ running }, { servers, files });
      await expectInOrder(bridge);
      await bridge.call('get_document_symbols', { file_path: 'c.md' });
      const { servers: told } = (await bridge.call('get_server_status', {})).data;
      return told;
    };
    const statesOf = (one: string, two: string) =>
      expect.arrayContaining([
        expect.objectContaining({ id: 'one', state: one }),
        expect.objectContaining({ id: 'two', state: two }),
      ]);
    expect(await states(1)).toEqual(statesOf('stopped', 'running'));
    expect(await states(2)).toEqual(statesOf('running', 'running'));
  });

  it('servers_memory_mb: the second server replaces the first if both do not fit', async () => {
    const servers = { one: { extensions: ['txt'] }, two: { extensions: ['md'] } };
    const files = { 'a.txt': 'function alpha\n', 'b.txt': 'alpha\n', 'c.md': 'function beta\n' };
    const states = async (memoryOfAll: number) => {
      const bridge = await open({ memoryOfAll }, { servers, files });
      await expectInOrder(bridge);
      await bridge.call('get_document_symbols', { file_path: 'c.md' });
      const { servers: told } = (await bridge.call('get_server_status', {})).data;
      return told;
    };
    const { newcomer } = limits.memoryBudget;
    const statesOf = (one: string) =>
      expect.arrayContaining([
        expect.objectContaining({ id: 'one', state: one }),
        expect.objectContaining({ id: 'two', state: 'running' }),
      ]);
    expect(await states(1.9 * newcomer)).toEqual(statesOf('stopped'));
    expect(await states(4 * newcomer)).toEqual(statesOf('running'));
  });

  it('idle_stop_s: a server without questions is stopped', async () => {
    const bridge = await open({ idle: 300 });
    await expectInOrder(bridge);
    await bridge.sent('exit');
    await expectInOrder(bridge);
    expect(bridge.pids().length).toBeGreaterThan(1);
  });

  it('diagnostics_s and diagnostics_cold_s: they end the wait for diagnostics that are not published', async () => {
    // Silence as long as the deadline would end in another error.
    const silent = { lives: [{ diagnostics: 'none' }] } as const;
    const setting = { files: { 'a.txt': 'ERROR_a\n' }, deadline: 600_000 };
    const ready = { kind: 'immediate' } as const;
    const warm = await open({ diagnostics: 0 }, { ...setting, servers: { fake: { ...silent, ready } } });
    const cold = await open({ diagnosticsCold: 0 }, { ...setting, servers: { fake: silent } });
    for (const bridge of [warm, cold])
      expect((await bridge.call('get_diagnostics', { file_path: 'a.txt' })).data).toMatchObject({
        complete: false,
      });
  });

  it('document_mb: a file of that size is read, a larger one is not', async () => {
    const files = { 'most.txt': 'x'.repeat(20_480), 'more.txt': 'x'.repeat(20_481) };
    const bridge = await open({ document: 20_480 }, { files });
    const outline = (file_path: string) => bridge.call('get_document_symbols', { file_path });
    expect((await outline('most.txt')).isError).toBe(false);
    expectError(await outline('more.txt'), 'limit_exceeded', /larger than 0\.0195 MiB/);
  });

  it('page_items: that many results are listed, and the rest is counted', async () => {
    const files = { 'a.txt': 'function alpha\n', 'b.txt': 'alpha alpha\n' };
    const found = async (page: number) => {
      const bridge = await open({ page }, { files, servers: { fake: { ready: { kind: 'immediate' } } } });
      return (await bridge.call('find_references', { file_path: 'a.txt', line: 1, character: 10 })).data;
    };
    expect(await found(2)).toMatchObject({ total: 3, returned: 2 });
    expect(await found(3)).toMatchObject({ total: 3, returned: 3 });
  });

  it('deadlines_s: one tool has its own deadline', async () => {
    const never: Action = { never: true };
    const lives = [{ rules: [{ on: { method: 'textDocument/hover' }, do: [never] }] }];
    const bridge = await openTestBridge({
      servers: { fake: { lives } },
      config: { deadlines: { get_hover: 1_000 } },
    });
    await expectInOrder(bridge);
    expectError(await bridge.call('get_hover', question.input), 'timed_out', /within 1 s/);
    expect((await ask(bridge)).isError).toBe(false);
  });
});

describe('a number can be set to its bounds and not beyond:', () => {
  const { configuration } = limits;
  const mebibyte = 1024 ** 2;
  it.each<[string, number, number]>([
    ['max_tokens', configuration.tokensLeast, limits.tokens.most],
    ['deadline_s', 1, configuration.deadlineMost / 1000],
    ['deadlines_s.find_references', 1, configuration.deadlineMost / 1000],
    ['limits.servers_running', 1, configuration.serversMost],
    ['limits.idle_stop_s', 1, configuration.idleMost / 1000],
    ['limits.memory_mb', configuration.memoryLeast / mebibyte, configuration.memoryMost / mebibyte],
    ['limits.servers_memory_mb', 0, configuration.memoryMost / mebibyte],
    ['limits.readiness_s', 0, configuration.deadlineMost / 1000],
    ['limits.diagnostics_s', 0, configuration.deadlineMost / 1000],
    ['limits.diagnostics_cold_s', 0, configuration.deadlineMost / 1000],
    ['limits.document_mb', configuration.documentLeast / mebibyte, limits.document / mebibyte],
    ['limits.page_items', 1, limits.results.page],
    ['limits.answers_mb', 0, configuration.answersMost / mebibyte],
    ['servers.initialize_timeout_s', 1, configuration.initializeMost / 1000],
    ['servers.start_attempts', 1, limits.restart.crashes],
    ['servers.timeouts.hover', 0.1, configuration.deadlineMost / 1000],
    ['servers.rank', -configuration.rankMost, configuration.rankMost],
    ['servers.diagnostics_quiet_ms', 0, configuration.quietMost],
    ['servers.memory_mb', configuration.memoryLeast / mebibyte, configuration.memoryMost / mebibyte],
  ])('%s from %d to %d', (key, least, most) => {
    const step = Number.isInteger(least) ? 1 : 0.001;
    const accepted = [least - step, least, most, most + 1].map(
      (value) => userSchema.safeParse(holding(key, value)).success,
    );
    expect(accepted).toEqual([false, true, true, false]);
  });
});

/** A user's file that sets one key. */
function holding(key: string, value: unknown): object {
  const [first = '', ...rest] = key.split('.');
  const inner = rest.reduceRight<unknown>((held, part) => ({ [part]: held }), value);
  return first === 'servers' ? { servers: [Object.assign({ id: 'a' }, inner)] } : { [first]: inner };
}
