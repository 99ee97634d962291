import { expect, it } from 'vitest';
import { openTestBridge } from '../../test-bridge.ts';
import { expectPastable, expectSameTwice, readQuestions } from '../read-questions.ts';

const files = {
  'a.txt': 'function alpha\nalpha beta ERROR_here\n  "quoted alpha" # 😀 alpha\n',
  'b.txt': 'alpha is used\nfunction beta\nclass gamma\n',
  'c.txt': '\n\ninterface delta alpha alpha',
};
const questions = () => [
  ...readQuestions({ file_path: 'b.txt', line: 1, character: 1, name: 'alpha' }),
  ...readQuestions({ file_path: 'b.txt', line: 3, character: 7, name: 'gamma' }),
];

it('every place in the answer of a reading tool can be pasted into the next call', async () => {
  const bridge = await openTestBridge({ files });
  expect(await expectPastable(bridge, questions())).toBeGreaterThanOrEqual(10);
});

it('the same question over the same files gives the same bytes', async () => {
  const bridge = await openTestBridge({ files });
  await expectSameTwice(bridge, questions());
});
