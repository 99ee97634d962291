// A bare program around lspan: it starts `lspan host`, and speaks RPC in frames over its stdin and stdout, and MCP in
// lines over its descriptors 3 and 4.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Starts it with some arguments and, where given, the variable that it boots by. */
export function startHostClient({ bin, args = [], cwd, env, bootstrap, nodeArgs = [] }) {
  const child = spawn(process.execPath, [...nodeArgs, bin, 'host', ...args], {
    cwd,
    env: { ...env, ...(bootstrap && { LSP_BOOTSTRAP: JSON.stringify(bootstrap) }) },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  const [stdin, stdout, stderr, input, output] = child.stdio;
  // That it has ended is told by its exit.
  for (const stream of child.stdio) stream.on('error', () => {});
  const said = [];
  stderr.setEncoding('utf8').on('data', (text) => said.push(text));
  const rpc = new Channel((text) => stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`));
  const mcp = new Channel((text) => input.write(`${text}\n`));
  stdout.on(
    'data',
    frameReader((text) => rpc.receive(text)),
  );
  output.setEncoding('utf8').on(
    'data',
    lineReader((text) => mcp.receive(text)),
  );
  const exited = once(child, 'exit').then(([code, signal]) => {
    for (const channel of [rpc, mcp]) channel.end();
    return { code, signal };
  });
  return {
    pid: child.pid,
    child,
    rpc,
    mcp,
    exited,
    /** The streams that a host may close. */
    streams: { stdin, stdout, input, output },
    /** What it wrote to stderr. */
    said: () => said.join(''),
    ready: () => rpc.heard('lsp/ready'),
    async initialize() {
      const clientInfo = { name: 'bench', version: '1' };
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
      const { result } = await mcp.request('initialize', params);
      mcp.notify('notifications/initialized');
      return result;
    },
    /** Calls a tool over MCP; an error of the tool is an error here. */
    async call(name, args) {
      const { result } = await mcp.request('tools/call', { name, arguments: args });
      if (result.isError) throw new Error(`${name}: ${result.content[0].text}`);
      return result;
    },
    async stop() {
      rpc.request('lsp/shutdown').catch(() => {});
      return exited;
    },
  };
}

/** One channel: what was asked over it, and what came. */
export class Channel {
  #write;
  #pending = new Map();
  #listeners = new Map();
  #lastId = 0;
  /** Answers to nothing that is waited for. */
  strays = [];

  constructor(write) {
    this.#write = write;
  }

  /** Gives the whole answer, also where it is an error. */
  request(method, params = {}, id = ++this.#lastId) {
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  notify(method, params = {}) {
    this.#send({ method, params });
  }

  /** Takes back that an answer is waited for; gives whether it still was. */
  forget(id) {
    return this.#pending.delete(id);
  }

  /** Resolves with the params of the next notification of a method. */
  heard(method) {
    return new Promise((resolve, reject) => this.#listeners.set(method, { resolve, reject }));
  }

  receive(text) {
    const message = JSON.parse(text);
    const of = message.method === undefined ? this.#pending : this.#listeners;
    const key = message.method ?? message.id;
    const waiting = of.get(key);
    of.delete(key);
    if (waiting) waiting.resolve(message.method === undefined ? message : message.params);
    else if (message.method === undefined) this.strays.push(message);
  }

  end() {
    for (const waiting of [this.#pending, this.#listeners]) {
      for (const { reject } of waiting.values()) reject(new Error('lspan has ended.'));
      waiting.clear();
    }
  }

  #send(message) {
    this.#write(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }
}

/** Cuts bytes into the bodies of frames. */
function frameReader(receive) {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const end = rest.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/Content-Length: (\d+)/.exec(rest.toString('latin1', 0, end))?.[1]);
      const next = end + 4 + length;
      if (rest.length < next) return;
      receive(rest.toString('utf8', end + 4, next));
      rest = rest.subarray(next);
    }
  };
}

/** Cuts text into lines. */
function lineReader(receive) {
  let rest = '';
  return (text) => {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop();
    for (const line of lines) receive(line);
  };
}
