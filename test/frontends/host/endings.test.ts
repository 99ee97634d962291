import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { alive } from '../../../src/platform/processes/process-facts.ts';
import { bin, gone, HostFixture } from './start-host.ts';

// Hovers are never answered, and the server does not exit on request.
const fixture = new HostFixture({
  rules: [
    { on: { start: true }, do: [{ ignoreSigterm: true }, { ignoreEnd: true }] },
    { on: { method: 'textDocument/hover' }, do: [{ never: true }] },
    { on: { method: 'exit' }, do: [{ never: true }] },
  ],
});
afterAll(() => fixture.close());

const hover = { tool: 'get_hover', arguments: { file_path: 'b.txt', line: 1, character: 1 } };

test('TRN-26 the end of stdin ends calls, servers and lspan, even if a server does not exit', async () => {
  const host = fixture.start();
  await host.ready;
  const server = await host.server();
  host.send({ id: 'never', method: 'lsp/call', params: hover });
  await host.ask('lsp/status');
  host.child.stdin?.end();
  expect(await host.exit).toEqual({ code: 0, signal: null });
  // On a busy machine the watchdog ends it a moment later.
  await gone(server);
  expect(host.log).toEqual([]);
});

test('TRN-26 a malformed header causes a line on stderr and exit code 1', async () => {
  const host = fixture.start();
  await host.ready;
  host.child.stdin?.write('{"jsonrpc":"2.0","id":1,"method":"lsp/status"}\n');
  expect(await host.exit).toEqual({ code: 1, signal: null });
  expect(host.log).toEqual([expect.stringMatching(/^lspan: The host broke the protocol: /)]);
});

/** Starts lspan with pipes, makes it start a server, and keeps running. */
const program = `
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, [process.argv[1], 'host'], { stdio: ['pipe', 'pipe', 'inherit', 'pipe', 'pipe'] });
  const ask = (id, tool, input) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'lsp/call', params: { tool, arguments: input } });
    child.stdin.write('Content-Length: ' + Buffer.byteLength(body) + '\\r\\n\\r\\n' + body);
  };
  ask(1, 'find_definition', { file_path: 'b.txt', line: 1, character: 1 });
  let heard = '';
  child.stdout.on('data', (data) => {
    if (!heard.includes('"id":1') && String(data).includes('"id":1')) ask(2, 'get_server_status', {});
    heard += data;
    const [, server] = /"pid":(\\d+)/.exec(heard) ?? [];
    if (server) process.stdout.write(child.pid + ' ' + server + '\\n');
  });
`;

test('TRN-26 PRC-14 a killed program leaves neither lspan nor a server behind', async () => {
  const killed = spawn(process.execPath, ['-e', program, bin], {
    cwd: fixture.folder,
    env: { ...fixture.environment, LSP_BOOTSTRAP: fixture.bootstrap },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void killed.kill('SIGKILL'));
  let log = '';
  killed.stderr.on('data', (data) => {
    log += data;
  });
  const [line] = await once(killed.stdout, 'data');
  const pids = String(line).trim().split(' ').map(Number);
  expect(pids.map(alive)).toEqual([true, true]);
  killed.kill('SIGKILL');
  for (const pid of pids) await gone(pid);
  // Three channels ended at once, which is not reported as a lost channel.
  expect(log).toBe('');
});

test('TRN-26 a killed program is noticed although another process holds its pipes', async () => {
  const names = ['stdin', 'in', 'out'];
  execFileSync('mkfifo', names, { cwd: fixture.folder });
  const holders = names.map((name) => openSync(path.join(fixture.folder, name), 'r+'));
  const start = '"$0" "$1" host --log-level info < stdin 3< in 4> out 2> log & exec sleep 600';
  const killed = spawn('sh', ['-c', start, process.execPath, bin], {
    cwd: fixture.folder,
    env: { ...fixture.environment, LSP_BOOTSTRAP: fixture.bootstrap },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void killed.kill('SIGKILL'));
  await once(killed.stdout, 'data');
  killed.kill('SIGKILL');
  // lspan has inherited the other end of this pipe as its stdout: it closes when the process ends.
  await once(killed.stdout, 'close');
  expect(readFileSync(path.join(fixture.folder, 'log'), 'utf8')).toContain('parent_gone');
  for (const holder of holders) closeSync(holder);
});
