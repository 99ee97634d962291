import { afterAll, expect, test } from 'vitest';
import { Fixture, type Frontend } from '../start-frontend.ts';

const fixture = new Fixture();
afterAll(() => fixture.close());

function expectPure(frontend: Frontend): void {
  for (const message of frontend.messages()) expect(message.jsonrpc).toBe('2.0');
}

test('TRN-25 what a dependency prints goes to stderr, and a warning to the log', async () => {
  const frontend = fixture.start();
  await frontend.initialize();
  await frontend.call(1, 'pollutes');
  await frontend.logged('process.warning');
  frontend.child.stdin?.end();
  expect((await frontend.exit).code).toBe(0);
  expectPure(frontend);
  const log = frontend.log.join('\n');
  for (const printed of ['polluted by console.log', 'polluted: true', 'polluted by stdout.write']) {
    expect(log).toContain(printed);
  }
});

test.each([1, 2])(
  'TRN-25 PRC-14 an error that nobody catches (form %d) is logged, and ends with 70',
  async (line) => {
    const frontend = fixture.start();
    await frontend.initialize();
    frontend.send({ id: 1, method: 'tools/call', params: { name: 'crashes', arguments: { line } } });
    expect((await frontend.exit).code).toBe(70);
    expectPure(frontend);
    expect(frontend.log.join('\n')).toContain('nobody catches this');
    expect(await frontend.stub('closed')).toMatchObject({ hurried: true });
  },
);

test('TRN-25 the inspector does not disturb', async () => {
  const frontend = fixture.start({}, {}, ['--inspect=127.0.0.1:0']);
  await frontend.initialize();
  await frontend.call(1, 'echo');
  frontend.child.stdin?.end();
  await frontend.exit;
  expect(frontend.log.join('\n')).toContain('Debugger listening');
  expectPure(frontend);
});

test('TRN-25 a client that closes stderr loses the log and nothing else', async () => {
  const frontend = fixture.start();
  frontend.child.stderr?.destroy();
  await frontend.initialize();
  await frontend.call(1, 'pollutes');
  await frontend.call(2, 'echo');
  frontend.child.stdin?.end();
  expect((await frontend.exit).code).toBe(0);
  expectPure(frontend);
});
