import { expect, it } from 'vitest';
import { openTestBridge } from '../test-bridge.ts';

const start = { line: 0, character: 0 };
const at = (name: string) => ({
  uri: `file://<root>/${name}`,
  range: { start, end: { line: 0, character: 3 } },
});
const secret = 'KEY=the secret words';
const files = ['.env', '.git/config', 'keys/server.pem', 'sub/.ENV.local'];

it('INF-13 BND-15 a search names a place in a file of secrets, and does not show its line', async () => {
  const replyValue = [...files, 'b.txt'].map(at);
  const bridge = await openTestBridge({
    files: {
      'a.txt': 'function alpha\n',
      'b.txt': 'alpha\n',
      ...Object.fromEntries(files.map((file) => [file, secret])),
    },
    servers: {
      fake: {
        extensions: ['txt', 'pem'],
        lives: [{ rules: [{ on: { method: 'textDocument/references' }, do: [{ replyValue }] }] }],
      },
    },
  });
  const { data, text } = await bridge.call('find_references', { file_path: 'a.txt', line: 1, character: 10 });
  expect(data).toMatchObject({ total: 5 });
  for (const file of files) expect(text).toContain(file);
  expect(text + JSON.stringify(data)).not.toContain('secret words');
  expect(text).toContain('alpha');
});
