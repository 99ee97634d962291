// TRN-30: connections that send a byte a second, beside an honest client that must not notice them.
import { connect } from 'node:net';
import { openClient } from '../../../bench/http-client.js';

/** Opens so many slow connections, half in their headers and half in their bodies, and asks until the last is closed. */
export async function playSlowLoris({ url, port, tokens: [honest, slow] }, count) {
  const client = await openClient(url, {
    Authorization: `Bearer ${honest}`,
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': 'tools/list',
  });
  const before = await ask(client, 200);
  const began = performance.now();
  const connections = Array.from({ length: count }, (_, index) =>
    slowly(port, index % 2 === 0 ? undefined : slow),
  );
  let left = count;
  for (const connection of connections) connection.then(() => (left -= 1));
  const during = { served: 0, times: [] };
  while (left > 0) {
    const { served, times } = await ask(client, 20);
    during.served += served;
    during.times.push(...times);
  }
  client.close();
  const ends = await Promise.all(connections);
  return {
    seconds: (performance.now() - began) / 1000,
    served: during.served,
    asked: during.times.length,
    before: at99(before.times),
    during: at99(during.times),
    ends: Object.fromEntries(
      [...new Set(ends)].map((end) => [end, ends.filter((one) => one === end).length]),
    ),
  };
}

async function ask(client, count) {
  const times = [];
  let served = 0;
  for (let index = 0; index < count; index += 1) {
    const began = performance.now();
    const { status } = await client.post(listing);
    times.push(performance.now() - began);
    served += Number(status === 200);
  }
  return { served, times };
}

const listing = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/list',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'honest', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
};

/** Resolves, when the other side closes, to the status that it answered. */
function slowly(port, token) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const start = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`;
    const rest = `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: 1000\r\n\r\n`;
    let text = '';
    socket.write(token === undefined ? `${start}X-Slow: ` : `${start}${rest}`);
    const timer = setInterval(() => socket.write('a'), 1000);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(timer);
      resolve(/HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 'closed');
    });
  });
}

function at99(times) {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
}
