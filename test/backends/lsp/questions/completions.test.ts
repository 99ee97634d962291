import { describe, expect, it } from 'vitest';
import { plainSnippet } from '../../../../src/backends/lsp/questions/completions.ts';
import type { Rule } from '../../../fake-server/script.ts';
import { expectError, openTestBridge, type TestBridge, type TestSetting } from '../../../test-bridge.ts';

const on = (method: string, replyValue: unknown): Rule => ({ on: { method }, do: [{ replyValue }] });
const range = (line: number, from: number, to: number) => ({
  start: { line, character: from },
  end: { line, character: to },
});

/** A bridge over one file, whose server answers with these completions. */
function completing(
  text: string,
  answer: unknown,
  { rules = [], resolves = false, more = {} }: { rules?: Rule[]; resolves?: boolean; more?: object } = {},
): Promise<TestBridge> {
  const capabilities = { completionProvider: { resolveProvider: resolves } };
  const life = { capabilities, rules: [...rules, on('textDocument/completion', answer)], ...more };
  const setting: TestSetting = {
    files: { 'a.txt': text },
    servers: { fake: { lives: [life], ready: { kind: 'immediate' } } },
  };
  return openTestBridge(setting);
}

const at = (line: number, character: number) => ({ file_path: 'a.txt', line, character });
const labels = ({ data }: { readonly data: Readonly<Record<string, unknown>> }) =>
  Array.isArray(data.completions) ? data.completions.map(({ label }) => label) : [];

describe('completions are listed as an editor would', () => {
  it('what is preselected first, then what fits what is typed, then in the order of the server', async () => {
    const bridge = await completing('x.fo', [
      { label: 'xfxo' },
      { label: 'Fold' },
      { label: 'bar' },
      { label: 'fonts', sortText: '2' },
      { label: 'forty', sortText: '1' },
      { label: 'frodo', preselect: true },
    ]);
    const outcome = await bridge.call('get_completions', at(1, 5));
    expect(labels(outcome)).toEqual(['frodo', 'forty', 'fonts', 'Fold', 'xfxo']);
    expect(outcome.data).toMatchObject({ complete: true, total: 5, returned: 5 });
  });

  it('by the text from where each would be written, in the units of the server', async () => {
    const answer = {
      itemDefaults: { editRange: { insert: range(0, 3, 5), replace: range(0, 3, 6) }, data: 7 },
      items: [{ label: 'one', filterText: 'é.one' }, { label: 'two' }, { label: 'three', textEdit: null }],
      isIncomplete: false,
    };
    // The second letter is two bytes: column 3 of the server is the é.
    const bridge = await completing('é é', answer, { more: { positionEncoding: 'utf-8' } });
    expect(labels(await bridge.call('get_completions', at(1, 4)))).toEqual(['one']);
  });

  it('with what each is, what it writes and what it adds elsewhere', async () => {
    const bridge = await completing('import { one } from "a"\nst', [
      {
        label: 'stop',
        kind: 3,
        tags: [1],
        labelDetails: { detail: '(why)', description: 'module b' },
        detail: 'never',
        documentation: { kind: 'markdown', value: '[Ends](command:rm) all.\n\nMore.' },
        insertText: 'stop(${1:why}, ${2|a,b|})$0',
        insertTextFormat: 2,
        additionalTextEdits: [{ range: range(0, 12, 12), newText: ', stop' }],
      },
    ]);
    const outcome = await bridge.call('get_completions', at(2, 3));
    expect(outcome.data.completions).toEqual([
      {
        label: 'stop',
        kind: 'function',
        detail: '(why) never',
        source: 'module b',
        documentation: '[Ends](#command:rm) all.',
        insert: 'stop(why, a)',
        deprecated: true,
        adds: ['import { one, stop } from "a"'],
      },
    ]);
    expect(outcome.text).toBe(
      '1 completion\nstop  function  (why) never  writes "stop(why, a)"  deprecated  adds: import { one, stop } from "a"',
    );
  });

  it('once each, also where the server names one twice', async () => {
    const bridge = await completing('', [{ label: 'a' }, { label: 'a', sortText: '1' }]);
    expect((await bridge.call('get_completions', at(1, 1))).data).toMatchObject({ total: 1, returned: 1 });
  });
});

