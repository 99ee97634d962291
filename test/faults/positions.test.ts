import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeColumn, encodeColumn, type PositionEncoding } from '../../src/core/position.ts';
import type { Action, FakeScript } from '../fake-server/script.ts';
import { ask, expectError, expectInOrder, openTestBridge, question } from '../test-bridge.ts';
import { withSeed } from '../with-seed.ts';

type Points = readonly [line: number, character: number, endLine: number, endCharacter: number];

const rangeOf = ([line, character, endLine, endCharacter]: Points) => ({
  start: { line, character },
  end: { line: endLine, character: endCharacter },
});
const place = (points: Points, file = 'a.txt') => ({ uri: `file://<root>/${file}`, range: rangeOf(points) });
const replying = (method: string, replyValue: unknown): FakeScript => ({
  rules: [{ on: { method, nth: 1 }, do: [{ replyValue }] }],
});
const open = (script: FakeScript, files?: Record<string, string>) =>
  openTestBridge({ servers: { fake: { lives: [script] } }, ...(files ? { files } : {}) });

describe('PRO-20 a place that the text does not have', () => {
  const beyond: readonly [string, Points, object][] = [
    ['past the end of the file', [99, 4, 99, 9], { line: 3, character: 1 }],
    ['past the end of its line', [0, 99, 0, 104], { line: 1, character: 15 }],
    ['negative', [-1, -4, 0, 3], { line: 1, character: 1 }],
    ['a fraction', [0.5, 9.5, 0, 14], { line: 1, character: 10 }],
  ];
  it.each(beyond)('%s is shown as the nearest, and said to be so', async (_what, points, shown) => {
    const bridge = await open(replying('textDocument/definition', [place(points)]));
    const { data, text } = await ask(bridge);
    expect(data).toMatchObject({ definitions: [{ file_path: 'a.txt', ...shown, clamped: true }] });
    expect(text).toContain("[nearest position: the server's is not in the text]");
    await expectInOrder(bridge);
  });

  it('in the middle of a character is shown after it, and said to be so', async () => {
    const files = { 'a.txt': 'a😀b\n', 'b.txt': 'alpha\n' };
    const bridge = await open(replying('textDocument/definition', [place([0, 2, 0, 3])]), files);
    expect((await ask(bridge)).data).toMatchObject({
      definitions: [{ line: 1, character: 4, clamped: true }],
    });
  });

  it('is said so of references and of symbols too, and of no other among them', async () => {
    const [wrong, right] = [place([99, 0, 99, 5]), place([0, 0, 0, 5], 'b.txt')];
    const bridge = await open({
      rules: [
        { on: { method: 'textDocument/references' }, do: [{ replyValue: [wrong, right] }] },
        {
          on: { method: 'workspace/symbol' },
          do: [{ replyValue: [wrong, right].map((location) => ({ name: 'alpha', kind: 12, location })) }],
        },
      ],
    });
    for (const [tool, input, noun] of [
      ['find_references', question.input, 'references'],
      ['search_workspace_symbols', { query: 'alpha' }, 'symbols'],
    ] as const) {
      const { data, text } = await bridge.call(tool, input);
      expect(data[noun]).toEqual([
        expect.objectContaining({ file_path: 'a.txt', clamped: true }),
        expect.not.objectContaining({ clamped: true }),
      ]);
      expect(text.match(/nearest position/g)).toHaveLength(1);
    }
  });

  it('but ends of ranges past a line or the file, which the protocol allows, are not worth a word', async () => {
    const bridge = await open(replying('textDocument/definition', [place([0, 9, 999, 0])]));
    const { data, text } = await ask(bridge);
    expect(data).toMatchObject(question.answer);
    expect(text).not.toContain('nearest');
  });

  it('that is no place at all is an error that names the server, and never "nothing"', async () => {
    const bridge = await open(replying('textDocument/definition', [{ uri: 7 }, { range: 'x' }]));
    expectError(await ask(bridge), 'server_unverified', 'The answer of fake could not be read as places');
    await expectInOrder(bridge);
  });
});

describe('PRO-21 columns are those of the agent, whatever the server counts in', () => {
  const files = { 'a.txt': '# a😀é字 function alpha\n', 'b.txt': 'a😀é字 alpha\n' };
  const scripts: readonly [string, FakeScript][] = [
    ['UTF-8', { positionEncoding: 'utf-8' }],
    ['UTF-16', { positionEncoding: 'utf-16' }],
    ['UTF-32', { positionEncoding: 'utf-32' }],
    ['an encoding that nobody offered', { capabilities: { positionEncoding: 'utf-7' } }],
    ['what it does not tell', { capabilities: { positionEncoding: null } }],
  ];
  it.each(scripts)('%s', async (_what, script) => {
    const bridge = await open(script, files);
    const { data } = await bridge.call('find_references', { file_path: 'b.txt', line: 1, character: 9 });
    expect(data).toMatchObject({
      references: [
        { file_path: 'a.txt', line: 1, character: 18, end_character: 23 },
        { file_path: 'b.txt', line: 1, character: 7, end_character: 12 },
      ],
    });
  });

  it('on a million borders of lines with wide characters', () => {
    const letters = ['a', ' ', 'é', '字', '😀', '\u0301', '\u{1d49c}', '\ufeff', '\t'] as const;
    const widths: Readonly<Record<PositionEncoding, (letter: string) => number>> = {
      'utf-8': (letter) => Buffer.byteLength(letter),
      'utf-16': (letter) => letter.length,
      'utf-32': () => 1,
    };
    let { seed: state } = withSeed({});
    const random = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    for (let borders = 0; borders < 1_000_000; ) {
      const line = Array.from({ length: random(40) }, () => letters[random(letters.length)] ?? 'a');
      const text = line.join('');
      for (const [encoding, width] of Object.entries(widths)) {
        borders += checkLine(text, line, encoding, width);
      }
    }
  });
});

