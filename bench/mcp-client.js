// A bare MCP client over pipes, so that what is measured of lspan is lspan, and not a library on the other side.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Starts lspan with some arguments, of Node and of its own. */
export function startMcpClient({ nodeArgs = [], bin, args, cwd, env }) {
  const child = spawn(process.execPath, [...nodeArgs, bin, ...args], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const pending = new Map();
  let lastId = 0;
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  child.stdout.setEncoding('utf8').on(
    'data',
    lineReader((line) => {
      const { id, result, error } = JSON.parse(line);
      // Lines that were no messages are answered without an id.
      const { resolve, reject } = pending.get(id) ?? nobody;
      pending.delete(id);
      if (error) reject(new Error(`${error.code}: ${error.message}`));
      else resolve(result);
    }),
  );
  child.on('exit', () => {
    for (const { reject } of pending.values()) reject(new Error('lspan has ended.'));
  });
  const request = (method, params = {}) =>
    new Promise((resolve, reject) => {
      const id = ++lastId;
      pending.set(id, { resolve, reject });
      send({ id, method, params });
    });
  return {
    pid: child.pid,
    request,
    write: (text) => child.stdin.write(text),
    async initialize() {
      const result = await request('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'bench', version: '1' },
      });
      send({ method: 'notifications/initialized' });
      return result;
    },
    /** Gives the structured answer of a tool; an error of the tool is an error here. */
    async call(name, args) {
      const result = await request('tools/call', { name, arguments: args });
      if (result.isError) throw new Error(`${name}: ${result.content[0].text}`);
      return result.structuredContent;
    },
    /** What a tool answered, or the code of its error. */
    async outcome(name, args) {
      const { isError, structuredContent } = await request('tools/call', { name, arguments: args });
      if (!isError) return structuredContent;
      const { code, message } = structuredContent.error;
      return { error: code, message };
    },
    /** Asks and takes it back; nothing is answered. */
    callAndCancel(name, args) {
      const id = ++lastId;
      send({ id, method: 'tools/call', params: { name, arguments: args } });
      // It may have been answered before the cancellation is read.
      pending.set(id, { resolve: () => {}, reject: () => {} });
      send({ method: 'notifications/cancelled', params: { requestId: id } });
    },
    async stop() {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
    /** For a program that goes on when its client has gone, or that is to end without a chance to say so. */
    async terminate(signal = 'SIGTERM') {
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
  };
}

const nobody = { resolve: () => {}, reject: () => {} };

/** Cuts text into lines. */
function lineReader(receive) {
  let parts = [];
  return (text) => {
    const lines = text.split('\n');
    parts.push(lines[0]);
    for (let next = 1; next < lines.length; next += 1) {
      receive(parts.join(''));
      parts = [lines[next]];
    }
  };
}