describe('what is said only on demand', () => {
  const many = Array.from({ length: 80 }, (_, index) => ({ label: `name${String(index).padStart(2, '0')}` }));

  it('is asked for of what is shown, and of nothing else', async () => {
    const bridge = await completing('na', many, {
      resolves: true,
      rules: [on('completionItem/resolve', { label: 'other', detail: 'a type' })],
    });
    const outcome = await bridge.call('get_completions', at(1, 3));
    expect(outcome.data).toMatchObject({ total: 80, complete: false });
    const asked = bridge.received().filter(({ method }) => method === 'completionItem/resolve');
    expect(asked).toHaveLength(50);
  });

  it('is missed where the server refuses, and that is told', async () => {
    const replyError = { code: -32603, message: 'No.' };
    const bridge = await completing('na', many.slice(0, 2), {
      resolves: true,
      rules: [{ on: { method: 'completionItem/resolve', nth: 1 }, do: [{ replyError }] }],
    });
    const outcome = await bridge.call('get_completions', at(1, 3));
    expect(labels(outcome)).toEqual(['name00', 'name01']);
    expect(outcome.text).toMatch('Details of 1 completion are incomplete');
    expect(outcome.data.complete).toBe(false);
  });
});

describe('an answer is believed as far as it goes', () => {
  it('that there is more is told, and nothing of which that is said is no answer', async () => {
    const bridge = await completing('na xx', { isIncomplete: true, items: [{ label: 'name' }] });
    const some = await bridge.call('get_completions', at(1, 3));
    expect(some.data).toMatchObject({ complete: false, doubts: [{ kind: 'capped' }] });
    expectError(await bridge.call('get_completions', at(1, 6)), 'server_unverified', /more of the name/);
  });

  it('of a few members no more are looked for, and the mark of an added include is no part of a name', async () => {
    const items = [{ label: '•name' }, { label: ' next' }];
    const bridge = await completing('x.n y', { isIncomplete: true, items });
    const members = await bridge.call('get_completions', at(1, 4));
    expect(members.data).toMatchObject({ complete: true });
    expect(labels(members).sort()).toEqual(['name', 'next']);
  });

  it('nothing is an answer of a server that is ready', async () => {
    const bridge = await completing('na', null);
    const outcome = await bridge.call('get_completions', at(1, 3));
    expect(outcome).toMatchObject({ isError: false, data: { completions: [], total: 0 } });
  });

  it('RES-03 a hundred thousand items and those that cannot be read are survived', {
    timeout: 120_000,
  }, async () => {
    const items = Array.from({ length: 100_000 }, (_, index) => ({ label: `n${100_000 - index}` }));
    const wrong = [
      null,
      7,
      [],
      {},
      { label: 5 },
      { label: 'n0', textEdit: 'x', additionalTextEdits: [{}, 3] },
    ];
    const bridge = await completing('n', [...wrong, ...items]);
    const outcome = await bridge.call('get_completions', { ...at(1, 2), max_tokens: 5_000 });
    expect(outcome.data).toMatchObject({ total: 100_001, returned: 50 });
    expect(labels(outcome).slice(0, 3)).toEqual(['n0', 'n1', 'n10']);
  });

  it.each([[[{ title: 'x' }]], [{ items: 'none' }], ['word']])(
    'what cannot be read as completions is no empty list: %j',
    async (answer) => {
      const bridge = await completing('n', answer);
      expectError(await bridge.call('get_completions', at(1, 2)), 'server_unverified', /could not be read/);
    },
  );
});

it('a place is taken as it is given, up to the end of its line, and no further', async () => {
  const bridge = await completing('one\n', [{ label: 'anything' }]);
  expectError(
    await bridge.call('get_completions', at(1, 5)),
    'invalid_input',
    /line 1 of a.txt: it ends at 4/,
  );
  expectError(await bridge.call('get_completions', at(3, 1)), 'invalid_input', /no line 3/);
  expect((await bridge.call('get_completions', at(2, 1))).isError).toBe(false);
  const [asked] = bridge.received().filter(({ method }) => method === 'textDocument/completion');
  expect(asked?.params).toMatchObject({ position: { line: 1, character: 0 } });
});

it.each([
  ['f(${1:a}, $2)$0', 'f(a, )'],
  ['${1:outer ${2:inner} end}!', 'outer inner end!'],
  ['${1|red,green|} \\$5 \\} {}', 'red $5 } {}'],
  ['${TM_FILENAME/(.*)\\..+$/$1/}${VAR:default}', 'default'],
  ['no marks: 5 $ {x}', 'no marks: 5 $ {x}'],
])('the snippet %s is written as %s', (snippet, plain) => {
  expect(plainSnippet(snippet)).toBe(plain);
});
