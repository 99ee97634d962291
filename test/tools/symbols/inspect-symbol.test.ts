import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../../src/tools/run/budget.ts';
import { cutSource } from '../../../src/tools/symbols/cut-inspection.ts';
import type { FakeScript, Rule } from '../../fake-server/script.ts';
import { expectError, openTestBridge } from '../../test-bridge.ts';

const range = (line: number, from: number, end: number, to: number) => ({
  start: { line, character: from },
  end: { line: end, character: to },
});
const lines = Array.from({ length: 60 }, (_, index) => `  line number ${index}`);
const files = {
  'a.txt': ['function alpha', ...lines, 'ERROR_inside end', 'ERROR_outside', ''].join('\n'),
  'b.txt': 'alpha here\nalpha there alpha\nclass beta\n',
};
const whole = {
  name: 'alpha',
  kind: 12,
  range: range(0, 0, 61, 16),
  selectionRange: range(0, 9, 0, 14),
};
const rules: readonly Rule[] = [
  { on: { method: 'textDocument/documentSymbol' }, do: [{ replyValue: [whole] }] },
];
const target = { file_path: 'b.txt', line: 1, character: 1 };

function open(script: FakeScript = {}, deadline?: number) {
  // That nobody calls is a doubt of a server that does not tell whether it is ready.
  const capabilities = { callHierarchyProvider: null, ...script.capabilities };
  const lives = [{ ...script, capabilities, rules: [...(script.rules ?? []), ...rules] }];
  return openTestBridge({ files, servers: { fake: { lives } }, ...(deadline ? { deadline } : {}) });
}

