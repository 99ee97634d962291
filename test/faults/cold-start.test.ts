import { expect, it, onTestFinished } from 'vitest';
import { ask, expectInOrder, openTestBridge, question } from '../test-bridge.ts';

it('RES-13 50 calls at once on a cold bridge start one process, and all are answered without a warning', async () => {
  const warnings: Error[] = [];
  const warn = (warning: Error) => warnings.push(warning);
  process.on('warning', warn);
  onTestFinished(() => void process.off('warning', warn));
  const bridge = await openTestBridge();
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => ask(bridge)));
  for (const { data } of outcomes) expect(data).toMatchObject({ complete: true, ...question.answer });
  expect(bridge.pids()).toHaveLength(1);
  const opened = bridge.received().filter(({ method }) => method === 'textDocument/didOpen');
  expect(opened).toHaveLength(2);
  await expectInOrder(bridge);
  expect(warnings).toEqual([]);
});

it('50 calls at once of which all but one are given up: the one is answered', async () => {
  const bridge = await openTestBridge();
  const callers = Array.from({ length: 50 }, () => new AbortController());
  const asked = callers.map(({ signal }) => ask(bridge, { signal }));
  await bridge.sent('initialize');
  for (const caller of callers.slice(1)) caller.abort();
  const [first, ...others] = await Promise.all(asked);
  expect(first?.data).toMatchObject({ complete: true, ...question.answer });
  for (const { data } of others) expect(data).toMatchObject({ error: { code: 'cancelled' } });
  expect(bridge.pids()).toHaveLength(1);
});

it('a bridge that nobody asks starts nothing, and opening it leaves no trace', async () => {
  const bridge = await openTestBridge();
  expect((await bridge.call('get_server_status', {})).data).toMatchObject({
    servers: [{ state: 'not_started' }],
  });
  await bridge.close();
  expect(bridge.pids()).toEqual([]);
});
