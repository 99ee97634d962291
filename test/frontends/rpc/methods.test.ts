import { describe, expect, it } from 'vitest';
import type { Doubt } from '../../../src/core/doubts.ts';
import { errorCodes, LspanError } from '../../../src/core/errors.ts';
import { methods } from '../../../src/frontends/rpc/methods.ts';
import type { HostProblem } from '../../../src/tools/host/diagnostic-line.ts';
import { fail } from '../../../src/tools/run/render-error.ts';
import { openChannel, stubBridge } from './open-channel.ts';

const problem: HostProblem = {
  file: 'a.ts',
  line: 2,
  column: 3,
  severity: 'error',
  message: 'It is wrong: é😀.',
  code: 'E1',
};
const doubt: Doubt = { kind: 'indexing', detail: 'The server is indexing.', server: 'fake', lasting: true };
const toldDoubt = { kind: 'indexing', detail: 'The server is indexing.', server: 'fake' };

describe('lsp/checkFile', () => {
  const check = async () => ({ file: 'a.ts', problems: [problem], doubts: [doubt] });

  it('is answered with the problems of the file', async () => {
    const asked: unknown[] = [];
    const desk = {
      check: (file: string, text?: string) => {
        asked.push([file, text]);
        return check();
      },
    };
    const { ask } = openChannel(stubBridge({ desk }));
    expect((await ask('lsp/checkFile', { filePath: 'a.ts' })).result).toEqual([problem]);
    expect((await ask('lsp/checkFile', { filePath: 'a.ts', text: '', doubts: false })).result).toEqual([
      problem,
    ]);
    expect(asked).toEqual([
      ['a.ts', undefined],
      ['a.ts', ''],
    ]);
  });

  it('tells its doubts to who asks for them', async () => {
    const { ask } = openChannel(stubBridge({ desk: { check } }));
    expect((await ask('lsp/checkFile', { filePath: 'a.ts', doubts: true })).result).toEqual({
      diagnostics: [problem],
      complete: false,
      doubts: [toldDoubt],
    });
    const sure = openChannel();
    expect((await sure.ask('lsp/checkFile', { filePath: 'a.ts', doubts: true })).result).toEqual({
      diagnostics: [],
      complete: true,
      doubts: [],
    });
  });
});

it('lsp/diagnostics is answered with the problems by file, and with doubts if they are asked for', async () => {
  const files = { 'a.ts': [problem], 'b.ts': [] };
  const problems = async () => ({ files, complete: false, doubts: [doubt] });
  const { ask } = openChannel(stubBridge({ desk: { problems } }));
  expect((await ask('lsp/diagnostics')).result).toEqual(files);
  expect((await ask('lsp/diagnostics', {})).result).toEqual(files);
  expect((await ask('lsp/diagnostics', { doubts: true })).result).toEqual({
    files,
    complete: false,
    doubts: [toldDoubt],
  });
});

it('lsp/status is answered with how the servers are', async () => {
  const servers = [{ serverId: 'fake', state: 'ok', detail: 'It runs.' } as const];
  const { ask } = openChannel(stubBridge({ desk: { servers: async () => servers } }));
  expect((await ask('lsp/status')).result).toEqual(servers);
});

