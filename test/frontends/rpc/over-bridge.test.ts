import { describe, expect, it } from 'vitest';
import { openTestBridge, question, type TestSetting } from '../../test-bridge.ts';
import { openChannel, type TestChannel, type Told } from './open-channel.ts';

const files = { 'bad.txt': 'function alpha\n  ERROR_x\n', 'good.txt': 'function beta\nbeta\n' };
const problem = { line: 2, column: 3, severity: 'error', message: 'The word ERROR_x is an error.' };

async function open(setting: TestSetting = { files }) {
  const bridge = await openTestBridge(setting);
  return { bridge, ...openChannel(bridge) };
}

const ofFile = async ({ ask }: Pick<TestChannel, 'ask'>, filePath: string, text?: string) =>
  ask('lsp/checkFile', { filePath, ...(text === undefined ? {} : { text }) });

describe('over a bridge', () => {
  it('a file is checked as it is on the disk, as it is given for one question, and as it was changed', async () => {
    const channel = await open();
    expect((await ofFile(channel, 'bad.txt')).result).toMatchObject([{ file: 'bad.txt', ...problem }]);
    expect((await ofFile(channel, 'good.txt')).result).toEqual([]);
    expect((await ofFile(channel, 'good.txt', '\n  ERROR_x')).result).toMatchObject([problem]);
    expect((await ofFile(channel, 'good.txt')).result).toEqual([]);
    channel.send({ method: 'lsp/didChange', params: { filePath: 'good.txt', text: 'é\n  ERROR_x' } });
    expect((await ofFile(channel, 'good.txt')).result).toMatchObject([problem]);
    expect((await ofFile(channel, 'good.txt', '')).result).toEqual([]);
    channel.send({ method: 'lsp/didChange', params: { filePath: 'good.txt', text: null } });
    expect((await ofFile(channel, 'good.txt')).result).toEqual([]);
  });

  it('each of many checks in one piece sees a text no older than the last change before it', async () => {
    const { bridge, send, answerTo } = await open();
    const name = (index: number) => `ERROR_${index}`;
    const change = (index: number) => ({
      method: 'lsp/didChange',
      params: { filePath: 'good.txt', text: name(index) },
    });
    const check = (id: number) => ({ id, method: 'lsp/checkFile', params: { filePath: 'good.txt' } });
    send(...Array.from({ length: 20 }, (_, index) => [change(index), check(index)]).flat());
    for (let index = 0; index < 20; index += 1) {
      const seen = codeIn(await answerTo(index));
      expect(seen).toBeGreaterThanOrEqual(index);
    }
    expect(codeIn(await openChannel(bridge).ask('lsp/checkFile', { filePath: 'good.txt' }))).toBe(19);
  });

  it('all known problems are told by file, and the servers with how they are', async () => {
    const { ask } = await open();
    for (const filePath of ['good.txt', 'bad.txt']) await ask('lsp/checkFile', { filePath });
    const { result } = await ask('lsp/diagnostics');
    expect(JSON.stringify(result)).toMatch(/^\{"bad\.txt":\[\{.*\}\],"good\.txt":\[\]\}$/);
    expect((await ask('lsp/diagnostics', { doubts: true })).result).toMatchObject({
      files: result,
      complete: true,
      doubts: [],
    });
    expect((await ask('lsp/status')).result).toEqual([
      { serverId: 'fake', state: 'ok', detail: expect.stringMatching(/\w/) },
    ]);
  });

  it('BND-01 a file outside the workspace is an error, never an empty answer', async () => {
    const { bridge, ask } = await open();
    for (const filePath of ['/etc/passwd', '../elsewhere.txt', `${bridge.root}-secret/x.txt`]) {
      for (const [method, more] of [
        ['lsp/checkFile', {}],
        ['lsp/checkFile', { text: 'x' }],
        ['lsp/didChange', { text: 'x' }],
      ] as const) {
        const { error } = await ask(method, { filePath, ...more });
        expect(error).toMatchObject({ code: -32000, data: { code: 'outside_workspace' } });
        expect(error?.data.next_step).toMatch(/\w/);
      }
    }
    expect((await ask('lsp/checkFile', { filePath: 'none.txt' })).error?.data.code).toBe('not_found');
    expect((await ask('lsp/checkFile', { filePath: '' })).error?.data.code).toMatch(
      /invalid_input|not_found/,
    );
  });

  it('a tool is called by its name on our surface, or on another', async () => {
    const { ask } = await open({});
    const { result } = await ask('lsp/call', { tool: question.tool, arguments: question.input });
    expect(result).toMatchObject({ text: expect.stringContaining('a.txt'), data: question.answer });
    const other = { tool: 'lsp_goto_definition', arguments: { file: 'b.txt', line: 1, character: 1 } };
    expect((await ask('lsp/call', { ...other, surface: 'llxprt' })).result).toMatchObject({
      text: 'a.txt:1:10',
    });
    for (const wrong of [
      other,
      { ...other, surface: 'nothing' },
      { tool: question.tool, arguments: { file: 1 } },
    ]) {
      expect((await ask('lsp/call', wrong)).error).toMatchObject({
        code: -32602,
        data: { code: 'invalid_input' },
      });
    }
  });

  it('a request that is cancelled while a server thinks is cancelled there too', async () => {
    const rules = [{ on: { method: 'textDocument/definition' }, do: [{ never: true }] }] as const;
    const { bridge, send, answerTo } = await open({ servers: { fake: { lives: [{ rules }] } } });
    send({ id: 1, method: 'lsp/call', params: { tool: question.tool, arguments: question.input } });
    await bridge.sent('textDocument/definition');
    send({ method: '$/cancelRequest', params: { id: 1 } });
    expect((await answerTo(1)).error).toMatchObject({ code: -32800, data: { code: 'cancelled' } });
    await bridge.sent('$/cancelRequest');
  });

  it('a host is told that problems may have changed', async () => {
    const { channel, ask, told } = await open();
    channel.ready({ version: '1', workspaceRoots: [] });
    await ask('lsp/checkFile', { filePath: 'good.txt' });
    await ask('lsp/didChange', { filePath: 'good.txt', text: 'ERROR_x' });
    const { params } = await told.nth(({ method }) => method === 'lsp/diagnosticsChanged');
    expect(params).toMatchObject({ files: expect.toSatisfy((some) => some === null || some.length > 0) });
  });
});

function codeIn({ result }: Told): number {
  const [, index] = /"ERROR_(\d+)"/.exec(JSON.stringify(result)) ?? [];
  return Number(index);
}
