// A bare client for a language server: the limit that lspan is measured against.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Starts a language server.
 * @param {{ command: string[], cwd: string, env: Record<string, string>, settings?: object }} how `settings`
 * answers the server's `workspace/configuration`
 */
export function startRawClient({ command: [file, ...args], cwd, env, settings = {} }) {
  const child = spawn(file, args, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
  const pending = new Map();
  let lastId = 0;
  const send = (message) => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    child.stdin.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
  };
  const receive = (message) => {
    if (message.method !== undefined) {
      if (message.id !== undefined) send({ id: message.id, result: answer(message, settings) });
      return;
    }
    const { resolve, reject } = pending.get(message.id);
    pending.delete(message.id);
    if (message.error) reject(new Error(`${message.error.code}: ${message.error.message}`));
    else resolve(message.result);
  };
  child.stdout.on('data', frameReader(receive));
  child.on('exit', () => {
    for (const { reject } of pending.values()) reject(new Error('The language server has ended.'));
  });
  const request = (method, params) =>
    new Promise((resolve, reject) => {
      const id = ++lastId;
      pending.set(id, { resolve, reject });
      send({ id, method, params });
    });
  return {
    pid: child.pid,
    request,
    notify: (method, params) => send({ method, params }),
    async stop() {
      const ended = once(child, 'exit');
      await request('shutdown');
      send({ method: 'exit' });
      child.stdin.end();
      await ended;
    },
  };
}

/** Servers wait for the answers to their requests; but for the settings, `null` is what they need. */
function answer({ method, params }, settings) {
  if (method !== 'workspace/configuration') return null;
  return params.items.map(
    ({ section = '' }) =>
      section
        .split('.')
        .filter(Boolean)
        .reduce((inner, key) => inner?.[key], settings) ?? {},
  );
}

/** Cuts the bytes of a server into messages. */
function frameReader(receive) {
  let rest = Buffer.alloc(0);
  let wanted = 0;
  let waiting = [];
  let waitingBytes = 0;
  return (chunk) => {
    waiting.push(chunk);
    waitingBytes += chunk.length;
    if (rest.length + waitingBytes < wanted) return;
    rest = rest.length === 0 && waiting.length === 1 ? chunk : Buffer.concat([rest, ...waiting]);
    waiting = [];
    waitingBytes = 0;
    wanted = 0;
    for (;;) {
      const headerEnd = rest.indexOf('\r\n\r\n');
      if (headerEnd === -1) return;
      const length = Number(/Content-Length: (\d+)/i.exec(rest.toString('latin1', 0, headerEnd))[1]);
      const end = headerEnd + 4 + length;
      if (rest.length < end) {
        wanted = end;
        return;
      }
      const body = rest.toString('utf8', headerEnd + 4, end);
      rest = rest.subarray(end);
      receive(JSON.parse(body));
    }
  };
}
