import { expect, it } from 'vitest';
import type { Action } from '../fake-server/script.ts';
import { openTestBridge } from '../test-bridge.ts';

const failing: Action = { replyError: { code: -32_803, message: 'It went wrong.' } };
const files = { 'a.txt': 'function alpha\nalpha\n', 'b.txt': 'function gamma\nalpha ( other )\n' };

it('where the definition of a symbol cannot be told, uses under other names are a doubt', async () => {
  const rules = [{ on: { method: 'textDocument/definition' }, do: [failing] }];
  const bridge = await openTestBridge({ files, servers: { fake: { lives: [{ rules }] } } });
  const { data } = await bridge.call('find_references', { file_path: 'b.txt', line: 2, character: 1 });
  expect(data).toMatchObject({
    complete: false,
    total: 3,
    doubts: [{ kind: 'server_unavailable', detail: expect.stringMatching(/uses by other names/) }],
  });
});
