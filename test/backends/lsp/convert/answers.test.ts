import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  readFoundSymbols,
  readHover,
  readOutline,
  readSpans,
} from '../../../../src/backends/lsp/convert/answers.ts';
import { readProblems } from '../../../../src/backends/lsp/convert/diagnostics.ts';
import type { Translation } from '../../../../src/backends/lsp/convert/translation.ts';
import { LspanError } from '../../../../src/core/errors.ts';
import type { PositionEncoding } from '../../../../src/core/position.ts';
import type { OutlineSymbol } from '../../../../src/core/question.ts';
import { openSandbox, temporaryFolder } from '../../../workspace/sandbox.ts';

const lines = ['class A {', '  b() {}', '}', 'let a😀é字 = 1;'];

async function open(encoding: PositionEncoding = 'utf-16') {
  const root = temporaryFolder({ 'a.ts': lines.join('\n') });
  const { workspace } = await openSandbox([root]);
  const translation: Translation = { server: 's', workspace, encoding, wordQuery: (query) => query };
  const file = path.join(root, 'a.ts');
  return { translation, file, uri: workspace.uri(file) };
}

type Points = readonly [line: unknown, character: unknown, line: unknown, character: unknown];

const range = (...[line, character, endLine, endCharacter]: Points) => ({
  start: { line, character },
  end: { line: endLine, character: endCharacter },
});
const first = range(0, 6, 0, 7);
const second = range(1, 2, 1, 3);

/** Answers are written with `uri: here`, which becomes the URI of the file. */
const here = 'HERE';
const placed = (raw: unknown, uri: string): unknown =>
  raw === undefined ? undefined : JSON.parse(JSON.stringify(raw).replaceAll(here, uri));

