import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { tools } from '../../../src/tools/index.ts';
import { checkInput, understand } from '../../../src/tools/input/read-input.ts';

function read(schema: z.ZodType, given: unknown): unknown {
  const result = checkInput(schema, understand(schema, given));
  if (result.kind === 'faults') return result.faults.message;
  return result.adjusted.length === 0 ? result.input : [result.input, ...result.adjusted];
}

const asking = z.strictObject({
  file_path: z.string().min(1).optional(),
  symbol_name: z.string().min(1).optional(),
  line: z.int().optional(),
  character: z.int().optional(),
  max_tokens: z.int().min(100).optional(),
});
const changing = asking.extend({
  new_name: z.string().optional(),
  plan_id: z.string().min(1).optional(),
  force: z.boolean().default(false),
  dry_run: z.boolean().optional(),
});
const undoing = z.strictObject({
  edit_id: z.string().min(1).optional(),
  dry_run: z.boolean().default(false),
});

describe('a field under another name', () => {
  it.each([
    [{ symbol: 'a' }, [{ symbol_name: 'a' }, '`symbol_name` instead of `symbol`']],
    [{ SymbolName: 'a' }, [{ symbol_name: 'a' }, '`symbol_name` instead of `SymbolName`']],
    [
      { limit: 3, symbol_name: 'a' },
      [{ symbol_name: 'a' }, 'without `limit`, since `max_tokens` bounds the answer'],
    ],
    [{ symbol: { a: 1 } }, 'Unknown field: "symbol". Did you mean `symbol_name`?'],
    [{ symbl: 'a' }, 'Unknown field: "symbl". Did you mean `symbol_name`?'],
    [
      { name: 'a', symbol: 'b' },
      'Unknown field: "name". Did you mean `symbol_name`? Unknown field: "symbol". Did you mean `symbol_name`?',
    ],
    [{ symbol_name: 'a', name: 'b' }, 'Unknown field: "name". Did you mean `symbol_name`?'],
    [JSON.parse('{"__proto__": 1}'), 'Unknown field: "__proto__".'],
    [{ constructor: 1, toString: 'x' }, 'Unknown field: "constructor". Unknown field: "toString".'],
  ])('%j is read as %j', (given, expected) => expect(read(asking, given)).toEqual(expected));
});

describe('what lets a write happen is never guessed', () => {
  const named = { symbol_name: 'a', new_name: 'b' };
  it.each([
    [changing, { ...named, apply: true }, 'Unknown field: "apply". Did you mean `dry_run: false`?'],
    [changing, { ...named, apply: false }, 'Unknown field: "apply". Did you mean `dry_run: true`?'],
    [changing, { ...named, dryRun: false }, 'Unknown field: "dryRun". Did you mean `dry_run`?'],
    [changing, { ...named, Force: true }, 'Unknown field: "Force". Did you mean `force`?'],
    [changing, { planId: 'p' }, 'Unknown field: "planId". Did you mean `plan_id`?'],
    [
      changing,
      { symbol: 'a', new_name: 'b', dry_run: 'False' },
      'Unknown field: "symbol". Did you mean `symbol_name`?',
    ],
    [changing, { plan_id: 'p', symbol: 'a' }, 'Unknown field: "symbol". Did you mean `symbol_name`?'],
    [changing, { ...named, dry_run: false, limit: 1 }, 'Unknown field: "limit".'],
    [changing, { ...named, dry_run: false, plan_id: '' }, '`plan_id` is empty.'],
    [undoing, { editId: 'e' }, 'Unknown field: "editId". Did you mean `edit_id`?'],
    [undoing, { edit_id: '' }, '`edit_id` is empty.'],
    [changing, { ...named, dry_run: 0 }, '`dry_run` must be true or false, not 0.'],
  ])('%# %j', (schema, given, expected) => expect(read(schema, given)).toBe(expected));

  it('but a value that is only spelled differently is taken, and so is what prevents a write', () => {
    expect(read(changing, { ...named, dry_run: ' FALSE ', plan_id: null })).toEqual({
      ...named,
      dry_run: false,
      force: false,
    });
    expect(read(changing, { ...named, dryRun: 'true' })).toEqual([
      { ...named, dry_run: true, force: false },
      '`dry_run` instead of `dryRun`',
    ]);
  });
});

describe('a pasted location', () => {
  it.each([
    ['a/b.ts:7:17', { file_path: 'a/b.ts', line: 7, character: 17 }],
    ['a/b.ts:7:17-9', { file_path: 'a/b.ts', line: 7, character: 17 }],
    ['a/b.ts:7', { file_path: 'a/b.ts', line: 7 }],
    ['C:/a/b.ts:7:17', { file_path: 'C:/a/b.ts', line: 7, character: 17 }],
    ['file:///a/b.ts:7:17', { file_path: 'file:///a/b.ts', line: 7, character: 17 }],
    ['a/b.ts', { file_path: 'a/b.ts' }],
    ['a/b.ts:0:1', { file_path: 'a/b.ts:0:1' }],
  ])('%j as a path', (pasted, expected) => expect(read(asking, { file_path: pasted })).toEqual(expected));

  it('a path that really ends in a number can be given with another line', () => {
    expect(read(asking, { file_path: 'a:7', line: 3 })).toEqual({ file_path: 'a:7', line: 3 });
  });

  it('names with colons stay names', () => {
    expect(read(asking, { symbol_name: 'Server::run' })).toEqual({ symbol_name: 'Server::run' });
  });
});

it('no tool answers in the words of the library that checks its input', () => {
  const values = [
    undefined,
    null,
    '',
    'x',
    0,
    -1,
    1.5,
    1e300,
    true,
    [],
    [1],
    {},
    { a: 1 },
    'y'.repeat(6_000),
  ];
  for (const { name, input } of tools) {
    const fields = input instanceof z.ZodObject ? Object.keys(input.shape) : [];
    for (const given of [
      ...values,
      ...fields.flatMap((field) => values.map((value) => ({ [field]: value }))),
    ]) {
      const result = checkInput(input, understand(input, given));
      const said = result.kind === 'faults' ? `${result.faults.message} ${result.faults.nextStep}` : '';
      expect([name, said.slice(0, 1_000)]).not.toEqual([
        name,
        expect.stringMatching(
          /expected|received|Invalid|Unrecognized|Too (big|small)|undefined|something else/,
        ),
      ]);
    }
  }
});
