import { afterAll, describe, expect, test } from 'vitest';
import { answerOf, ServeFixture } from './start-serve.ts';

const fixture = new ServeFixture();
const lspan = await fixture.start();
const session = await lspan.session();
afterAll(() => fixture.close());

/** One way to call a tool. */
const ways = {
  '2026-07-28': (params: Readonly<Record<string, unknown>>) => lspan.modern(1, 'tools/call', params),
  '2025-11-25': (params: Readonly<Record<string, unknown>>) =>
    lspan.post({ id: 1, method: 'tools/call', params }, { headers: session }),
};

describe.each(Object.entries(ways))(
  'TRN-35 arguments that are not as the schema says, revision %s',
  (_, call) => {
    const files = ['a.txt', 'b.txt'].map((file) => [file, fixture.text(file)] as const);
    const good = { file_path: 'b.txt', line: 1, character: 1 };
    const wrong: readonly (readonly [string, unknown])[] = [
      ['an unknown field', { ...good, colour: 'red' }],
      ['a wrong type', { ...good, file_path: 5 }],
      ['a word for a number', { ...good, line: 'one' }],
      ['a fraction', { ...good, line: 1.5 }],
      [
        'a field of the prototype',
        JSON.parse('{"file_path": "b.txt", "line": 1, "character": 1, "__proto__": {"a": 1}}'),
      ],
      ['a constructor', { ...good, constructor: { prototype: { polluted: true } } }],
      ['a reference to elsewhere', { ...good, $ref: 'http://127.0.0.1:1/schema.json' }],
    ];

    test.each(wrong)('%s is an error of the tool, and nothing is guessed', async (_title, args) => {
      const response = await call({ name: 'find_definition', arguments: args });
      expect(response.status).toBe(200);
      const answer = await answerOf(response);
      expect(answer?.result).toMatchObject({
        isError: true,
        structuredContent: { error: { code: 'invalid_input' } },
      });
    });

    test('arguments that are no object are an error of the protocol', async () => {
      for (const args of [[], 'x', 5]) {
        const answer = await answerOf(await call({ name: 'find_definition', arguments: args }));
        expect(answer?.error?.code).toBe(-32602);
      }
    });

    test('a text of 10 MB is not read to its end', async () => {
      const huge = { name: 'find_definition', arguments: { ...good, file_path: 'x'.repeat(10 * 2 ** 20) } };
      const refused = await call(huge).then(
        (response) => response.status,
        // Who sends on though it was refused may find the connection closed before it has read why.
        () => 413,
      );
      expect(refused).toBe(413);
    });

    test('and no file was touched', () => {
      for (const [file, text] of files) expect(fixture.text(file)).toBe(text);
    });
  },
);

describe.each(Object.entries(ways))(
  'what a client returns though nobody asked it for anything, revision %s',
  (revision, call) => {
    const edits = [{ file_path: 'a.txt', old_text: 'function alpha', new_text: 'function omega' }];
    const params = { name: 'apply_workspace_edit', arguments: { edits, dry_run: false } };

    test('TRN-23 a state is refused, whatever it is, and nothing is changed', async () => {
      const before = fixture.text('a.txt');
      for (const requestState of ['', 'x', 'eyJhIjoxfQ.AAAA', 'x'.repeat(10_000), 5, {}]) {
        const answer = await answerOf(await call({ ...params, requestState }));
        expect([revision, answer?.error?.code]).toEqual([revision, -32602]);
      }
      expect(fixture.text('a.txt')).toBe(before);
    });

    test('TRN-23 answers mean nothing: the call is the same without them', async () => {
      const inputResponses = { confirm: { action: 'accept', content: { confirmed: true } } };
      const asked = { name: 'find_definition', arguments: { file_path: 'b.txt', line: 1, character: 1 } };
      // One after the other: an answer that is still being read would make the id of the next call a duplicate.
      const answers = await answerOf(await call({ ...asked, inputResponses }));
      const plain = await answerOf(await call(asked));
      expect(answers?.result).toBeDefined();
      expect(answers?.result).toEqual(plain?.result);
    });
  },
);
