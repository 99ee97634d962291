// Words that a request is spoilt with: each is refused by some server, or believed by one that should not.

/** Methods that are not served, and what is none. */
export const methods = 'GET POST DELETE PUT PATCH OPTIONS TRACE CONNECT PRI QUERY get M-SEARCH'
  .split(' ')
  .concat('', 'G T', '\x01', 'A'.repeat(20_000));
/** Targets beside those that are served. */
export const targets = [
  '/mcp/',
  '//mcp',
  '/MCP',
  '/mcp?token=x',
  '/mcp#a',
  '*',
  '/',
  '',
  '/%6dcp',
  '/../mcp',
  '/mcp\0',
  '/m\xe9cp',
  'mcp',
  'http://127.0.0.1/mcp',
  'http://fuzz-host.example/mcp',
  '127.0.0.1:80',
  '/healthz',
  '/metrics',
  '/healthz/',
  `/${'a'.repeat(20_000)}`,
  '/.well-known/oauth-protected-resource',
  '/__proto__',
  '/constructor',
];
/** Versions of the protocol, and what is none. */
export const versions = [
  'HTTP/1.0',
  'HTTP/1.2',
  'HTTP/2.0',
  'HTTP/0.9',
  'HTTP/1.1 ',
  'HTTP/11',
  'ICE/1.0',
  'RTSP/1.0',
  'http/1.1',
  '',
  'HTTP/1.1\r\nX: y',
];
/** Names of headers. */
export const names = [
  'X-A',
  '',
  ' X',
  'X A',
  'X\0',
  'X\xff',
  '(x)',
  '__proto__',
  'constructor',
  'Content-Length',
  'Host',
  'Trailer',
  'TE',
  'Cookie',
  'Mcp-Param-A',
  'X'.repeat(9000),
];
/** What stands between a name and a value. */
export const colons = [' : ', ':', ':\t', ' ', '', '=', ':\r\n\t'];
/** Values of any header. */
export const values = [
  '',
  ' ',
  'a',
  '\xe9\xff',
  'a\tb',
  '\0',
  '\x07',
  'a,b',
  'x'.repeat(9000),
  'x'.repeat(20_000),
  '"',
  '=?base64?!!!?=',
  '=?base64?YQ==?=',
  'null',
  '-1',
  '1e3',
];
/** Headers after the last chunk. */
export const trailers = [
  'X: y\r\n',
  'Content-Length: 5\r\n',
  'Authorization: Bearer a\r\n',
  'Host: fuzz-host.example\r\n',
  'broken\r\n',
  `X: ${'y'.repeat(20_000)}\r\n`,
];
/** How the size of a chunk is told wrongly. */
export const chunkSizes = [
  (size) => `0x${size.toString(16)}`,
  (size) => `${(size + 1).toString(16)}`,
  (size) => `${size.toString(16)} `,
  (size) => `+${size.toString(16)}`,
  (size) => `-${size.toString(16)}`,
  () => 'ffffffffffffffff',
  () => 'fffffffffffffffffff',
  () => '',
  (size) => `000000000000${size.toString(16)}`,
  (size) => `${size.toString(16)}\n`,
];

/** Lengths that the body of a draft does not have. */
export function lengths({ body }) {
  const size = body?.length ?? 0;
  return [
    size + 1,
    size - 1,
    -1,
    `+${size}`,
    `0x${size.toString(16)}`,
    '',
    ' ',
    'abc',
    `${size}.0`,
    `0${size}`,
    2 ** 20 + 1,
    '99999999999999999999',
    0,
  ];
}

/** Values of headers that count. */
export const valuesOf = {
  Host: [
    'fuzz-host.example',
    'localhost',
    '127.0.0.1',
    'user@127.0.0.1',
    '127.1',
    '[::1]',
    '',
    'LOCALHOST:1',
    '127.0.0.1:1, a',
  ],
  Origin: ['http://fuzz-origin.example', 'null', '', 'http://localhost', 'http://127.0.0.1', 'file://'],
  Authorization: [
    '',
    'Bearer',
    'Bearer ',
    'Bearer fuzz-wrong-token',
    'Basic Zm86YmFy',
    'bearer  a',
    'Bearer a b',
    `Bearer ${'a'.repeat(9000)}`,
  ],
  'Content-Type': [
    '',
    'text/plain',
    'application/json; charset=utf-16',
    'application/json;',
    'multipart/form-data; boundary=a',
    'application/JSON',
    'application/json, text/plain',
  ],
  Accept: [
    '',
    '*/*',
    'application/json',
    'text/event-stream',
    'text/event-stream;q=0, application/json',
    'a'.repeat(5000),
  ],
  Expect: ['100-continue', '200-ok', '', '100-continue, 100-continue'],
  Upgrade: ['websocket', 'h2c', 'TLS/1.0', ''],
  Connection: ['close', 'keep-alive', 'upgrade', 'close, keep-alive', 'Host', ''],
  'Content-Encoding': ['gzip', 'identity', 'br, gzip', ''],
  'Transfer-Encoding': [
    'chunked',
    'gzip, chunked',
    'identity',
    'chunked, chunked',
    'xchunked',
    '',
    'chunked\x0b',
    'CHUNKED',
  ],
  'Mcp-Session-Id': [
    '',
    'guessed',
    '00000000-0000-0000-0000-000000000000',
    'a'.repeat(5000),
    '__proto__',
    '../..',
    'a,b',
    '\xe9',
  ],
  'MCP-Protocol-Version': [
    '1900-01-01',
    '2026-07-28',
    '2025-11-25',
    '2024-11-05',
    'DRAFT',
    '',
    '2025-11-25, 2026-07-28',
    '__proto__',
  ],
  'Mcp-Method': [
    'tools/call',
    'TOOLS/CALL',
    '',
    'initialize',
    '=?base64?dG9vbHMvY2FsbA==?=',
    'a'.repeat(9000),
  ],
  'Mcp-Name': [
    'find_definition',
    '',
    'x',
    '=?base64?ZmluZF9kZWZpbml0aW9u?=',
    '=?base64?%%%?=',
    '\xe9',
    '__proto__',
  ],
  'Last-Event-ID': ['1', '', 'a'.repeat(5000), '__proto__', '\xff'],
};
