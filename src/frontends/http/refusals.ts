import { rpcCodes } from '../../jsonrpc/message.ts';

/** How a request is refused: with a constant text, so that nothing of the request is echoed. */
export interface Refusal {
  readonly status: number;
  /** The code of the JSON-RPC error in the body. */
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const {
  serverError: server,
  invalidRequest: invalid,
  internalError: internal,
  parseError: unparsable,
} = rpcCodes;
const retry = { 'Retry-After': '1' };
const close = { Connection: 'close' };

/** Every refusal of the HTTP server, in the order of the checks; `docs/PROTOCOL.md` lists them too. */
export const refusals = {
  syntax: { status: 400, code: server, message: 'The request is not valid HTTP/1.1.', headers: close },
  headers: { status: 431, code: server, message: 'The headers are too large, or too many.', headers: close },
  late: { status: 408, code: server, message: 'The request did not arrive in time.', headers: close },
  target: { status: 400, code: server, message: 'The target of the request must be a path.' },
  path: { status: 404, code: server, message: 'There is nothing at this path.' },
  method: { status: 405, code: server, message: 'This path does not serve this method; see Allow.' },
  upgrade: {
    status: 426,
    code: server,
    message: 'Only HTTP/1.1 is supported; send no Upgrade header.',
    headers: { Upgrade: 'HTTP/1.1', ...close },
  },
  hostCount: { status: 400, code: server, message: 'A request needs exactly one Host header.' },
  host: { status: 403, code: server, message: 'The Host header does not name this server and its port.' },
  origin: {
    status: 403,
    code: server,
    message: 'This origin is not allowed; start the server with --allow-origin to allow one.',
  },
  token: {
    status: 401,
    code: server,
    message: 'A valid bearer token is needed; `lspan token show` prints it.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  },
  contentType: { status: 415, code: server, message: 'The Content-Type must be application/json in UTF-8.' },
  contentEncoding: { status: 415, code: server, message: 'The body must come without a Content-Encoding.' },
  transferEncoding: { status: 501, code: server, message: 'Transfer-Encoding may only be chunked.' },
  repeated: { status: 400, code: server, message: 'A header that may occur once occurs more often.' },
  expectation: { status: 417, code: server, message: 'Expect may only be 100-continue.' },
  unexpectedBody: { status: 400, code: server, message: 'A request with this method must have no body.' },
  accept: {
    status: 406,
    code: server,
    message: 'Accept must name text/event-stream, and for POST application/json as well.',
  },
  length: { status: 413, code: server, message: 'The body is too large.', headers: close },
  leaving: { status: 503, code: server, message: 'The server is stopping.', headers: close },
  clientBusy: {
    status: 429,
    code: server,
    message: 'Too many requests with this token are in progress; ask again when one has ended.',
    headers: retry,
  },
  busy: {
    status: 503,
    code: server,
    message: 'Too many requests are in progress; ask again when one has ended.',
    headers: retry,
  },
  streams: {
    status: 503,
    code: server,
    message: 'Too many streams are open; close one, or ask again later.',
    headers: retry,
  },
  empty: { status: 400, code: unparsable, message: 'The body is empty.' },
  encoding: { status: 400, code: unparsable, message: 'The body is not valid UTF-8.' },
  depth: { status: 400, code: invalid, message: 'The body is nested too deeply.' },
  width: { status: 400, code: invalid, message: 'The body has too many values, or too many in one object.' },
  json: { status: 400, code: unparsable, message: 'The body is not JSON.' },
  response: {
    status: 500,
    code: internal,
    message: 'The answer is larger than the server may send; ask for less at once.',
  },
  fault: { status: 500, code: internal, message: 'The server failed; its log says more.' },
} as const satisfies Readonly<Record<string, Refusal>>;

/** Returns the body of a refusal: a JSON-RPC error, with the id of the request if known. */
export function refusalBody({ code, message }: Refusal, id: string | number | null = null): string {
  return JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id });
}

/** Returns the name by which a refusal is counted and logged. */
export function refusalName(refusal: Refusal): string | undefined {
  return Object.entries(refusals).find(([, one]) => one === refusal)?.[0];
}
