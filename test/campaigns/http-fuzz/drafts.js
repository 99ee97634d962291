// Requests as good clients send them, of both eras; what is fuzzed begins as one of these.

/** A draft: a request in parts that can be changed, or rendered to bytes. */
export function draftRequest(chance, setting) {
  const kind = chance.below(20);
  if (kind === 0) return plain('GET', '/healthz', setting, {}, false);
  if (kind === 1) return plain('GET', '/metrics', setting);
  // What is answered to it is told apart only where nothing else is.
  if (kind === 2 && setting.isAlone) return plain('HEAD', '/healthz', setting, {}, false);
  if (kind === 3)
    return plain('GET', '/mcp', setting, { Accept: 'text/event-stream', ...inSession(chance, setting) });
  if (kind === 4) return plain('DELETE', '/mcp', setting, inSession(chance, setting));
  return kind < 12 ? older(chance, setting) : modern(chance, setting);
}

function older(chance, setting) {
  const opens = chance.below(6) === 0;
  const [method, params] = opens ? ['initialize', opening] : chance.pick([...asked, ...olderOnly]);
  const isNotification = method.startsWith('notifications/');
  const message = {
    jsonrpc: '2.0',
    ...(!isNotification && { id: setting.id }),
    method,
    params: copy(params),
  };
  if (chance.below(4) === 0) message.params._meta = { progressToken: setting.id };
  return post(message, setting, opens ? {} : inSession(chance, setting));
}

function modern(chance, setting) {
  const [method, params] = chance.pick([...asked, ...modernOnly]);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const name = params.name ?? params.uri;
  const message = { jsonrpc: '2.0', id: setting.id, method, params: { ...copy(params), _meta } };
  return post(message, setting, {
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': method,
    ...(name !== undefined && { 'Mcp-Name': name }),
  });
}

function post(message, setting, headers) {
  const accept = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  return { ...plain('POST', '/mcp', setting, { ...accept, ...headers }), message };
}

function plain(method, target, { port, token }, headers = {}, needsToken = true) {
  const own = { Host: `127.0.0.1:${port}`, ...(token && needsToken && { Authorization: `Bearer ${token}` }) };
  const lines = Object.entries({ ...own, ...headers });
  return { method, target, version: 'HTTP/1.1', headers: lines, end: '\r\n', isWhole: true };
}

function inSession(chance, { sessions }) {
  if (sessions.length === 0) return { 'MCP-Protocol-Version': '2025-11-25' };
  return { 'Mcp-Session-Id': chance.pick(sessions), 'MCP-Protocol-Version': '2025-11-25' };
}

/** The bytes of a draft, with the length that its body has unless it tells another. */
export function render(draft) {
  const { method, target, version, headers, end, body, chunks, length } = draft;
  const told = chunks
    ? [['Transfer-Encoding', 'chunked']]
    : body && length !== null
      ? [['Content-Length', length ?? body.length]]
      : [];
  const lines = [...headers, ...told].map(([name, value, colon = ': ']) => `${name}${colon}${value}${end}`);
  const head = Buffer.from(`${method} ${target} ${version}${end}${lines.join('')}${end}`, 'latin1');
  if (chunks) return Buffer.concat([head, ...chunks]);
  return body ? Buffer.concat([head, body]) : head;
}

/** A body in chunks, each with what is told of its size. */
export function chunked(body, size = 64, tell = (length) => length.toString(16), trailer = '') {
  const parts = [];
  for (let at = 0; at < body.length; at += size) {
    const part = body.subarray(at, at + size);
    parts.push(Buffer.from(`${tell(part.length)}\r\n`, 'latin1'), part, Buffer.from('\r\n'));
  }
  return [...parts, Buffer.from(`0\r\n${trailer}\r\n`, 'latin1')];
}

function copy(value) {
  return structuredClone(value);
}

const place = { file_path: 'b.txt', line: 1, character: 1 };
const opening = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'fuzz', version: '1' },
};

const asked = [
  ['tools/list', {}],
  ['prompts/list', {}],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['resources/read', { uri: 'lspan://diagnostics/a.txt' }],
  ['prompts/get', { name: 'rename_safely', arguments: { file_path: 'a.txt', line: '1', character: '10' } }],
  ['tools/call', { name: 'find_definition', arguments: place }],
  ['tools/call', { name: 'find_references', arguments: place }],
  ['tools/call', { name: 'get_document_symbols', arguments: { file_path: 'a.txt' } }],
  ['tools/call', { name: 'search_symbols', arguments: { query: 'alpha' } }],
  ['tools/call', { name: 'get_diagnostics', arguments: { file_path: 'a.txt' } }],
  ['tools/call', { name: 'vscode.lsp.workspaceSymbols', arguments: { query: 'alpha' } }],
  ['tools/call', { name: 'vscode.lsp.diagnostics.workspace', arguments: {} }],
  ['tools/call', { name: 'rename_symbol', arguments: { ...place, new_name: 'gamma', dry_run: true } }],
  [
    'completion/complete',
    {
      ref: { type: 'ref/resource', uri: 'lspan://diagnostics/{+path}' },
      argument: { name: 'path', value: 'a' },
    },
  ],
];

const olderOnly = [
  ['ping', {}],
  ['logging/setLevel', { level: 'info' }],
  ['resources/subscribe', { uri: 'lspan://diagnostics/a.txt' }],
  ['resources/unsubscribe', { uri: 'lspan://diagnostics/a.txt' }],
  ['notifications/initialized', {}],
  ['notifications/cancelled', { requestId: 1 }],
  ['notifications/roots/list_changed', {}],
];

const modernOnly = [
  ['server/discover', {}],
  [
    'subscriptions/listen',
    { notifications: { resourceSubscriptions: ['lspan://diagnostics/a.txt'], toolsListChanged: true } },
  ],
];
