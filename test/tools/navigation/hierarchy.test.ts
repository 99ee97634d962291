import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import type { FakeScript } from '../../fake-server/script.ts';
import { expectError, openTestBridge, type TestServer } from '../../test-bridge.ts';

/** `alpha` is called by `beta` and itself, `beta` by `gamma` and `delta`, and these call each other. */
const files = {
  'a.txt': 'function alpha\nalpha\n',
  'b.txt': 'function beta\nalpha alpha\nfunction gamma\nbeta delta\n',
  'c.txt': 'function delta\nbeta gamma\nfunction lonely\n',
  't.txt': 'interface Shape\nclass Square Shape\nclass Tile Square\nclass Alone\n',
};

function open(script: FakeScript = {}, server: Partial<TestServer> = {}) {
  return openTestBridge({
    files,
    servers: { fake: { lives: [script], ready: { kind: 'immediate' }, ...server } },
  });
}

/** Asks for the callers of a function that a server gives none, beside one use. */
async function callersWith(extension: string, use: string) {
  const rules = [{ on: { method: 'callHierarchy/incomingCalls' }, do: [{ replyValue: [] }] }];
  const bridge = await openTestBridge({
    files: { [`a.${extension}`]: 'function alpha\n', [`b.${extension}`]: `${use}\n` },
    servers: { fake: { lives: [{ rules }], extensions: [extension], ready: { kind: 'immediate' } } },
  });
  return bridge.call('get_call_hierarchy', { ...alpha, file_path: `a.${extension}` });
}

const alpha = { file_path: 'a.txt', line: 1, character: 10 };

