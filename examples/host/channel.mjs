// JSON-RPC 2.0 over two streams. Both channels of `lspan host` speak it; only how messages are told apart differs.

/** RPC: a header with the length of the body in bytes, an empty line, the body. */
export const frames = {
  encode(message) {
    const body = Buffer.from(JSON.stringify(message));
    return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
  },
  /** The first message in the bytes and what follows it; nothing as long as it is not there in whole. */
  decode(bytes) {
    const headerEnd = bytes.indexOf('\r\n\r\n');
    if (headerEnd === -1) return undefined;
    const length = /^Content-Length: *(\d+)/im.exec(bytes.toString('latin1', 0, headerEnd))?.[1];
    if (length === undefined) throw new Error('A message without a Content-Length.');
    const [start, end] = [headerEnd + 4, headerEnd + 4 + Number(length)];
    // The length counts bytes: as a string, the first letter beyond ASCII would shift everything after it.
    if (bytes.length < end) return undefined;
    return { message: JSON.parse(bytes.toString('utf8', start, end)), rest: bytes.subarray(end) };
  },
};

/** MCP: a message a line. */
export const lines = {
  encode: (message) => Buffer.from(`${JSON.stringify(message)}\n`),
  decode(bytes) {
    const end = bytes.indexOf('\n');
    if (end === -1) return undefined;
    return { message: JSON.parse(bytes.toString('utf8', 0, end)), rest: bytes.subarray(end + 1) };
  },
};

/** What the other side answered to a request that it refused. */
export class RpcError extends Error {
  constructor({ code, message, data }) {
    super(message);
    Object.assign(this, { code, data });
  }
}

/** Connects the two streams: `request` resolves to the result of its answer, `on` hears notifications. */
export function openChannel(readable, writable, { encode, decode }) {
  const waiting = new Map();
  const listeners = new Map();
  let lastId = 0;
  let bytes = Buffer.alloc(0);
  const endWith = (error) => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const receive = ({ id, method, params, result, error }) => {
    if (method !== undefined && id === undefined) return listeners.get(method)?.(params);
    // lspan asks for nothing here; whoever does is told so, and not left waiting.
    if (method !== undefined) return send({ id, error: { code: -32601, message: `No method ${method}.` } });
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error) asked?.reject(new RpcError(error));
    else asked?.resolve(result);
  };
  const send = (message) => writable.write(encode({ jsonrpc: '2.0', ...message }));
  readable.on('data', (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (let found = decode(bytes); found; found = decode(bytes)) {
      bytes = found.rest;
      receive(found.message);
    }
  });
  readable.on('close', () => endWith(new Error('lspan has gone.')));
  // That the other side has gone is heard by the stream that is read.
  writable.on('error', () => {});
  return {
    request: (method, params) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        send({ id: lastId, method, params });
      }),
    notify: (method, params) => send({ method, params }),
    on: (method, listener) => listeners.set(method, listener),
  };
}