const unreadable = async (answer: Promise<unknown>) => {
  const error = await answer.then(
    (value) => expect.fail(`It was read as ${JSON.stringify(value)}.`),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(LspanError);
  const message = expect.stringMatching(/^The answer of s could not be read as /);
  expect(error).toMatchObject({ code: 'server_unverified', message, nextStep: expect.stringMatching(/\.$/) });
};

describe('places', () => {
  const location = { uri: here, range: first };
  const link = { targetUri: here, targetRange: range(0, 0, 2, 1), targetSelectionRange: second };

  it.each<[string, unknown, readonly object[]]>([
    ['null', null, []],
    ['no result', undefined, []],
    ['an empty list', [], []],
    ['a Location', location, [first]],
    ['a Location[]', [location, { ...location, range: second }], [first, second]],
    ['a LocationLink', link, [second]],
    ['a LocationLink[]', [link, { ...link, originSelectionRange: first }], [second, second]],
    ['both in one list', [location, link], [first, second]],
    ['a link without a selection', [{ ...link, targetSelectionRange: undefined }], [range(0, 0, 2, 1)]],
    ['a link with a malformed selection', [{ ...link, targetSelectionRange: 7 }], [range(0, 0, 2, 1)]],
    ['unknown fields', { ...location, colour: 'red' }, [first]],
    [
      'malformed entries between others',
      [null, 7, {}, [], { uri: here }, { uri: 7, range: first }, location],
      [first],
    ],
  ])('PRO-19 %s is read', async (_, raw, expected) => {
    const { translation, uri, file } = await open();
    const spans = expected.map((one) => ({ path: file, standing: 'inside', range: one }));
    expect(await readSpans(placed(raw, uri), translation)).toEqual(spans);
  });

  it.each<[string, unknown]>([
    ['a number', 7],
    ['a text', here],
    ['a truth value', false],
    ['an empty object', {}],
    ['an object without a URI', { range: first }],
    ['a Location without a range', { uri: here }],
    ['a Location with a malformed range', { uri: here, range: range('0', 0, 0, null) }],
    ['a URI that is no text', { uri: 7, range: first }],
    ['a list of malformed entries only', [null, 7, { uri: here }]],
    ['a list in a list', [[location]]],
  ])('PRO-19 %s is not taken for nothing', async (_, raw) => {
    const { translation, uri } = await open();
    await unreadable(readSpans(placed(raw, uri), translation));
  });

  it.each(['jdt://contents/A.class', 'untitled:1', 'not a uri', '', 'file:///%zz'])(
    'PRO-19 the URI %j is a place outside',
    async (uri) => {
      const { translation } = await open();
      expect(await readSpans({ uri, range: first }, translation)).toMatchObject([
        { standing: 'outside', range: first },
      ]);
    },
  );
});

describe('positions', () => {
  const last = lines.length - 1;
  const end = lines[last]?.length;

  const points: readonly [string, PositionEncoding, Points, Points, boolean][] = [
    ['past the end of the file', 'utf-16', [99, 0, 4294967295, 4294967295], [last, end, last, end], true],
    ['in the line after the last', 'utf-16', [4, 0, 4, 0], [last, end, last, end], true],
    ['past the end of a line', 'utf-16', [0, 99, 1, 1e15], [0, 9, 1, 8], true],
    ['past the end of a line', 'utf-8', [3, 99, 3, 99], [3, end, 3, end], true],
    ['past the end of a line', 'utf-32', [3, 99, 3, 99], [3, end, 3, end], true],
    ['at the end of a line', 'utf-16', [0, 9, 0, 9], [0, 9, 0, 9], false],
    ['only at the end past the file', 'utf-16', [3, 0, 99, 0], [3, 0, last, end], false],
    ['only at the end past a line', 'utf-16', [3, 0, 3, 99], [3, 0, 3, end], false],
    ['only at the end past a line', 'utf-8', [3, 0, 3, 99], [3, 0, 3, end], false],
    ['only at the end past a line', 'utf-32', [3, 0, 3, 99], [3, 0, 3, end], false],
    ['negative', 'utf-16', [-1, -1, -1, -7], [0, 0, 0, 0], true],
    ['negative in the line only', 'utf-16', [-1, 3, 0, 7], [0, 3, 0, 7], true],
    ['negative at the end only', 'utf-16', [1, 2, -1, -1], [1, 2, 1, 2], true],
    ['fractional', 'utf-16', [0.9, 6.5, 0.2, 7.99], [0, 6, 0, 7], true],
    ['fractional at the end only', 'utf-16', [0, 6, 0, 7.5], [0, 6, 0, 7], true],
    ['the end before the start', 'utf-16', [1, 3, 0, 2], [1, 3, 1, 3], true],
    ['in the middle of a character', 'utf-16', [3, 6, 3, 6], [3, 7, 3, 7], true],
    ['in the middle of a character', 'utf-8', [3, 6, 3, 10], [3, 7, 3, 8], true],
    ['in the middle of a character at the end only', 'utf-16', [3, 0, 3, 6], [3, 0, 3, 7], true],
    ['after a character of two halves', 'utf-16', [3, 5, 3, 7], [3, 5, 3, 7], false],
    ['after a character of two halves', 'utf-8', [3, 5, 3, 9], [3, 5, 3, 7], false],
    ['after a character of two halves', 'utf-32', [3, 5, 3, 6], [3, 5, 3, 7], false],
  ];
  it.each(points)('PRO-20 %s (%s) are clamped into the text', async (_, encoding, raw, expected) => {
    const { translation, uri, file } = await open(encoding);
    const clamped = range(...expected);
    expect(await readSpans({ uri, range: range(...raw) }, translation)).toMatchObject([{ range: clamped }]);
    expect(await readHover({ contents: 'x', range: range(...raw) }, file, translation)).toEqual({
      text: 'x',
      range: clamped,
    });
    const symbol = { name: 'x', kind: 5, range: range(...raw), selectionRange: range(...raw) };
    expect(await readOutline([symbol], file, translation)).toMatchObject([
      { range: clamped, selection: clamped },
    ]);
    const document = await translation.workspace.read(file);
    const problem = { message: 'x', range: range(...raw) };
    expect(await readProblems([problem], document, encoding, { id: 's' })).toMatchObject([
      { range: clamped },
    ]);
  });

  it.each(points)('PRO-20 %s (%s) are marked in a place where it matters', async (...row) => {
    const [, encoding, raw, expected, isMarked] = row;
    const { translation, uri, file } = await open(encoding);
    const span = { path: file, standing: 'inside', range: range(...expected) };
    const marked = isMarked ? { ...span, clamped: true } : span;
    expect(await readSpans({ uri, range: range(...raw) }, translation)).toEqual([marked]);
    const symbol = { name: 'x', kind: 5, location: { uri, range: range(...raw) } };
    expect(await readFoundSymbols([symbol], translation)).toMatchObject([{ span: marked }]);
  });

  it('PRO-20 of a place outside, whose text is not read, are no worse than not negative', async () => {
    const { translation } = await open();
    const outside = { uri: 'jdt://A.class', range: range(-1, 2.5, 3, -4) };
    expect(await readSpans(outside, translation)).toMatchObject([
      { range: range(0, 2, 3, 0), clamped: true },
    ]);
  });
});

describe('a hover', () => {
  const code = '```ts\nlet a\n```';

  it.each<[string, unknown, object | undefined]>([
    ['null', null, undefined],
    ['no result', undefined, undefined],
    ['MarkupContent in Markdown', { contents: { kind: 'markdown', value: '**a**' } }, { text: '**a**' }],
    ['MarkupContent in plain text', { contents: { kind: 'plaintext', value: ' a ' } }, { text: 'a' }],
    ['a MarkedString that is text', { contents: '*a*' }, { text: '*a*' }],
    ['a MarkedString with a language', { contents: { language: 'ts', value: 'let a' } }, { text: code }],
    [
      'a MarkedString[]',
      { contents: [{ language: 'ts', value: 'let a' }, '', 'Words.'] },
      { text: `${code}\n\nWords.` },
    ],
    ['a range', { contents: 'a', range: first }, { text: 'a', range: first }],
    ['a range of null', { contents: 'a', range: null }, { text: 'a' }],
    ['a malformed range', { contents: 'a', range: [0, 1] }, { text: 'a' }],
    ['empty text', { contents: '' }, undefined],
    ['empty MarkupContent', { contents: { kind: 'markdown', value: ' \n' } }, undefined],
    ['empty code', { contents: { language: 'ts', value: '' } }, undefined],
    ['an empty list', { contents: [] }, undefined],
    ['a list of empty texts', { contents: ['', ''] }, undefined],
    ['contents of null', { contents: null }, undefined],
    ['malformed parts between others', { contents: [7, null, {}, 'a'] }, { text: 'a' }],
  ])('PRO-19 %s is read', async (_, raw, expected) => {
    const { translation, file } = await open();
    expect(await readHover(raw, file, translation)).toEqual(expected);
  });

  it.each<[string, unknown]>([
    ['a number', 7],
    ['a text', 'let a'],
    ['a list', ['let a']],
    ['an empty object', {}],
    ['a range only', { range: first }],
    ['contents that are a number', { contents: 7 }],
    ['contents without a value', { contents: { kind: 'markdown' } }],
    ['a value that is no text', { contents: { language: 'ts', value: 7 } }],
    ['a list of malformed parts only', { contents: [7, {}] }],
  ])('PRO-19 %s is not taken for nothing', async (_, raw) => {
    const { translation, file } = await open();
    await unreadable(readHover(raw, file, translation));
  });
});

describe('PRO-24 a link in a hover that would run a command', () => {
  it.each([
    ['in the text', '[Run](command:go.test?%5B1%5D)', '[Run](#command:go.test?%5B1%5D)'],
    ['with blanks and brackets', '[Run]( <Command:x> "t")', '[Run]( <#Command:x> "t")'],
    ['with brackets in its text', '[a [b]](command:x?(1))', '[a [b]](#command:x?(1))'],
    ['as an image', '![a](command:x)', '[a](#command:x)'],
    ['by reference', '[Run][1]\n\n[1]: command:x', '[Run][1]\n\n[1]: #command:x'],
    ['by itself', '<command:x>', '<#command:x>'],
    ['as HTML', '<a href="command:x">Run</a>', '<a href="#command:x">Run</a>'],
    ['spelled by number', '[a](&#x63;ommand&colon;x)', '[a](#&#x63;ommand&colon;x)'],
    ['spelled by number in decimals', '[a](&#99;ommand&#58;x)', '[a](#&#99;ommand&#58;x)'],
    ['with an escape', '[a](command\\:x)', '[a](#command\\:x)'],
    ['INF-09 as a script', '[a](javascript:x)', '[a](#javascript:x)'],
    ['INF-09 as a script in HTML', '<a href="java&#9;script:x">', '<a href="#java&#9;script:x">'],
    ['INF-09 as data', '[a](data:text/html,x)', '[a](#data:text/html,x)'],
    ['INF-09 as a picture from elsewhere', '![a](https://x/p.png)', '[a](https://x/p.png)'],
    ['INF-09 as a picture by reference', '![a][1]', '[a][1]'],
    ['INF-09 as a picture in HTML', 'a <img src="https://x">', 'a &lt;img src="https://x">'],
    ['INF-09 as an element that runs', '<script>x</script>', '&lt;script>x&lt;/script>'],
    ['INF-09 as an element with a handler', '<p onclick="x">', '&lt;p onclick="x">'],
  ])('%s leads nowhere', async (_, value, expected) => {
    const { translation, file } = await open();
    const raw = { contents: { kind: 'markdown', value } };
    expect(await readHover(raw, file, translation)).toEqual({ text: expected });
    expect(await readHover({ contents: [value] }, file, translation)).toEqual({ text: expected });
  });

  it.each([
    'command: npm start',
    'function f<T extends object = {}>(a: Array<object>, b: Map<style, form>): a < b',
    '<b>bold</b> and <br/>',
    '`docker run` (command: x)',
    '[docs](https://example.org/command:x)',
    '[a](commands:x)',
    '[a](%63ommand:x)',
    'Array<string>',
  ])('is not seen in %s', async (value) => {
    const { translation, file } = await open();
    expect(await readHover({ contents: value }, file, translation)).toEqual({ text: value });
  });

  it.each(['[', '](', ']:', '<', 'href=', '](  ', '<a href="', '[command:'])(
    'is looked for in one pass over any text, such as half a megabyte of %s',
    async (text) => {
      const { translation, file } = await open();
      const value = text.repeat(Math.ceil(500_000 / text.length));
      expect((await readHover({ contents: `x${value}x` }, file, translation))?.text).toHaveLength(
        value.length + 2,
      );
    },
  );
});

describe('an outline', () => {
  const whole = range(0, 0, 2, 1);
  const method = { name: 'b', kind: 6, range: range(1, 2, 1, 8), selectionRange: second };
  const type = { name: 'A', kind: 5, range: whole, selectionRange: first };
  const flatType = { name: 'A', kind: 5, location: { uri: here, range: whole } };
  const flatMethod = { name: 'b', kind: 6, location: { uri: here, range: range(1, 2, 1, 8) } };

  /** Names and kinds, indented by what holds what. */
  const shape = (symbols: readonly OutlineSymbol[]): unknown[] =>
    symbols.map(({ name, kind, children }) => [`${kind} ${name}`, ...shape(children)]);

  it.each<[string, unknown, unknown]>([
    ['null', null, []],
    ['no result', undefined, []],
    ['an empty list', [], []],
    ['a DocumentSymbol[]', [{ ...type, children: [method] }], [['class A', ['method b']]]],
    ['a DocumentSymbol without children', [type], [['class A']]],
    ['children of null', [{ ...type, children: null }], [['class A']]],
    ['children that are no list', [{ ...type, children: 7 }], [['class A']]],
    ['malformed children', [{ ...type, children: [7, {}, method] }], [['class A', ['method b']]]],
    ['malformed children only', [{ ...type, children: [7, {}] }], [['class A']]],
    ['a SymbolInformation[]', [flatMethod, flatType], [['class A', ['method b']]]],
    ['malformed entries between others', [null, 7, { name: 'x' }, { range: whole }, type], [['class A']]],
    ['malformed flat entries between others', [{ name: 'x', location: {} }, flatType], [['class A']]],
    ['a kind that there is not', [{ ...type, kind: 99 }], [['variable A']]],
    ['a kind that is no number', [{ ...type, kind: 'class' }], [['variable A']]],
  ])('PRO-19 %s is read', async (_, raw, expected) => {
    const { translation, file, uri } = await open();
    expect(shape(await readOutline(placed(raw, uri), file, translation))).toEqual(expected);
  });

  it('PRO-19 the name is where the server says, else in the range, else the range', async () => {
    const { translation, file, uri } = await open();
    const selections = async (raw: unknown) =>
      (await readOutline(placed(raw, uri), file, translation)).map(({ selection }) => selection);
    expect(await selections([type])).toEqual([first]);
    expect(await selections([{ ...type, selectionRange: 7 }])).toEqual([whole]);
    expect(await selections([flatType])).toEqual([first]);
    expect(await selections([{ ...flatType, name: 'unseen' }])).toEqual([whole]);
  });

  it.each<[string, unknown]>([
    ['a number', 7],
    ['a text', 'A'],
    ['an object', type],
    ['an empty object', {}],
    ['a list of malformed entries only', [null, 7, {}, { name: 'A' }, { ...type, name: 7 }]],
    ['a list of malformed flat entries only', [{ name: 'A', location: { uri: here } }]],
  ])('PRO-19 %s is not taken for nothing', async (_, raw) => {
    const { translation, file, uri } = await open();
    await unreadable(readOutline(placed(raw, uri), file, translation));
  });
});

describe('found symbols', () => {
  const information = { name: 'A', kind: 5, location: { uri: here, range: first } };

  it.each<[string, unknown, readonly object[]]>([
    ['null', null, []],
    ['no result', undefined, []],
    ['an empty list', [], []],
    ['a SymbolInformation[]', [information], [{ name: 'A', kind: 'class', span: { range: first } }]],
    ['a container', [{ ...information, containerName: 'M' }], [{ name: 'A', container: 'M' }]],
    [
      'a WorkspaceSymbol without a range',
      [{ ...information, location: { uri: here } }],
      [{ name: 'A', span: { range: range(0, 0, 0, 0) } }],
    ],
    [
      'malformed entries between others',
      [7, null, { name: 'x' }, { ...information, name: 7 }, information],
      [{ name: 'A' }],
    ],
  ])('PRO-19 %s is read', async (_, raw, expected) => {
    const { translation, uri } = await open();
    const found = await readFoundSymbols(placed(raw, uri), translation);
    expect(found).toHaveLength(expected.length);
    expect(found).toMatchObject(expected);
  });

  it.each<[string, unknown]>([
    ['a number', 7],
    ['a text', 'A'],
    ['an object', information],
    ['an empty object', {}],
    ['a list of malformed entries only', [7, { name: 'A' }, { ...information, location: { range: first } }]],
    ['a malformed range', [{ ...information, location: { uri: here, range: 7 } }]],
  ])('PRO-19 %s is not taken for nothing', async (_, raw) => {
    const { translation, uri } = await open();
    await unreadable(readFoundSymbols(placed(raw, uri), translation));
  });
});

describe('problems', () => {
  const problem = { range: first, message: 'Wrong.' };
  const read = async (items: readonly unknown[]) => {
    const { translation, file } = await open();
    return readProblems(items, await translation.workspace.read(file), 'utf-16', { id: 's' });
  };

  it.each<[string, readonly unknown[], readonly object[]]>([
    ['none', [], []],
    ['no severity', [problem], [{ ...problem, severity: 'error', server: 's' }]],
    ['a severity', [{ ...problem, severity: 2 }], [{ severity: 'warning' }]],
    ['a severity that there is not', [{ ...problem, severity: 9 }], [{ severity: 'error' }]],
    ['a code that is a number', [{ ...problem, code: 7 }], [{ code: '7' }]],
    ['a code of null', [{ ...problem, code: null, source: null }], [problem]],
    [
      'a message in Markdown',
      [{ ...problem, message: { kind: 'markdown', value: 'x' } }],
      [{ message: 'x' }],
    ],
    ['malformed ones between others', [7, null, { message: 'x' }, { range: first }, problem], [problem]],
  ])('PRO-19 %s is read', async (_, items, expected) => {
    const problems = await read(items);
    expect(problems).toHaveLength(expected.length);
    expect(problems).toMatchObject(expected);
  });

  it('PRO-19 malformed ones only are not taken for none', async () => {
    await unreadable(read([7, { message: 'x' }]));
  });
});
