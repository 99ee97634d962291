import { expect, it } from 'vitest';
import { openTestBridge, question } from '../../../test-bridge.ts';

it('a server that reads an index marks its answers, and makes no changes', async () => {
  const bridge = await openTestBridge({ servers: { fake: { isStatic: true } } });
  const { text, data } = await bridge.call(question.tool, question.input);
  expect(data).toMatchObject({ ...question.answer, complete: false });
  expect(text).toContain('(as_of): fake answers from an index');
  const rename = { file_path: 'a.txt', symbol_name: 'alpha', line: 1, character: 10, new_name: 'omega' };
  expect(await bridge.call('rename_symbol', rename)).toMatchObject({ isError: true });
  const checked = await bridge.call('get_diagnostics', { file_path: 'a.txt' });
  expect(checked.text).not.toContain('No problems');
});
