// The built `lspan serve` on the fake server, in a folder of its own, watched from outside.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { makeFolder, writeFiles } from '../lspan.js';

const root = path.resolve(import.meta.dirname, '../../..');
const bin = path.join(root, 'dist/bin.js');

/** Starts it with two tokens, on a free port, and with words of the caller's beside the usual ones. */
export async function startServe(more) {
  const { project, own, remove } = makeFolder();
  writeFiles(project, {
    'a.txt': 'function alpha\nalpha beta\n',
    'b.txt': 'alpha is used\nfunction beta\n',
  });
  const script = path.join(own, 'script.json');
  const config = path.join(own, 'config.json');
  const command = [process.execPath, path.join(root, 'test/fake-server/fake-server.js'), script];
  const fake = { id: 'fake', command, extensions: ['txt'], ready: 'immediate' };
  writeFiles(own, { 'script.json': '{}', 'config.json': JSON.stringify({ deadline_s: 5, servers: [fake] }) });
  const env = { PATH: process.env.PATH, HOME: own, TMPDIR: own, XDG_STATE_HOME: path.join(own, 'state') };
  const tokenOf = (...words) =>
    execFileSync(process.execPath, [bin, 'token', 'rotate', ...words], { env, encoding: 'utf8' }).trim();
  const tokens = [tokenOf(), tokenOf('--keep')];
  const words = [
    bin,
    'serve',
    '--port',
    '0',
    '--workspace',
    project,
    '--config',
    config,
    '--log-level',
    'info',
    ...more,
  ];
  const child = spawn(process.execPath, words, { env, cwd: project, stdio: ['ignore', 'pipe', 'pipe'] });
  process.on('exit', () => {
    child.kill('SIGKILL');
    remove();
  });
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])
    process.once(signal, () => process.exit(code));
  const noted = { errors: [], sessions: 0, exit: undefined };
  const exited = once(child, 'exit').then(([code, signal]) => {
    noted.exit = code ?? signal;
  });
  createInterface({ input: child.stderr }).on('line', (line) => {
    // Whatever does not look like a line of the log was written by something that broke.
    if (!/^[\d:.]+ (debug|info|warn) /.test(line)) noted.errors.push(line);
    const [, sessions = 0] = /session_opened.*sessions=(\d+)/.exec(line) ?? [];
    noted.sessions = Math.max(noted.sessions, Number(sessions));
  });
  const first = once(createInterface({ input: child.stdout }), 'line');
  const [line] = await Promise.race([
    first,
    exited.then(() => Promise.reject(new Error(noted.errors.join('\n')))),
  ]);
  const url = /http:\/\/\S+/.exec(line)?.[0] ?? '';
  return {
    port: Number(new URL(url).port),
    url,
    tokens,
    noted,
    /** Resident memory in MB. */
    memory: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    async isHealthy() {
      const answer = await fetch(new URL('/healthz', url)).catch(() => undefined);
      return answer?.status === 200 && (await answer.text()) === '{"status":"ok"}';
    },
    /** Has everything loaded, so that no answer is late for that reason. */
    async warmUp() {
      const params = { name: 'find_definition', arguments: { file_path: 'b.txt', line: 1, character: 1 } };
      const post = (message, headers) =>
        fetch(url, {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${tokens[0]}`,
            'Content-Type': 'application/json',
            Accept: 'application/json, text/event-stream',
            ...headers,
          },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
        });
      const clientInfo = { name: 'warm', version: '1' };
      const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
      const opened = await post({ method: 'initialize', params: opening });
      await opened.text();
      const session = opened.headers.get('mcp-session-id');
      const headers = {
        'MCP-Protocol-Version': '2025-11-25',
        ...(session !== null && { 'Mcp-Session-Id': session }),
      };
      const answer = await post({ method: 'tools/call', params }, headers);
      await answer.text();
      if (answer.status !== 200) throw new Error('The call is not answered.');
    },
    async stop() {
      if (noted.exit === undefined) child.kill('SIGTERM');
      await exited;
    },
  };
}