describe('lsp/call', () => {
  it('calls a tool by its name on our surface, or on the one that is given', async () => {
    const calls: unknown[] = [];
    const { ask } = openChannel(
      stubBridge({
        call: async (tool, args, { surface, scope } = {}) => {
          calls.push([tool, args, surface, scope]);
          return { text: 'told', data: { some: 'data' }, isError: false };
        },
      }),
    );
    const result = { text: 'told', data: { some: 'data' } };
    expect((await ask('lsp/call', { tool: 'get_hover', arguments: { line: 1 } })).result).toEqual(result);
    expect((await ask('lsp/call', { tool: 'lsp_hover', surface: 'llxprt' })).result).toEqual(result);
    expect(calls).toEqual([
      ['get_hover', { line: 1 }, 'lspan', undefined],
      ['lsp_hover', {}, 'llxprt', undefined],
    ]);
  });

  it.each(errorCodes)('is an error with the code %s where the tool fails with it', async (code) => {
    const error = new LspanError(code, 'It failed.', { nextStep: 'Do this.', candidates: [{ id: 'x' }] });
    const { ask } = openChannel(stubBridge({ call: async () => fail(error) }));
    const numbers: Record<string, number> = { invalid_input: -32602, cancelled: -32800, internal: -32603 };
    expect((await ask('lsp/call', { tool: 'get_hover' })).error).toEqual({
      code: numbers[code] ?? -32000,
      message: 'It failed.',
      data: { code, next_step: 'Do this.', retryable: error.retryable, candidates: [{ id: 'x' }] },
    });
  });

  it('keeps the code that a surface has of its own, and one that has none is internal', async () => {
    const told = { code: 'WORKSPACE_DENIED', message: 'No.', retryable: false, nextStep: 'Do that.' };
    const denied = { text: '', data: { error: told }, isError: true };
    const denying = openChannel(stubBridge({ call: async () => denied }));
    expect((await denying.ask('lsp/call', { tool: 'x' })).error).toEqual({
      code: -32000,
      message: 'No.',
      data: { code: 'WORKSPACE_DENIED', next_step: 'Do that.', retryable: false },
    });
    const silent = openChannel(stubBridge({ call: async () => ({ text: '', data: {}, isError: true }) }));
    expect((await silent.ask('lsp/call', { tool: 'x' })).error).toMatchObject({
      code: -32603,
      data: { code: 'internal' },
    });
  });
});

describe('lsp/didChange', () => {
  it('has a text held, or given back to the disk, as a request or as a notification', async () => {
    const held: unknown[] = [];
    const desk = { hold: (...given: unknown[]) => void held.push(given) };
    const { ask, send, told } = openChannel(stubBridge({ desk }));
    send({ method: 'lsp/didChange', params: { filePath: 'a.ts', text: 'one' } });
    expect((await ask('lsp/didChange', { filePath: 'a.ts', text: null })).result).toBe(null);
    expect(held).toEqual([
      ['a.ts', 'one'],
      ['a.ts', null],
    ]);
    expect(told.all).toHaveLength(1);
  });

  it('that is refused is an error, or logged where nobody waits for an answer', async () => {
    const hold = () => {
      throw new LspanError('outside_workspace', 'It lies outside.', { nextStep: 'Go inside.' });
    };
    const { ask, send, logged, told } = openChannel(stubBridge({ desk: { hold } }));
    const params = { filePath: '/etc/passwd', text: 'x' };
    expect((await ask('lsp/didChange', params)).error).toEqual({
      code: -32000,
      message: 'It lies outside.',
      data: { code: 'outside_workspace', next_step: 'Go inside.', retryable: false },
    });
    send({ method: 'lsp/didChange', params });
    const { fields } = await logged.nth(({ event }) => event === 'rpc.notification_refused');
    expect(fields).toMatchObject({ method: 'lsp/didChange', data: { code: 'outside_workspace' } });
    expect(told.all).toHaveLength(1);
  });
});

describe('where no workspace is known', () => {
  const asked: readonly [string, object][] = [
    ['lsp/checkFile', { filePath: 'a.ts' }],
    ['lsp/diagnostics', {}],
    ['lsp/status', {}],
    ['lsp/didChange', { filePath: 'a.ts', text: 'x' }],
  ];
  it.each(asked)('%s is an error that says what to do', async (method, params) => {
    const { ask } = openChannel({ ...stubBridge(), hostApi: undefined });
    expect((await ask(method, params)).error).toMatchObject({
      code: -32000,
      message: expect.stringContaining('No workspace is known'),
      data: { code: 'outside_workspace', next_step: expect.stringContaining('--workspace') },
    });
  });
});

