import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { Fixture } from './mcp/start-frontend.ts';

const fixture = new Fixture();
afterAll(() => fixture.close());

describe.each([
  ['the end of stdin', 'end', 0],
  ['SIGTERM', 'SIGTERM', 143],
  ['SIGINT', 'SIGINT', 130],
  ['SIGHUP', 'SIGHUP', 129],
] as const)('TRN-26 PRC-14 %s', (_, ending, code) => {
  test(`cancels the calls, closes the bridge hurriedly and exits with ${code}`, async () => {
    const frontend = fixture.start();
    await frontend.initialize();
    frontend.send({ id: 1, method: 'tools/call', params: { name: 'wait' } });
    await frontend.stub('called');
    if (ending === 'end') frontend.child.stdin?.end();
    else frontend.child.kill(ending);
    expect(await frontend.exit).toEqual({ code, signal: null });
    expect(await frontend.stub('aborted')).toBeDefined();
    expect(await frontend.stub('closed')).toMatchObject({ hurried: true });
    expect(frontend.messages().map((message) => message.id)).toEqual(['init']);
  });

  test(`before any call exits with ${code} and opens no bridge`, async () => {
    const frontend = fixture.start();
    await frontend.initialize();
    if (ending === 'end') frontend.child.stdin?.end();
    else frontend.child.kill(ending);
    expect(await frontend.exit).toEqual({ code, signal: null });
    expect(frontend.log.join('\n')).not.toContain('"stub"');
  });
});

test('PRC-14 a bridge that does not close delays the exit only up to the limit', async () => {
  const frontend = fixture.start({}, { STUB_CLOSE: 'hangs' });
  await frontend.initialize();
  await frontend.call(1, 'echo');
  frontend.child.stdin?.end();
  expect(await frontend.exit).toEqual({ code: 0, signal: null });
});

test('PRC-14 a second signal ends the process at once', async () => {
  const frontend = fixture.start({}, { STUB_CLOSE: 'hangs' });
  await frontend.initialize();
  await frontend.call(1, 'echo');
  frontend.child.kill('SIGINT');
  await frontend.stub('closed');
  frontend.child.kill('SIGTERM');
  expect(await frontend.exit).toEqual({ code: 143, signal: null });
});

test('TRN-26 a client that stops reading and goes away is noticed by the broken pipe', async () => {
  const frontend = fixture.start();
  await frontend.initialize();
  frontend.child.stdout?.destroy();
  frontend.send({ id: 1, method: 'tools/call', params: { name: 'echo' } });
  expect((await frontend.exit).code).toBe(0);
});

test('TRN-26 a killed client is noticed although another process holds its end of the pipe', async () => {
  const fifo = path.join(fixture.folder, 'stdin');
  execFileSync('mkfifo', [fifo]);
  const holder = openSync(fifo, 'r+');
  const [node, bin] = fixture.command;
  const log = path.join(fixture.folder, 'log');
  const start = `"$0" "$1" '{}' < "$2" 2> "$3" & exec sleep 600`;
  const client = spawn('sh', ['-c', start, node, bin, fifo, log], { stdio: ['ignore', 'pipe', 'ignore'] });
  writeSync(holder, '{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  await once(client.stdout, 'data');
  client.kill('SIGKILL');
  // The frontend has inherited the other end of this pipe as its stdout: it closes when the process ends.
  await once(client.stdout, 'close');
  expect(readFileSync(log, 'utf8')).toContain('parent_gone');
  closeSync(holder);
});
