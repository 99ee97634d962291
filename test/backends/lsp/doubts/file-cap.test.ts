import { expect, it } from 'vitest';
import { openTestBridge } from '../../../test-bridge.ts';

/** A bridge whose server is called pylsp, and files of which so many mention the name. */
function open(mentioning: number) {
  const own = {
    uri: 'file://<root>/f0.py',
    range: { start: { line: 0, character: 9 }, end: { line: 0, character: 14 } },
  };
  const files = Array.from({ length: 40 }, (_, index) => [
    `f${index}.py`,
    index === 0 ? 'function alpha\n' : index < mentioning ? '# alpha\n' : '# beta\n',
  ]);
  const rules = [{ on: { method: 'textDocument/references' }, do: [{ replyValue: [own] }] }];
  const servers = { pylsp: { extensions: ['py'], lives: [{ rules }] } };
  return openTestBridge({ files: Object.fromEntries(files), servers });
}

const question = { file_path: 'f0.py', line: 1, character: 10 };

it('a server that searches few of the files with a name is not doubted if no more mention it', async () => {
  const { data } = await (await open(3)).call('find_references', question);
  expect(data).toMatchObject({ complete: true, total: 1 });
});

it('a server that searches few of the files with a name is doubted if more mention it', async () => {
  const { text } = await (await open(31)).call('find_references', question);
  expect(text).toContain('pylsp searches at most 30 of the files that mention a name');
});