describe('TRN-35 parameters', () => {
  const wrong: readonly [string, RegExp, unknown][] = [
    ['lsp/checkFile', /filePath is missing/, undefined],
    ['lsp/checkFile', /filePath is missing/, {}],
    ['lsp/checkFile', /filePath is of the wrong type/, { filePath: 1 }],
    ['lsp/checkFile', /filePath is of the wrong type/, { filePath: null }],
    ['lsp/checkFile', /text is of the wrong type/, { filePath: 'a', text: null }],
    ['lsp/checkFile', /text is of the wrong type/, { filePath: 'a', text: 1 }],
    ['lsp/checkFile', /doubts is of the wrong type/, { filePath: 'a', doubts: 'true' }],
    ['lsp/checkFile', /unknown member "file_path"/, { filePath: 'a', file_path: 'a' }],
    ['lsp/checkFile', /unknown member "__proto__"/, JSON.parse('{"filePath":"a","__proto__":{"text":"x"}}')],
    ['lsp/checkFile', /unknown member "__proto__"/, JSON.parse('{"__proto__":{"filePath":"a"}}')],
    ['lsp/checkFile', /unknown member "constructor"/, { filePath: 'a', constructor: 1 }],
    ['lsp/checkFile', /unknown member "xxx/, { filePath: 'a', ['x'.repeat(10 << 20)]: 1 }],
    ['lsp/checkFile', /not an object/, ['a']],
    ['lsp/checkFile', /not an object/, null],
    ['lsp/checkFile', /not an object/, 'a'],
    ['lsp/diagnostics', /unknown member/, { filePath: 'a' }],
    ['lsp/diagnostics', /doubts is of the wrong type/, { doubts: 1 }],
    ['lsp/diagnostics', /not an object/, []],
    ['lsp/status', /unknown member/, { verbose: true }],
    ['lsp/shutdown', /unknown member/, { now: true }],
    ['lsp/call', /tool is missing/, { arguments: {} }],
    ['lsp/call', /arguments is of the wrong type/, { tool: 'x', arguments: [] }],
    ['lsp/call', /arguments is of the wrong type/, { tool: 'x', arguments: null }],
    ['lsp/call', /surface is of the wrong type/, { tool: 'x', surface: 1 }],
    ['lsp/call', /unknown member "args"/, { tool: 'x', args: {} }],
    ['lsp/didChange', /text is missing/, { filePath: 'a' }],
    ['lsp/didChange', /filePath is missing/, { text: 'a' }],
    ['lsp/didChange', /text is of the wrong type/, { filePath: 'a', text: 5 }],
    ['$/cancelRequest', /id is of the wrong type/, { id: {} }],
  ];
  it.each(wrong)('of %s that are not exactly as told are refused: %s', async (method, message, params) => {
    const { ask } = openChannel();
    const { error } = await ask(method, params);
    expect(error).toMatchObject({ code: -32602, data: { code: 'invalid_input', retryable: false } });
    expect(error?.message).toMatch(message);
    expect(error?.message.length).toBeLessThan(1_000);
    expect(error?.data.next_step).toMatch(/^Send the params \{/);
    expect((await ask('lsp/status')).result).toEqual([]);
  });

  it('are told by the error as they should be', async () => {
    const { ask } = openChannel();
    const { error } = await ask('lsp/didChange', {});
    expect(error?.data.next_step).toBe('Send the params { filePath: string, text: string | null }.');
    expect((await ask('lsp/checkFile', {})).error?.data.next_step).toBe(
      'Send the params { filePath: string, text?: string, doubts?: boolean }.',
    );
    expect((await ask('lsp/status', [])).error?.data.next_step).toBe('Send the params {}, or none.');
    expect((await ask('$/cancelRequest', {})).error?.data.next_step).toBe(
      'Send the params { id: string | whole number }.',
    );
  });
});

it('the methods are these and no others, which hosts rely on', () => {
  const told = [...methods].map(([name, { params, hears, ends }]) => [name, params, { hears, ends }]);
  expect(told).toEqual([
    ['lsp/checkFile', { filePath: 'string', text: 'string?', doubts: 'boolean?' }, {}],
    ['lsp/diagnostics', { doubts: 'boolean?' }, {}],
    ['lsp/status', {}, {}],
    ['lsp/call', { tool: 'string', arguments: 'object?', surface: 'string?' }, {}],
    ['lsp/didChange', { filePath: 'string', text: 'string | null' }, { hears: true }],
    ['$/cancelRequest', { id: 'id' }, { hears: true }],
    ['lsp/shutdown', {}, { hears: true, ends: true }],
  ]);
});