describe('get_call_hierarchy', () => {
  it('RES-02 a page that begins deep in a tree names the ancestors', async () => {
    const bridge = await open();
    const first = await bridge.call('get_call_hierarchy', { ...alpha, depth: 3, max_tokens: 100 });
    const second = await bridge.call('get_call_hierarchy', { cursor: first.data.next_cursor });
    const [head] = Array.isArray(second.data.calls) ? second.data.calls : [];
    const [beta, gamma] = ['function beta b.txt:1', 'function gamma b.txt:3'];
    expect(head).toMatchObject(
      head.depth === 3 ? { below: [beta, gamma] } : { depth: 2, name: 'delta', below: [beta] },
    );
    expect(second.text).toContain(`alpha a.txt:1:10\n  … below ${beta}\n`);
  });

  it('leaves out calls of C where no whole word stands: the server means another file', async () => {
    const range = (line: number, character: number, end: number) => ({
      start: { line, character },
      end: { line, character: end },
    });
    const from = (uri: string) => ({
      name: 'main',
      kind: 12,
      uri: `file://<root>/${uri}`,
      range: range(0, 9, 13),
      selectionRange: range(0, 9, 13),
    });
    const calls = [
      { from: from('one.c'), fromRanges: [range(1, 0, 5), range(2, 0, 5)] },
      { from: from('two.c'), fromRanges: [range(1, 3, 8)] },
    ];
    const rules: FakeScript['rules'] = [
      { on: { method: 'callHierarchy/incomingCalls' }, do: [{ replyValue: calls }] },
    ];
    const bridge = await openTestBridge({
      files: {
        'a.c': 'function alpha\n',
        'one.c': 'function main\nalpha\nalphabet\n',
        'two.c': 'function main\nlonger words\n',
      },
      servers: { fake: { lives: [{ rules }], extensions: ['c'], ready: { kind: 'immediate' } } },
    });
    const { data } = await bridge.call('get_call_hierarchy', { ...alpha, file_path: 'a.c' });
    expect(data.calls).toMatchObject([
      { name: 'main', file_path: 'one.c', sites: [{ line: 2, character: 1 }] },
    ]);
  });

  it('shows callers as a tree with their calls, and cuts cycles', async () => {
    const bridge = await open();
    const { text, data } = await bridge.call('get_call_hierarchy', { ...alpha, depth: 3 });
    expect(text).toBe(
      [
        '2 callers of function alpha a.txt:1:10',
        '  function alpha a.txt:1:10 [recursive: see above]',
        '    2:1 alpha',
        '  function beta b.txt:1:10',
        '    2:1, 2:7 alpha alpha',
        '    function gamma b.txt:3:10',
        '      4:1 beta delta',
        '      function delta c.txt:1:10 [see first occurrence]',
        '        2:6 beta gamma',
        '    function delta c.txt:1:10',
        '      2:1 beta gamma',
        '      function gamma b.txt:3:10 [see first occurrence]',
        '        4:6 beta delta',
      ].join('\n'),
    );
    expect(data).toMatchObject({
      complete: true,
      total: 6,
      returned: 6,
      roots: [{ name: 'alpha', file_path: 'a.txt', line: 1, character: 10, found: { incoming: 2 } }],
    });
  });

  it('shows both directions, and says so if there is nothing', async () => {
    const bridge = await open();
    const { text } = await bridge.call('get_call_hierarchy', {
      file_path: 'c.txt',
      symbol_name: 'lonely',
      direction: 'both',
    });
    expect(text).toBe('No callers of function lonely c.txt:3:10\nNo calls in function lonely c.txt:3:10');
  });

  it('keeps to a budget, and never reports what was cut as nothing', async () => {
    const bridge = await open();
    const input = { ...alpha, direction: 'both', depth: 5, max_tokens: 100 };
    const { text, data } = await bridge.call('get_call_hierarchy', input);
    expect(text).not.toMatch(/No calls/);
    expect(data).toMatchObject({ total: 7 });
    expect(text).toMatch(/… 1-\d of 7; next: cursor/);
  });

  it('says that a symbol is not a function, and what to ask instead', async () => {
    const bridge = await open();
    const outcome = await bridge.call('get_call_hierarchy', { file_path: 't.txt', symbol_name: 'Shape' });
    expectError(outcome, 'not_found', /"Shape" is not a function or method/, /find_references/);
  });

  it('names the server that does not support it, and a tool that helps', async () => {
    const bridge = await open({ capabilities: { callHierarchyProvider: null, typeHierarchyProvider: null } });
    const calls = await bridge.call('get_call_hierarchy', alpha);
    expectError(calls, 'not_supported', /fake does not answer call hierarchy questions/, /find_references/);
    const types = await bridge.call('get_type_hierarchy', { file_path: 't.txt', symbol_name: 'Shape' });
    expectError(types, 'not_supported', /fake .*type hierarchy questions/, /find_implementations/);
  });

  it('answers one direction if the server does not support the other', async () => {
    const unknown = { code: -32601, message: 'unknown' };
    const rules = [{ on: { method: 'callHierarchy/outgoingCalls' }, do: [{ replyError: unknown }] }];
    const bridge = await open({ rules });
    const { text, data } = await bridge.call('get_call_hierarchy', { ...alpha, direction: 'both' });
    expect(text).toMatch(/^2 callers of function alpha/);
    expect(data).toMatchObject({ complete: false, doubts: [{ kind: 'server_unavailable' }] });
    const outgoing = await bridge.call('get_call_hierarchy', { ...alpha, direction: 'outgoing' });
    expectError(outgoing, 'not_supported', /of this kind/);
  });

  it('doubts callers if uses that look like calls are missing', async () => {
    const rules = [{ on: { method: 'callHierarchy/incomingCalls' }, do: [{ replyValue: [] }] }];
    const bridge = await openTestBridge({
      files: { 'a.txt': 'function alpha\n', 'b.txt': 'function beta\nalpha(1)\n' },
      servers: { fake: { lives: [{ rules }], ready: { kind: 'immediate' } } },
    });
    const outcome = await bridge.call('get_call_hierarchy', alpha);
    expectError(
      outcome,
      'server_unverified',
      /No calls were found/,
      /looks like a call but is not listed; see find_references: b\.txt:2:1\./,
    );
    expect(outcome.text).not.toMatch(/get_server_status/);
  });

  it('doubts callers if it is a decorator, or is called by a subclass, but not for its declaration', async () => {
    const uses = ['@alpha', 'class Sub extends alpha', 'super(1)', 'def alpha(x)', 'alpha.bind()'];
    const root = { ...item('alpha'), kind: 5 };
    const rules = [
      { on: { method: 'textDocument/prepareCallHierarchy' }, do: [{ replyValue: [root] }] },
      { on: { method: 'callHierarchy/incomingCalls' }, do: [{ replyValue: [] }] },
    ];
    const bridge = await openTestBridge({
      files: { 'a.txt': 'function alpha\n', 'b.txt': uses.join('\n') },
      servers: { fake: { lives: [{ rules }], ready: { kind: 'immediate' } } },
    });
    const outcome = await bridge.call('get_call_hierarchy', alpha);
    expectError(outcome, 'server_unverified', /2 uses look like calls .*: b\.txt:1:2, b\.txt:2:19\./);
    const inspected = await bridge.call('inspect_symbol', alpha);
    expect(inspected.text).not.toMatch(/no callers/i);
    expect(inspected.text).toMatch(/2 uses look like calls/);
  });

  it.each([
    ['ts', 'alpha<Map<string, number>>(1)'],
    ['ts', 'alpha<(x: A) => B<C>>(1)'],
    ['ts', 'alpha<\n  A,\n  B<C>\n>(1)'],
    ['ts', 'alpha?.(1)'],
    ['ts', 'alpha!(1)'],
    ['ts', 'alpha`1`'],
    ['tsx', '(<alpha />)'],
    ['tsx', '<alpha>1</alpha>'],
    ['tsx', '<alpha\n  one={1} />'],
    ['rs', 'alpha::<Vec<u8>>(1)'],
    ['c', 'alpha (1)'],
    ['go', 'alpha[map[string]int](1)'],
    ['py', 'alpha[dict[str, int]](1)'],
  ])('takes a use in a file of %s for a call: %s', async (extension, use) => {
    const outcome = await callersWith(extension, use);
    expectError(outcome, 'server_unverified', /looks? like (?:a call|calls)/);
  });

  it.each([
    ['ts', 'one = alpha'],
    ['ts', 'one(alpha) (two)'],
    ['ts', 'alpha < one && two > (three)'],
    ['ts', 'alpha !== (one)'],
    ['ts', 'one<alpha>(two)'],
    ['tsx', 'one<alpha>'],
    ['tsx', '<alpha.one />'],
    ['js', 'alpha[0](1)'],
  ])('takes a use in a file of %s for no call: %s', async (extension, use) => {
    const { text } = await callersWith(extension, use);
    expect(text).toMatch(/^No callers/);
  });

  it('doubts callers in more files than it looks into', async () => {
    const more = 3;
    const callers = Array.from({ length: limits.callers.outlines + more }, (_, index) => [
      `caller${String(index).padStart(3, '0')}.txt`,
      'function beta\nalpha(1)\n',
    ]);
    const rules = [{ on: { method: 'callHierarchy/incomingCalls' }, do: [{ replyValue: [] }] }];
    const bridge = await openTestBridge({
      files: { 'a.txt': 'function alpha\n', ...Object.fromEntries(callers) },
      servers: { fake: { lives: [{ rules }], ready: { kind: 'immediate' } } },
    });
    const outcome = await bridge.call('get_call_hierarchy', alpha);
    expectError(outcome, 'server_unverified', new RegExp(`${callers.length} uses look like calls`));
  });

  it('does not claim that a method that is called implicitly has no callers', async () => {
    const bridge = await openTestBridge({
      files: { 'a.txt': 'class Pool\n  function __len__\n' },
      servers: { fake: { ready: { kind: 'immediate' } } },
    });
    const outcome = await bridge.call('get_call_hierarchy', { symbol_name: '__len__', file_path: 'a.txt' });
    expectError(outcome, 'server_unverified', /called where its name is not written/);
  });

  it('asks about the definition if the server has no function where a name is imported', async () => {
    const method = 'textDocument/prepareCallHierarchy';
    const rules = [{ on: { method, nth: 1 }, do: [{ replyValue: [] }] }];
    const bridge = await open({ rules });
    const { text } = await bridge.call('get_call_hierarchy', { file_path: 'b.txt', line: 2, character: 1 });
    expect(text).toMatch(/^2 callers of function alpha a\.txt:1:10/);
  });

  it('does not doubt the first file of a project that is searched without being open', async () => {
    const bridge = await openTestBridge({
      files: { 'a.py': 'mentions Shape\n', 'b.py': 'interface Shape\nclass Square Shape\n' },
      servers: { basedpyright: { extensions: ['py'], ready: { kind: 'immediate' } } },
    });
    const { data } = await bridge.call('find_implementations', { symbol_name: 'Shape', file_path: 'b.py' });
    expect(data).toMatchObject({ complete: true, total: 1 });
  });

  it('does not ask for the callers of a file', async () => {
    const from = { ...item('b.txt', 'file://<root>/b.txt'), kind: 2 };
    const answer = { replyValue: [{ from, fromRanges: [range(1)] }] };
    const rules = [
      { on: { method: 'callHierarchy/incomingCalls', nth: 1 }, do: [answer] },
      { on: { method: 'callHierarchy/incomingCalls', nth: 2 }, do: [{ exit: { code: 2 } }] },
    ];
    const { text } = await (await open({ rules })).call('get_call_hierarchy', { ...alpha, depth: 5 });
    expect(text).toBe('1 caller of function alpha a.txt:1:10\n  module b.txt:1:1\n    2:1 alpha alpha');
  });

  const item = (name: unknown, uri: unknown = 'file://<root>/a.txt') => ({
    name,
    kind: 12,
    uri,
    range: range(0),
    selectionRange: range(0),
  });

  it('RES-03 drops malformed items, and does not take the empty rest for a certain answer', async () => {
    const wrong = [7, null, {}, { from: 3 }, { from: item(1) }, { from: item('x', 3) }];
    const right = { from: item('beta', 'file://<root>/b.txt'), fromRanges: ['no', range(1), range(1)] };
    const answer = (value: unknown) => ({
      rules: [{ on: { method: 'callHierarchy/incomingCalls' }, do: [{ replyValue: value }] }],
    });
    const some = await (await open(answer([...wrong, right]))).call('get_call_hierarchy', alpha);
    expect(some.data).toMatchObject({ total: 1, calls: [{ name: 'beta', sites: [{ line: 2 }] }] });
    const none = await (await open(answer(wrong))).call('get_call_hierarchy', alpha);
    expectError(none, 'server_unverified', /could not be read as callers/);
    const nonsense = await (await open(answer('nonsense'))).call('get_call_hierarchy', alpha);
    expectError(nonsense, 'server_unverified', /could not be read as callers/);
  });

  it('RES-03 shows callers outside the workspace without their text', async () => {
    const from = item('secret', 'file:///etc/passwd');
    const rules = [
      {
        on: { method: 'callHierarchy/incomingCalls' },
        do: [{ replyValue: [{ from, fromRanges: [range(0)] }] }],
      },
    ];
    const { data } = await (await open({ rules })).call('get_call_hierarchy', alpha);
    const [call] = (data as { calls: readonly Record<string, unknown>[] }).calls;
    expect(call).toMatchObject({ name: 'secret', file_path: '/etc/passwd', external: 'outside' });
    expect(JSON.stringify(call)).not.toMatch(/"text"/);
  });

  it('asks the next process again if the server dies in the middle of a tree', async () => {
    const dying = {
      rules: [{ on: { method: 'callHierarchy/incomingCalls', nth: 2 }, do: [{ exit: { code: 3 } }] }],
    };
    const bridge = await open({}, { lives: [dying, {}] });
    const { text, data } = await bridge.call('get_call_hierarchy', { ...alpha, depth: 3 });
    expect(text).toMatch(/function gamma/);
    expect(data).toMatchObject({ total: 6, doubts: [{ kind: 'server_restarted' }] });
  });
});