describe('PRO-22 one document under several spellings of its URI', () => {
  const spellings: readonly [string, string, string][] = [
    ['plus as it is', 'a+b.txt', 'file://<root>/a+b.txt'],
    ['plus in small letters', 'a+b.txt', 'file://<root>/a%2bb.txt'],
    ['plus in large letters', 'a+b.txt', 'file://<root>/a%2Bb.txt'],
    ['a colon as it is', 'a:b.txt', 'file://<root>/a:b.txt'],
    ['a colon in small letters', 'a:b.txt', 'file://<root>/a%3ab.txt'],
    ['a colon in large letters', 'a:b.txt', 'file://<root>/a%3Ab.txt'],
    ['a blank as it is', 'a b.txt', 'file://<root>/a b.txt'],
    ['another script as it is', 'é字.txt', 'file://<root>/é字.txt'],
    ['another script by its bytes', 'é字.txt', 'file://<root>/%c3%a9%E5%AD%97.txt'],
    ['letters by their numbers', 'ab.txt', 'file://<root>/%61b%2etxt'],
    ['a scheme in large letters', 'ab.txt', 'FILE://<root>/ab.txt'],
    ['a name for this machine', 'ab.txt', 'file://localhost<root>/ab.txt'],
    ['one slash', 'ab.txt', 'file:<root>/ab.txt'],
    ['two slashes in the path', 'ab.txt', 'file://<root>//ab.txt'],
    ['dots in the path', 'ab.txt', 'file://<root>/./x/../ab.txt'],
    ['a slash at its end', 'ab.txt', 'file://<root>/ab.txt/'],
    ['a fragment', 'ab.txt', 'file://<root>/ab.txt#L1'],
    ['a link to the folder', 'ab.txt', 'file://<root>/link/ab.txt'],
  ];
  const published = (uri: string, message: string): Action => ({
    notify: {
      method: 'textDocument/publishDiagnostics',
      params: { uri, diagnostics: [{ range: rangeOf([0, 0, 0, 5]), message }] },
    },
  });

  it.each(spellings)('%s: its problems are found, and its places are one', async (_what, file, uri) => {
    const same = [uri, `file://<root>/${encodeURIComponent(file)}`];
    const locations = same.map((one) => ({ uri: one, range: rangeOf([0, 9, 0, 14]) }));
    const script: FakeScript = {
      diagnostics: 'none',
      rules: [
        { on: { method: 'textDocument/didOpen' }, do: [published(uri, 'It is wrong.')] },
        { on: { method: 'textDocument/references' }, do: [{ replyValue: locations }] },
      ],
    };
    const bridge = await open(script, { [file]: 'function alpha\n' });
    symlinkSync('.', path.join(bridge.root, 'link'));
    const problems = await bridge.call('get_diagnostics', { file_path: file });
    expect(problems.data).toMatchObject({
      complete: true,
      total: 1,
      diagnostics: [{ file_path: file, message: 'It is wrong.' }],
    });
    const found = await bridge.call('find_references', { file_path: file, line: 1, character: 10 });
    expect(found.data).toMatchObject({
      total: 1,
      references: [{ file_path: file, line: 1, character: 10, text: 'function alpha' }],
    });
  });

  it('is opened once, however an agent spells it', async () => {
    const bridge = await open({});
    symlinkSync('.', path.join(bridge.root, 'link'));
    for (const file_path of [
      'a.txt',
      './a.txt',
      'link/a.txt',
      'link//link/../a.txt',
      path.join(bridge.root, 'a.txt'),
    ]) {
      expect((await bridge.call('get_document_symbols', { file_path })).data).toMatchObject({
        file_path: 'a.txt',
      });
    }
    const opened = bridge.received().filter(({ method }) => method === 'textDocument/didOpen');
    expect(opened).toHaveLength(1);
  });
});

/** Checks both ways on every border of a line, and gives how many there are. */
function checkLine(
  text: string,
  letters: readonly string[],
  encoding: string,
  width: (letter: string) => number,
): number {
  if (encoding !== 'utf-8' && encoding !== 'utf-16' && encoding !== 'utf-32') throw new Error(encoding);
  let [column, units] = [0, 0];
  for (const letter of ['', ...letters]) {
    column += letter.length;
    units += letter === '' ? 0 : width(letter);
    if (encodeColumn(text, column, encoding) !== units || decodeColumn(text, units, encoding) !== column) {
      expect.fail(`${encoding} ${JSON.stringify(text)} at ${column}`);
    }
  }
  return letters.length + 1;
}
