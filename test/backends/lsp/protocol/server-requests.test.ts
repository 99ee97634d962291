import { describe, expect, it, vi } from 'vitest';
import { Capabilities } from '../../../../src/backends/lsp/protocol/capabilities.ts';
import { answerServerRequest } from '../../../../src/backends/lsp/protocol/server-requests.ts';
import { ResponseError } from '../../../../src/jsonrpc/message.ts';

const settings = {
  'python.analysis': { extraPaths: ['a'] },
  python: { analysis: { never: true }, pythonPath: '/p', empty: null },
  flag: false,
};

function contextWith(changes: { readonly settings?: Record<string, unknown> } = {}) {
  return {
    settings: changes.settings ?? settings,
    folders: () => [{ uri: 'file:///w', name: 'w' }],
    register: vi.fn(),
    unregister: vi.fn(),
    refreshed: vi.fn(),
    applyEdit: () => ({ applied: false, failureReason: 'Nobody asked.' }),
  };
}

describe('PRO-13 workspace/configuration', () => {
  const sections: readonly [string, unknown, unknown][] = [
    ['a section by its dotted key first', { section: 'python.analysis' }, { extraPaths: ['a'] }],
    ['a section by its path then', { section: 'python.pythonPath' }, '/p'],
    ['a value that is false as it is', { section: 'flag' }, false],
    ['{} for a section that is not set', { section: 'rust' }, {}],
    ['{} for a path through nothing', { section: 'rust.a.b' }, {}],
    ['{} for a setting that is null', { section: 'python.empty' }, {}],
    ['{} for what only the prototype has', { section: 'constructor' }, {}],
    ['{} for a path through the prototype', { section: '__proto__.toString' }, {}],
    ['the whole without a section', {}, settings],
    ['the whole for an empty section', { section: '' }, settings],
    ['the whole for a section of the wrong type', { section: 5 }, settings],
  ];
  it.each(sections)('answers with %s', (_name, item, expected) => {
    const params = { items: [item, { section: 'flag' }] };
    expect(answerServerRequest(contextWith(), 'workspace/configuration', params)).toEqual([expected, false]);
  });

  it('takes the section with the empty name as the whole where there is one', () => {
    const context = contextWith({ settings: { '': { all: 1 } } });
    expect(answerServerRequest(context, 'workspace/configuration', { items: [{}] })).toEqual([{ all: 1 }]);
  });

  it.each([[undefined], [null], [{}], [{ items: null }], [{ items: 'x' }], [[]]])(
    'answers with a list to %j',
    (params) => {
      expect(answerServerRequest(contextWith(), 'workspace/configuration', params)).toEqual([]);
    },
  );

  it('answers as many as were asked for, whatever they are', () => {
    const context = contextWith({ settings: {} });
    const items = [null, 3, 'x', [], {}];
    expect(answerServerRequest(context, 'workspace/configuration', { items })).toEqual([{}, {}, {}, {}, {}]);
  });
});

describe('PRO-13 registrations', () => {
  it('are answered with null and recorded', () => {
    const context = contextWith();
    const registrations = [
      { id: '1', method: 'textDocument/rename', registerOptions: { prepareProvider: true } },
      { id: '2', method: 'workspace/symbol' },
    ];
    expect(answerServerRequest(context, 'client/registerCapability', { registrations })).toBeNull();
    expect(context.register).toHaveBeenCalledWith([
      { id: '1', method: 'textDocument/rename', registerOptions: { prepareProvider: true } },
      { id: '2', method: 'workspace/symbol', registerOptions: undefined },
    ]);
  });

  it.each([
    [undefined],
    [{}],
    [{ registrations: 3 }],
    [{ registrations: [null, {}, { id: 1, method: 'a' }, { id: 'a' }] }],
  ])('that are malformed are answered with null all the same: %j', (params) => {
    const context = contextWith();
    expect(answerServerRequest(context, 'client/registerCapability', params)).toBeNull();
    expect(context.register).toHaveBeenCalledWith([]);
  });

  it.each(['unregisterations', 'unregistrations'])('are taken back under the key %s', (key) => {
    const context = contextWith();
    const params = { [key]: [{ id: '1', method: 'textDocument/rename' }, null, { id: 5 }] };
    expect(answerServerRequest(context, 'client/unregisterCapability', params)).toBeNull();
    expect(context.unregister).toHaveBeenCalledWith([{ id: '1' }]);
  });
});

it('PRO-15 a capability is known with its options once registered, and gone once unregistered', () => {
  const capabilities = new Capabilities();
  const context = {
    ...contextWith(),
    register: (registrations: unknown) => capabilities.register(registrations),
    unregister: (unregistrations: unknown) => capabilities.unregister(unregistrations),
  };
  const [id, method] = ['1', 'textDocument/rename'];
  const registrations = [{ id, method, registerOptions: { prepareProvider: true } }];
  answerServerRequest(context, 'client/registerCapability', { registrations });
  answerServerRequest(context, 'client/registerCapability', { registrations });
  expect(capabilities.options(method, 'renameProvider')).toEqual({ prepareProvider: true });
  answerServerRequest(context, 'client/unregisterCapability', { unregisterations: [{ id: '2', method }] });
  expect(capabilities.supports(method, 'renameProvider')).toBe(true);
  answerServerRequest(context, 'client/unregisterCapability', { unregisterations: [{ id, method }] });
  expect(capabilities.supports(method, 'renameProvider')).toBe(false);
});

describe('PRO-13 other requests', () => {
  const rows: readonly [string, unknown][] = [
    ['window/workDoneProgress/create', null],
    ['window/showMessageRequest', null],
    ['window/showDocument', { success: false }],
    ['workspace/workspaceFolders', [{ uri: 'file:///w', name: 'w' }]],
    ['workspace/applyEdit', { applied: false, failureReason: expect.any(String) }],
  ];
  it.each(rows)('%s is answered with %j', (method, expected) => {
    expect(answerServerRequest(contextWith(), method, { edit: {}, uri: 'https://example.org' })).toEqual(
      expected,
    );
  });

  const refreshes = ['semanticTokens', 'codeLens', 'inlayHint', 'inlineValue', 'diagnostic', 'foldingRange'];
  it.each(refreshes)('workspace/%s/refresh is answered with null and told', (feature) => {
    const context = contextWith();
    expect(answerServerRequest(context, `workspace/${feature}/refresh`, undefined)).toBeNull();
    expect(context.refreshed).toHaveBeenCalledWith(`workspace/${feature}/refresh`);
  });

  it.each(['$/unknown', 'x/y', '', 'constructor', '__proto__', 'workspace/refresh', 'workspace/a/b/refresh'])(
    'the unknown method "%s" is refused with -32601',
    (method) => {
      const ask = () => answerServerRequest(contextWith(), method, {});
      expect(ask).toThrow(ResponseError);
      expect(ask).toThrow(expect.objectContaining({ code: -32601 }));
    },
  );
});