describe('get_type_hierarchy', () => {
  it('shows supertypes and subtypes, with their lines', async () => {
    const bridge = await open();
    const { text } = await bridge.call('get_type_hierarchy', { file_path: 't.txt', symbol_name: 'Square' });
    expect(text).toBe(
      [
        '1 supertype of class Square t.txt:2:7',
        '  interface Shape t.txt:1:11 interface Shape',
        '1 subtype of class Square t.txt:2:7',
        '  class Tile t.txt:3:7 class Tile Square',
      ].join('\n'),
    );
  });
});

describe('find_implementations', () => {
  it('lists them, and an empty list is an answer if it is certain', async () => {
    const bridge = await open();
    const found = await bridge.call('find_implementations', { file_path: 't.txt', symbol_name: 'Shape' });
    expect(found.text).toBe('1 implementation in 1 file\nt.txt\n  2:7 class Square Shape');
    const none = await bridge.call('find_implementations', { file_path: 't.txt', symbol_name: 'Alone' });
    expect(none.data).toMatchObject({ complete: true, total: 0, implementations: [] });
  });

  it('asks for the uses of those that have a name, since others may implement these, and of no object or keyword', async () => {
    const at = (line: number, character: number) => ({
      uri: 'file://<root>/a/a.ts',
      range: { start: { line, character }, end: { line, character: character + 1 } },
    });
    const found = [at(1, 7), at(2, 6), at(3, 27)];
    const rules = [{ on: { method: 'textDocument/implementation' }, do: [{ replyValue: found }] }];
    const bridge = await openTestBridge({
      files: {
        'a/tsconfig.json': '{}',
        'a/a.ts':
          'interface Shape\nreturn { x }\nclass Square Shape\nconst make: Shape["draw"] = function () {}\n',
        'b/tsconfig.json': '{}',
        'b/b.ts': 'class Other\n',
      },
      servers: { typescript: { extensions: ['ts'], lives: [{ rules }], ready: { kind: 'immediate' } } },
    });
    const { data } = await bridge.call('find_implementations', { symbol_name: 'Shape', file_path: 'a/a.ts' });
    expect(data).toMatchObject({ total: 3 });
    const asked = bridge.received('typescript').filter(({ method }) => method === 'textDocument/references');
    const lines = new Set(asked.map(({ params }) => JSON.parse(JSON.stringify(params)).position.line));
    expect(lines).toEqual(new Set([0, 2]));
  });

  it('does not say that there are none if a server does not signal whether it is ready', async () => {
    const bridge = await openTestBridge({ files });
    const none = await bridge.call('find_implementations', { file_path: 't.txt', symbol_name: 'Alone' });
    expectError(none, 'server_unverified', /No implementation was found/);
  });
});

describe('find_definition', () => {
  it('answers with the definition if no server can find declarations, and says so', async () => {
    const bridge = await open({ capabilities: { declarationProvider: null, typeDefinitionProvider: null } });
    const { text } = await bridge.call('find_definition', { ...alpha, kind: 'declaration' });
    expect(text).toMatch(/1:10 function alpha\nRead as: the definition, since no server/);
    const type = await bridge.call('find_definition', { ...alpha, kind: 'type' });
    expectError(type, 'not_supported', /type definition questions/, /get_hover/);
  });

  it('finds the type of the symbol at a place', async () => {
    const bridge = await open();
    const { text } = await bridge.call('find_definition', {
      file_path: 't.txt',
      line: 2,
      character: 7,
      kind: 'type',
    });
    expect(text).toBe('t.txt\n  1:11 interface Shape');
  });
});

function range(line: number) {
  return { start: { line, character: 0 }, end: { line, character: 5 } };
}
