import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Action } from '../fake-server/script.ts';
import { expectInOrder, openTestBridge, temporaryFolder } from '../test-bridge.ts';

const start = { line: 0, character: 0 };
const edits = [{ range: { start, end: start }, newText: 'unasked' }];
const inside = Array.from({ length: 49 }, (_, n) => `file://<root>/file${n}.txt`);
const edited = (uri: string) => ({ textDocument: { uri, version: null }, edits });

/** Edits of 50 files, of which one lies outside, in every shape that the protocol has. */
const shapes: Readonly<Record<string, (outside: string) => object>> = {
  changes: (outside) => ({ changes: Object.fromEntries([...inside, outside].map((uri) => [uri, edits])) }),
  documentChanges: (outside) => ({ documentChanges: [...inside, outside].map(edited) }),
  'a file that is created': (outside) => ({
    documentChanges: [
      ...inside.map(edited),
      { kind: 'create', uri: outside, options: { overwrite: true, ignoreIfExists: false } },
    ],
  }),
  'a file that is moved out': (outside) => ({
    documentChanges: [
      ...inside.map(edited),
      { kind: 'rename', oldUri: 'file://<root>/a.txt', newUri: outside },
    ],
  }),
  'a file that is moved in': (outside) => ({
    documentChanges: [
      ...inside.map(edited),
      { kind: 'rename', oldUri: outside, newUri: 'file://<root>/new.txt' },
    ],
  }),
  'a file that is deleted': (outside) => ({
    documentChanges: [...inside.map(edited), { kind: 'delete', uri: outside, options: { recursive: true } }],
  }),
  'inside files only': () => ({ documentChanges: inside.map(edited) }),
};

it.each(Object.entries(shapes))(
  'BND-19 BND-20 an edit that nobody asked for is refused whole, and counted: %s',
  async (_shape, editOf) => {
    const elsewhere = temporaryFolder('lspan-elsewhere-');
    const params = { edit: editOf(`file://${elsewhere}/secret.txt`), label: 'unasked' };
    const request: Action = { request: { method: 'workspace/applyEdit', params, times: 3 } };
    const files = Object.fromEntries(inside.map((uri) => [path.basename(uri), 'as it was\n']));
    const bridge = await openTestBridge({
      files: { 'a.txt': 'function alpha\nalpha beta\n', 'b.txt': 'alpha is used\nfunction beta\n', ...files },
      servers: {
        fake: { lives: [{ rules: [{ on: { method: 'textDocument/definition', nth: 1 }, do: [request] }] }] },
      },
    });
    const before = contentOf(bridge.root);
    await expectInOrder(bridge);
    const answers = bridge.received().filter(({ method }) => method === undefined);
    expect(answers).toHaveLength(3);
    for (const { result } of answers) expect(result).toMatchObject({ applied: false });
    expect(contentOf(bridge.root)).toEqual(before);
    expect(readdirSync(elsewhere)).toEqual([]);
    const counted = bridge.logged.all.filter(({ event }) => event === 'edit_refused');
    expect(counted.map(({ fields }) => fields.count)).toEqual([1, 2, 3]);
  },
);

function contentOf(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]));
}
