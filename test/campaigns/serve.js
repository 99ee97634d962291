// The built `lspan serve` on a free port, for the campaigns that ask it over HTTP.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { run } from './pinned.js';

const bin = path.resolve(import.meta.dirname, '../../dist/bin.js');

/** Serves a project until `end`; `env` says where its tokens are kept. */
export async function startServe(project, { args = [], env }) {
  const words = ['serve', '--port', '0', '--workspace', project, ...args];
  const { firstLine, pid, end } = await startListening([bin, ...words], { env, match: /http:\/\/\S+/ });
  const { printed } = await run(process.execPath, [bin, 'token', 'show'], { env });
  const [url] = firstLine;
  return { url, port: new URL(url).port, token: printed.trim(), pid, end };
}

/** Starts a program on Node and waits for the line by which it says that it listens. */
export async function startListening(words, { env, match }) {
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'], env });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const said = new Promise((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = match.exec(line);
      if (found) resolve(found);
    });
  });
  const early = ended.then((code) => Promise.reject(new Error(`It ended with ${code} before it listened.`)));
  const firstLine = await Promise.race([said, early]);
  return {
    firstLine,
    pid: child.pid,
    async end() {
      child.stdin.end();
      child.kill('SIGTERM');
      const code = await ended;
      // By itself, with the code of whoever was asked to end; not killed by the signal.
      if (code !== 0 && code !== 143) throw new Error(`It ended with ${code}.`);
    },
  };
}
