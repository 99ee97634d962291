import type { TraceEntry } from '../../bridge.ts';
import { limits } from '../../core/limits.ts';
import { type Json, object } from '../../core/runtime/json.ts';
import { redactedPath } from './redacted-path.ts';

/** A JSON-RPC message of a client as the trace tells of it: neither who asked, nor in which session, nor what. */
export interface TracedCall {
  readonly method: string;
  readonly tool?: string | undefined;
  readonly status: number;
  readonly ms: number;
}

/** A trace that can be shown to others. */
export interface RedactedTrace {
  /** Takes a message to or from a language server. */
  readonly message: (entry: TraceEntry) => void;
  readonly call: (call: TracedCall) => void;
  /** Takes numbers and names of our own about a request. */
  readonly request: (facts: object) => void;
}

/** Tells of every message when, between whom, what kind and how large it was, and nothing of the text of files. */
export function redactedTrace(
  write: (entry: object) => void,
  roots: readonly string[],
  tools: readonly string[],
): RedactedTrace {
  const place = redactedPath(roots);
  const amongTools = (tool: string | undefined) =>
    tool === undefined || tools.includes(tool) ? tool : '(other)';
  return {
    message: ({ server, direction, message }) =>
      write({
        server,
        direction,
        bytes: Buffer.byteLength(JSON.stringify(message) ?? ''),
        ...factsOf(object(message), place),
      }),
    call: ({ method, tool, status, ms }) =>
      write({
        call: { method: methods.has(method) ? method : '(other)', tool: amongTools(tool), status, ms },
      }),
    request: (facts) => write({ http: facts }),
  };
}

function factsOf(message: Json, place: (uri: string) => string): object {
  const { id, method, params, result, error } = message;
  return {
    id: typeof id === 'number' ? id : id === undefined ? undefined : '(text)',
    method: typeof method === 'string' ? methodName(method) : undefined,
    ...paramFacts(object(params), place),
    ...('result' in message ? { result: shapeOf(result) } : {}),
    ...('error' in message ? { error: numberIn(object(error).code) } : {}),
  };
}

/** The file, the place in it, and how many of what goes with it. */
function paramFacts(params: Json, place: (uri: string) => string): object {
  const document = object(params.textDocument);
  const uri = document.uri ?? params.uri;
  return {
    file: typeof uri === 'string' ? place(uri) : undefined,
    version: numberIn(document.version),
    position: positionIn(params.position),
    range: rangeIn(params.range),
    ...Object.fromEntries(counted.map((name) => [name, countOf(params[name])])),
  };
}

const counted = ['changes', 'contentChanges', 'diagnostics', 'files', 'items', 'registrations'] as const;

/** How many there are, or that there is nothing; any other answer is one. */
function shapeOf(result: unknown): number | null {
  if (result === null || result === undefined) return null;
  return countOf(result) ?? countOf(object(result).items) ?? 1;
}

function countOf(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

function rangeIn(value: unknown): object | undefined {
  const { start, end } = object(value);
  const [from, to] = [positionIn(start), positionIn(end)];
  return from && to && { start: from, end: to };
}

function positionIn(value: unknown): object | undefined {
  const { line, character } = object(value);
  return typeof line === 'number' && typeof character === 'number' ? { line, character } : undefined;
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Those of MCP. A client could write anything in the place of one. */
const methods: ReadonlySet<string> = new Set([
  ...[
    'initialize',
    'ping',
    'server/discover',
    'subscriptions/listen',
    'completion/complete',
    'logging/setLevel',
  ],
  ...['tools/list', 'tools/call', 'prompts/list', 'prompts/get'],
  ...['list', 'templates/list', 'read', 'subscribe', 'unsubscribe'].map((name) => `resources/${name}`),
  ...['initialized', 'cancelled', 'progress', 'roots/list_changed'].map((name) => `notifications/${name}`),
]);

/** Methods are named by protocols; what does not look like it could hold anything. */
function methodName(method: string): string {
  return /^[$\w]+(\/[$\w]+){0,4}$/.test(method) && method.length <= limits.tracedMethod ? method : '(other)';
}
