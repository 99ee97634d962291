import { expect, it } from 'vitest';
import { OutsideFiles } from '../../../../src/backends/lsp/session/outside-files.ts';

it('an answer that comes while it is looked which files are outside is not given before that is known', async () => {
  let endLook: (answer: unknown) => void = () => {};
  const looked = new Promise<unknown>((resolve) => {
    endLook = resolve;
  });
  const outside = new OutsideFiles({
    server: 'server',
    programs: { socketBy: 'socket', socketOf: () => undefined, open: async () => async () => [] },
    isHidden: () => true,
    request: () => looked,
    notify: () => {},
    fault: () => {},
  });
  const answered: string[] = [];
  const ask = async (name: string) => {
    await outside.ask('textDocument/hover', async () => name);
    answered.push(name);
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const first = ask('first');
  await turn();
  const second = ask('second');
  await turn();
  expect(answered).toEqual([]);
  endLook({});
  await Promise.all([first, second]);
  expect(answered.toSorted()).toEqual(['first', 'second']);
});