describe('inspect_symbol', () => {
  it('shows the definition with its whole source, the hover, the uses by file and the problems inside', async () => {
    const bridge = await open();
    const { data, text } = await bridge.call('inspect_symbol', target);
    expect(data).toMatchObject({
      complete: true,
      doubts: [],
      symbol: { name: 'alpha', kind: 'function', file_path: 'a.txt', line: 1, character: 10 },
      definitions: [{ file_path: 'a.txt', line: 1, text: 'function alpha' }],
      source: [{ file_path: 'a.txt', line: 1, end_line: 62 }],
      diagnostics: [{ file_path: 'a.txt', line: 62, message: 'The word ERROR_inside is an error.' }],
      references: [
        { file_path: 'a.txt', count: 1, lines: [{ line: 1, character: 10 }] },
        { file_path: 'b.txt', count: 3, lines: [{ line: 1 }, { line: 2 }, { line: 2, character: 13 }] },
      ],
      totals: { lines: 62, diagnostics: 1, references: 4, files: 2 },
    });
    expect(text).toContain('\n2\t  line number 0\n');
    expect(text).toContain('References: 4 in 2 files');
  });

  it('asks everything at once: no other question is answered before references are asked for', async () => {
    const late = ['definition', 'hover', 'implementation'].map(
      (method): Rule => ({
        on: { method: `textDocument/${method}`, nth: 1 },
        do: [{ waitFor: 'textDocument/references' }],
      }),
    );
    const bridge = await open({ capabilities: { implementationProvider: true }, rules: late });
    const { data } = await bridge.call('inspect_symbol', target);
    expect(data).toMatchObject({ complete: true, totals: { references: 4 } });
  });

  it('asks once for the definition and the uses, which several parts need', async () => {
    const bridge = await open({ capabilities: { callHierarchyProvider: true } });
    await bridge.call('inspect_symbol', target);
    expect(sentOf(bridge, 'textDocument/definition', 'b.txt')).toBe(1);
    expect(sentOf(bridge, 'textDocument/references', 'b.txt')).toBe(1);
  });

  it('searches the uses for the callers alone too', async () => {
    const bridge = await open({ capabilities: { callHierarchyProvider: true } });
    await bridge.call('inspect_symbol', { ...target, include: ['callers'] });
    expect(sentOf(bridge, 'textDocument/references', 'b.txt')).toBe(1);
  });

  it('reports a failed part in its place with a doubt, and still shows the others', async () => {
    const refuse = { replyError: { code: -32603, message: 'no' } };
    const bridge = await open({ rules: [{ on: { method: 'textDocument/references' }, do: [refuse] }] });
    const { data, text, isError } = await bridge.call('inspect_symbol', target);
    expect(isError).toBe(false);
    expect(data).toMatchObject({
      complete: false,
      hover: expect.stringContaining('function alpha'),
      not_available: expect.arrayContaining([{ part: 'references', reason: expect.any(String) }]),
    });
    expect(data).not.toHaveProperty('references');
    expect(text).toMatch(/^references: /m);
  });

  it('reports a part that the server does not support without a doubt', async () => {
    const bridge = await open({ capabilities: { hoverProvider: null } });
    const { data, text } = await bridge.call('inspect_symbol', target);
    expect(data).toMatchObject({ complete: true, not_available: expect.any(Array) });
    expect(text).toContain('hover: fake does not answer hover questions.');
  });

  it('fails with the error of the definition', async () => {
    const bridge = await open({ capabilities: { definitionProvider: null } });
    expectError(await bridge.call('inspect_symbol', target), 'not_supported', /definition/);
    const empty = await open({
      rules: [{ on: { method: 'textDocument/definition' }, do: [{ replyValue: [] }] }],
    });
    expectError(await empty.call('inspect_symbol', target), 'server_unverified', /No definition was found/);
  });

  it('treats an empty list of uses of a defined symbol as a contradiction', async () => {
    const bridge = await open({
      rules: [{ on: { method: 'textDocument/references' }, do: [{ replyValue: [] }] }],
    });
    const { data } = await bridge.call('inspect_symbol', target);
    expect(data).toMatchObject({
      complete: false,
      not_available: expect.arrayContaining([
        { part: 'references', reason: expect.stringContaining('but no reference') },
      ]),
    });
  });

  it('does not wait for a part that never comes until the call itself is over', async () => {
    const bridge = await open(
      { rules: [{ on: { method: 'textDocument/hover' }, do: [{ never: true }] }] },
      3_000,
    );
    // So that the time is not spent on the start of the server.
    while ((await bridge.call('get_document_symbols', { file_path: target.file_path })).isError);
    const { data, isError } = await bridge.call('inspect_symbol', target);
    expect(isError).toBe(false);
    expect(data).toMatchObject({ complete: false, totals: { references: 4 } });
    expect(data.doubts).toContainEqual(expect.objectContaining({ kind: 'timed_out' }));
  });

  it('asks for and shows only what is included', async () => {
    const bridge = await open();
    const { data } = await bridge.call('inspect_symbol', { ...target, include: ['hover'] });
    expect(Object.keys(data).sort()).toEqual([
      'complete',
      'definitions',
      'doubts',
      'hover',
      'symbol',
      'totals',
    ]);
    const asked = bridge.received().map(({ method }) => method);
    expect(asked).not.toContain('textDocument/references');
    expect(asked).not.toContain('textDocument/diagnostic');
  });

  it('does not say that there are no problems before every server has reported', async () => {
    const bridge = await open({ diagnostics: 'none' }, 3_000);
    while ((await bridge.call('get_document_symbols', { file_path: target.file_path })).isError);
    const { data, text } = await bridge.call('inspect_symbol', { ...target, include: ['problems'] });
    expect(data).toMatchObject({ complete: false });
    expect(data).not.toHaveProperty('diagnostics');
    expect(text).not.toContain('No problems');
  });

  it('RES-02 keeps to the budget, says what it left out, and cuts a long source in its middle', async () => {
    const bridge = await open();
    for (const max_tokens of [100, 120, 200, 300, 400, 800]) {
      const { data, text } = await bridge.call('inspect_symbol', { ...target, max_tokens });
      expect(estimateTokens(text), text).toBeLessThanOrEqual(max_tokens);
      expect(text).toContain('1\tfunction alpha');
      expect(data).toMatchObject({ totals: { lines: 62, references: 4 }, symbol: { name: 'alpha' } });
      if (max_tokens < 400) expect(text).toMatch(/\d+ lines of the source omitted/);
      if (max_tokens === 120) expect(text).toContain('find_references lists all');
      if (max_tokens === 300) expect(data.source).toMatchObject([{ line: 1 }, { end_line: 62 }]);
    }
  });

  it('RES-02 keeps the beginning and the end of a source that is cut first for its lines and then for the budget', () => {
    const text = Array.from({ length: 3000 }, (_, index) => `line ${index + 1}`).join('\n');
    const other = { file_path: 'a.txt', line: 4000, end_line: 4000, text: 'other' };
    const once = cutSource([{ file_path: 'a.txt', line: 1, end_line: 3000, text }, other]);
    const [head, tail, last] = [...cutSource(once, 1000)];
    expect(head).toMatchObject({ line: 1, text: expect.stringMatching(/^line 1\nline 2\n/) });
    expect(tail).toMatchObject({ end_line: 3000, text: expect.stringMatching(/\nline 2999\nline 3000$/) });
    expect(last).toEqual(other);
    expect(cutSource(once, 2)).toHaveLength(2);
  });

  it('counts the data if the data is what is shown', async () => {
    const bridge = await open();
    const { data } = await bridge.call('inspect_symbol', { ...target, max_tokens: 500 }, { shown: 'data' });
    expect(estimateTokens(JSON.stringify(data))).toBeLessThanOrEqual(520);
    expect(data).toMatchObject({ source: [{ line: 1 }, { end_line: 62 }], totals: { lines: 62 } });
  });
});

/** How many requests of a method about a file the server was sent. */
function sentOf(bridge: Awaited<ReturnType<typeof open>>, method: string, file: string): number {
  return bridge.traced.all.filter(({ direction, message }) => {
    const text = direction === 'to_server' ? JSON.stringify(message) : '';
    return text.includes(`"${method}"`) && text.includes(file);
  }).length;
}
