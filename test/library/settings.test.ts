import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBridge } from '../../src/index.ts';
import { configOf, embed } from './embed.ts';
import { makeProject } from './make-project.ts';

/** Calls like a program without type checks. */
const create = (settings: unknown) => createBridge(Object(settings));

const transport = { start: async () => {}, send: async () => {}, close: async () => {} };

describe('wrong settings', () => {
  it.each([
    [{}, 'No workspace is given'],
    [{ workspace: [] }, 'No workspace is given'],
    [{ workspace: '' }, 'workspace must be the path of a folder'],
    [{ workspace: 3 }, 'workspace must be the path of a folder'],
    [{ workspace: ['/', 4] }, 'workspace must be the path of a folder'],
    [{ workspace: '/', root: '/' }, 'There is no setting "root"'],
    [{ workspace: '/', config: 3 }, 'config must be an object, or the path of a file'],
    [{ workspace: '/', config: null }, 'config must be'],
    [{ workspace: '/', log: true }, 'log must be a function'],
    [{ workspace: '/', readOnly: 'yes' }, 'readOnly must be true or false'],
    [{ workspace: '/', config: new Map() }, 'config must be'],
    [{ workspace: '/', backend: 'lsp' }, 'backend must be an object with the methods ask, '],
    [{ workspace: '/', backend: { ask: () => {} } }, 'backend must be an object with the methods ask, '],
    [{ workspace: '/', environment: 'PATH' }, 'environment must be an object'],
    [{ workspace: '/', environment: { PATH: 1 } }, 'environment must be an object whose values are strings'],
    [Object.create({ workspace: '/', readOnly: 'yes' }), 'readOnly must be true or false'],
    [{ workspace: '/', readonly: true }, 'Did you mean readOnly?'],
  ])('%j are told', async (settings, message) => {
    await expect(create(settings)).rejects.toMatchObject({
      name: 'LspanError',
      code: 'invalid_input',
      message: expect.stringContaining(message),
      nextStep: expect.any(String),
    });
  });

  it('include an invalid configuration, from a file or a value, and a missing folder', async () => {
    const workspace = makeProject({ 'lspan.json': '{ "max_tokens": "many" }' });
    const wrong = (message: RegExp) => ({ code: 'invalid_input', message: expect.stringMatching(message) });
    await expect(create({ workspace, config: { colour: 'red' } })).rejects.toMatchObject(wrong(/colour/));
    const config = path.join(workspace, 'lspan.json');
    await expect(create({ workspace, config })).rejects.toMatchObject(wrong(/max_tokens/));
    await expect(create({ workspace, config: 'missing.toml' })).rejects.toMatchObject(wrong(/missing\.toml/));
    await expect(create({ workspace: path.join(workspace, 'gone') })).rejects.toMatchObject({
      name: 'LspanError',
      message: expect.stringContaining('gone'),
      nextStep: 'Give an existing folder as the workspace.',
    });
  });
});

describe('arguments of a bridge', () => {
  const signal = new AbortController().signal;

  it.each<[string, unknown[], string]>([
    ['call', ['get_server_status', {}, null], 'The settings must be'],
    ['call', ['get_server_status', {}, { signal: 5 }], 'signal must be an AbortSignal'],
    ['status', [{ onProgress: 'all' }], 'onProgress must be a function'],
    ['status', [null], 'The settings must be'],
    ['diagnostics', [5], 'The settings must be'],
    ['diagnostics', ['a.txt', { text: 5 }], 'text must be a string'],
    ['hold', ['a.txt'], 'a path, and a text or null'],
    ['hold', [undefined, ''], 'a path, and a text or null'],
    ['onDiagnostics', [], 'listener must be a function'],
    ['serve', [], 'transport must be an object with the methods start, send, close'],
    ['serve', [transport, { output: 'xml' }], 'output must be one of auto, text'],
    ['serve', [transport, { toolsets: 'all' }], 'toolsets must be a list of strings'],
    ['serve', [transport, { surfce: 'llxprt' }], 'Did you mean surface?'],
  ])('%s(%j) is refused with the name of the argument', async (method, given, message) => {
    const bridge = await embed();
    const asked = async () => Reflect.apply(Reflect.get(bridge, method), bridge, given);
    await expect(asked()).rejects.toMatchObject({
      name: 'LspanError',
      code: 'invalid_input',
      message: expect.stringContaining(message),
    });
  });

  it('may have additional fields in options, such as the context of an MCP handler', async () => {
    const bridge = await embed();
    await expect(bridge.status(Object({ signal, sessionId: 'a' }))).resolves.toHaveLength(1);
  });

  it('that change files are refused by a read-only bridge, in terms of the bridge and not of the command line', async () => {
    const bridge = await embed({ settings: { readOnly: true } });
    const edit = bridge.call('rename_symbol', { symbol_name: 'alpha', new_name: 'beta' });
    await expect(edit).rejects.toMatchObject({
      code: 'refused',
      message: 'rename_symbol changes files, and this bridge is read-only.',
      nextStep: 'Create a bridge without readOnly to allow changes.',
    });
  });
});

describe('a workspace', () => {
  it('may be relative to the current directory, and several folders', async () => {
    const first = makeProject({ 'a.txt': 'function alpha\n' });
    const second = makeProject({ 'b.txt': 'alpha\n' });
    const workspace = [path.relative(process.cwd(), first), second];
    const bridge = await createBridge({ workspace, config: configOf() });
    onTestFinished(() => bridge.close());
    const { data } = await bridge.call('get_diagnostics', { file_paths: [path.join(second, 'b.txt')] });
    expect(data.complete).toBe(true);
  });
});
