import { type CallToolResult, ProtocolError } from '@modelcontextprotocol/server';
import { CancelSource } from '../../../../src/core/runtime/cancellation.ts';
import type { Exchange, HttpReply } from '../../../../src/frontends/http/exchange.ts';
import type { ToolCall } from '../../../../src/frontends/mcp/call-tool.ts';
import { makeFastPath } from '../../../../src/frontends/mcp/fast-path/fast-path.ts';
import { Endpoint, type EndpointSettings } from '../../../../src/frontends/mcp/http/endpoint.ts';
import type { Offer } from '../../../../src/frontends/mcp/offer.ts';
import { mcpServer } from '../../../../src/frontends/mcp/sdk/mcp-server.ts';

/** An offer of two tools: one that answers, and one that waits. */
export const offer: Offer = {
  surface: 'lspan',
  identity: {
    capabilities: { tools: {} },
    serverInfo: { name: 'test', version: '1.0.0' },
    instructions: 'Ask.',
  },
  tools: ['echo', 'wait'].map((name) => ({
    name,
    title: name,
    description: name,
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  })),
  prompts: [],
  resourceTemplates: [],
};

/** Makes an endpoint over a function that answers calls; `plain` tells whether what needs no SDK goes without it. */
export function endpointOver(
  answer: (call: ToolCall) => Promise<CallToolResult>,
  {
    plain = true,
    ...settings
  }: Partial<Omit<EndpointSettings, 'fastPath'>> & { readonly plain?: boolean } = {},
): Endpoint {
  return new Endpoint({
    make: ({ tokenId }) => ({
      server: mcpServer(offer, (call) => answer({ ...call, scope: tokenId })),
      close: () => {},
    }),
    ...(plain && { fastPath: makeFastPath(offer, { callTool: answer, knowsFiles: () => false }) }),
    sessions: true,
    log: () => {},
    ...settings,
  });
}

/** Says what it was asked, and by whom. */
export async function echo({ tool, args, client, scope }: ToolCall): Promise<CallToolResult> {
  if (typeof args === 'object' && args && 'fails' in args)
    throw new ProtocolError(-32000, 'It failed.', { code: 'TIMEOUT' });
  const data = { tool, args, client, scope };
  return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data };
}

type Headers = Readonly<Record<string, string | undefined>>;

/** What of an exchange is not as usual. */
export type Given = Partial<Omit<Exchange, 'headers'>> & { readonly headers?: Headers };

/** Headers as the door tells them: what is not there is not named. */
function headersOf(given: Headers): Exchange['headers'] {
  return new Map(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}

/** An exchange as the door would let it in. */
export function exchangeOf(given: Given = {}): Exchange {
  const { headers, ...rest } = given;
  const all = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...headers,
  };
  return {
    method: 'POST',
    body: undefined,
    tokenId: 'one',
    gone: new CancelSource(),
    headers: headersOf(all),
    ...rest,
  };
}

/** What opens a session. */
export const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'tester', version: '1' },
  },
} as const;

/** Opens a session and gives its id. */
export async function openSession({ serve }: Endpoint, holder = 'one'): Promise<string> {
  const reply = await serve(exchangeOf({ body: initialize, tokenId: holder }));
  const id = reply.headers?.['Mcp-Session-Id'] ?? '';
  await textOf(reply);
  const body = { jsonrpc: '2.0', method: 'notifications/initialized' };
  await serve(exchangeOf({ body, tokenId: holder, headers: { 'mcp-session-id': id } }));
  return id;
}

/** A request of the 2026 revision with the headers that mirror it. */
export function modernExchange(
  request: { readonly id?: string | number; readonly method: string; readonly params?: object },
  given: Given = {},
): Exchange {
  const { id = 1, method, params = {} } = request;
  const name = 'name' in params && typeof params.name === 'string' ? { 'mcp-name': params.name } : {};
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'tester', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const added = '_meta' in params && typeof params._meta === 'object' ? params._meta : {};
  return exchangeOf({
    body: { jsonrpc: '2.0', id, method, params: { ...params, _meta: { ...meta, ...added } } },
    ...given,
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...name, ...given.headers },
  });
}

/** The body of a reply, however it comes. */
export async function textOf({ body }: HttpReply): Promise<string> {
  return body instanceof ReadableStream ? new Response(body).text() : (body ?? '');
}

/** The messages of a reply: one in JSON, or those of its events. */
export async function messagesOf(reply: HttpReply): Promise<unknown[]> {
  const text = await textOf(reply);
  if (reply.headers?.['Content-Type'] !== 'text/event-stream') return text === '' ? [] : [JSON.parse(text)];
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
}
