// Clients of HTTP that cost little themselves: a connection each, kept alive, one request at a time.
import { connect } from 'node:net';

/** Opens a connection; `post` resolves to the status, the headers (lower case) and the body of the answer. */
export async function openClient(url, headers) {
  const { hostname, port, pathname, host } = new URL(url);
  const socket = connect(Number(port), hostname).setNoDelay(true);
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  let waiting;
  let held = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const answer = readAnswer(held);
    if (!answer) return;
    held = held.subarray(answer.end);
    waiting?.resolve(answer);
  });
  socket.on('close', () => waiting?.reject(new Error('The connection was closed.')));
  return {
    post(body, more = {}) {
      const bytes = Buffer.from(JSON.stringify(body));
      const lines = Object.entries({ ...headers, ...more }).map(([name, value]) => `${name}: ${value}\r\n`);
      const head = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${bytes.length}\r\n${lines.join('')}\r\n`;
      return new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new Error('The connection was closed while it rested.'));
        waiting = { resolve, reject };
        socket.write(Buffer.concat([Buffer.from(head), bytes]));
      });
    },
    close: () => socket.destroy(),
  };
}

/** One whole answer at the beginning of what has come, by its length or in chunks. */
function readAnswer(held) {
  const headEnd = held.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const [first, ...lines] = held.toString('latin1', 0, headEnd).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  const status = Number(first.split(' ')[1]);
  const start = headEnd + 4;
  if (headers['transfer-encoding'] === 'chunked') return readChunks(held, start, status, headers);
  const end = start + Number(headers['content-length'] ?? 0);
  if (held.length < end) return undefined;
  return { status, headers, end, body: held.toString('utf8', start, end) };
}

function readChunks(held, start, status, headers) {
  const parts = [];
  for (let at = start; ; ) {
    const lineEnd = held.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(held.toString('latin1', at, lineEnd), 16);
    const end = lineEnd + 2 + size + 2;
    if (held.length < end) return undefined;
    if (size === 0) return { status, headers, end, body: Buffer.concat(parts).toString('utf8') };
    parts.push(held.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = end;
  }
}
