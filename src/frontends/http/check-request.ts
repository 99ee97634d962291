import { type Refusal, refusals } from './refusals.ts';
import type { Route, Rules } from './request-rules.ts';

/** The verdict on a request line and headers: refused, or admitted to a route with a token id. */
type Admission =
  | { readonly kind: 'refused'; readonly route?: Route; readonly refusal: Refusal; readonly allow?: string }
  | {
      readonly kind: 'admitted';
      readonly route: Route;
      readonly tokenId: string;
      readonly headers: HeaderMap['values'];
    };

/** Checks the request line and headers, before any of the body is read. The order is a documented promise. */
export function checkRequest(
  method: string,
  target: string,
  rawHeaders: readonly string[],
  rules: Rules,
): Admission {
  if (rawHeaders.length > 2 * rules.most.headers) return { kind: 'refused', refusal: refusals.headers };
  if (target.charCodeAt(0) !== slash) return { kind: 'refused', refusal: refusals.target };
  const route = rules.routes.get(target);
  if (!route) return { kind: 'refused', refusal: refusals.path };
  if (!route.methods.has(method)) {
    return { kind: 'refused', route, refusal: refusals.method, allow: route.allow };
  }
  const headers = readHeaders(rawHeaders);
  const stranger = judgePlace(headers, rules);
  if (stranger) return { kind: 'refused', route, refusal: stranger };
  const tokenId = route.open ? '' : tokenIdOf(headers, rules);
  if (tokenId === undefined) return { kind: 'refused', route, refusal: refusals.token };
  const refusal = judgeContent(method, route, headers, rules);
  return refusal
    ? { kind: 'refused', route, refusal }
    : { kind: 'admitted', route, tokenId, headers: headers.values };
}

/** Refuses web pages, revealed by their Origin, or by a Host that DNS rebinding made lead to this server. */
function judgePlace({ values, repeated }: HeaderMap, rules: Rules): Refusal | undefined {
  if (values.has('upgrade')) return refusals.upgrade;
  const host = values.get('host');
  if (host === undefined || repeated.has('host')) return refusals.hostCount;
  if (!rules.hosts.has(host)) return refusals.host;
  const origin = values.get('origin');
  if (origin === undefined) return undefined;
  return repeated.has('origin') || !rules.origins.has(origin) ? refusals.origin : undefined;
}

function tokenIdOf({ values, repeated }: HeaderMap, rules: Rules): string | undefined {
  const given = values.get('authorization');
  if (given === undefined || repeated.has('authorization')) return undefined;
  const scheme = given.slice(0, 7);
  if (scheme !== 'Bearer ' && scheme.toLowerCase() !== 'bearer ') return undefined;
  const token = given.slice(7);
  return token === '' || token.includes(' ') || token.includes('\t') ? undefined : rules.tokenIdOf(token);
}

function judgeContent(method: string, route: Route, headers: HeaderMap, rules: Rules): Refusal | undefined {
  const { values, repeated } = headers;
  if (method === 'POST') {
    const refusal = judgeBody(headers);
    if (refusal) return refusal;
  }
  if (repeated.size > 0) return refusals.repeated;
  if ((values.get('expect') ?? usualExpect).toLowerCase() !== usualExpect) return refusals.expectation;
  const length = values.get('content-length') ?? '0';
  if (method !== 'POST' && (length !== '0' || values.has('transfer-encoding')))
    return refusals.unexpectedBody;
  if (route.name === 'endpoint' && !acceptsAnswer(method, values.get('accept') ?? '')) return refusals.accept;
  return Number(length) > rules.most.body ? refusals.length : undefined;
}

function judgeBody({ values, repeated }: HeaderMap): Refusal | undefined {
  if (repeated.has('content-type') || !isJsonType(values.get('content-type') ?? '')) {
    return refusals.contentType;
  }
  const encoding = values.get('content-encoding') ?? 'identity';
  if (repeated.has('content-encoding') || encoding.toLowerCase() !== 'identity') {
    return refusals.contentEncoding;
  }
  const transfer = values.get('transfer-encoding') ?? 'chunked';
  return transfer.toLowerCase() === 'chunked' ? undefined : refusals.transferEncoding;
}

function acceptsAnswer(method: string, accept: string): boolean {
  if (accept === usual) return true;
  if (method === 'POST' && !acceptsType(accept, 'application/json')) return false;
  return method === 'DELETE' || acceptsType(accept, 'text/event-stream');
}

const usual = 'application/json, text/event-stream';

const usualExpect = '100-continue';

const slash = 0x2f;

/** True if an Accept header names the media type itself; a wildcard does not promise to understand it. */
function acceptsType(accept: string, type: string): boolean {
  return accept.split(',').some((range) => {
    const [name = '', ...parameters] = range.split(';');
    return name.trim().toLowerCase() === type && !parameters.some(isZeroQuality);
  });
}

/** True if a Content-Type is JSON in UTF-8; any parameter other than this charset is refused. */
function isJsonType(contentType: string): boolean {
  if (contentType === 'application/json') return true;
  const [name = '', ...parameters] = contentType.toLowerCase().split(';');
  return name.trim() === 'application/json' && parameters.every((one) => utf8.has(one.trim()));
}

const utf8: ReadonlySet<string> = new Set(['charset=utf-8', 'charset="utf-8"']);

function isZeroQuality(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=');
  return name.trim().toLowerCase() === 'q' && Number(value.trim()) === 0;
}

/** The headers as received: Node drops or joins repeated headers, and some must not be repeated. */
interface HeaderMap {
  readonly values: ReadonlyMap<string, string>;
  /** The headers that occur more than once and are not lists. */
  readonly repeated: ReadonlySet<string>;
}

/** Reads Node's `rawHeaders`: alternating names and values, names in any case. */
function readHeaders(raw: readonly string[]): HeaderMap {
  const values = new Map<string, string>();
  let repeated: Set<string> | undefined;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at]?.toLowerCase() ?? '';
    const value = raw[at + 1] ?? '';
    const before = values.get(name);
    if (before === undefined) values.set(name, value);
    else if (lists.has(name)) values.set(name, `${before}, ${value}`);
    else repeated = (repeated ?? new Set()).add(name);
  }
  return { values, repeated: repeated ?? none };
}

const none: ReadonlySet<string> = new Set();

/** Headers whose values are lists by definition, so that repeating them equals one joined header. */
const lists: ReadonlySet<string> = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'baggage',
  'cache-control',
  'connection',
  'cookie',
  'forwarded',
  'pragma',
  'te',
  'trailer',
  'tracestate',
  'via',
  'x-forwarded-for',
]);
