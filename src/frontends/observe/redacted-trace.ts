import type { TraceEntry } from '../../bridge.ts';
import { limits } from '../../core/limits.ts';
import { type Json, object } from '../../core/runtime/json.ts';
import { redactedPath } from './redacted-path.ts';

/** A traced JSON-RPC request of a client, without the client, its session or the content. */
interface TracedCall {
  readonly method: string;
  readonly tool?: string | undefined;
  readonly status: number;
  readonly ms: number;
}

/** A trace that can be shown to others. */
export interface RedactedTrace {
  /** Records a message to or from a language server. */
  readonly message: (entry: TraceEntry) => void;
  readonly call: (call: TracedCall) => void;
  /** Records numbers and names of our own about an HTTP request. */
  readonly request: (facts: object) => void;
}

/** Traces time, sender, receiver, kind and size of every message, and nothing of the content of files. */
export function redactedTrace(
  write: (entry: object) => void,
  roots: readonly string[],
  tools: readonly string[],
): RedactedTrace {
  const shownPath = redactedPath(roots);
  const knownTool = (tool: string | undefined) =>
    tool === undefined || tools.includes(tool) ? tool : '(other)';
  return {
    message: ({ server, direction, message }) =>
      write({
        server,
        direction,
        bytes: Buffer.byteLength(JSON.stringify(message) ?? ''),
        ...factsOf(object(message), shownPath),
      }),
    call: ({ method, tool, status, ms }) =>
      write({
        call: { method: methods.has(method) ? method : '(other)', tool: knownTool(tool), status, ms },
      }),
    request: (facts) => write({ http: facts }),
  };
}

function factsOf(message: Json, shownPath: (uri: string) => string): object {
  const { id, method, params, result, error } = message;
  return {
    id: typeof id === 'number' ? id : id === undefined ? undefined : '(text)',
    method: typeof method === 'string' ? methodName(method) : undefined,
    ...paramFacts(object(params), shownPath),
    ...('result' in message ? { result: shapeOf(result) } : {}),
    ...('error' in message ? { error: numberIn(object(error).code) } : {}),
  };
}

/** Returns the file, the position in it, and the sizes of lists. */
function paramFacts(params: Json, shownPath: (uri: string) => string): object {
  const document = object(params.textDocument);
  const uri = document.uri ?? params.uri;
  return {
    file: typeof uri === 'string' ? shownPath(uri) : undefined,
    version: numberIn(document.version),
    position: positionIn(params.position),
    range: rangeIn(params.range),
    ...Object.fromEntries(counted.map((name) => [name, countOf(params[name])])),
  };
}

const counted = ['changes', 'contentChanges', 'diagnostics', 'files', 'items', 'registrations'] as const;

/** Returns the number of results, `null` for none; a single object counts as 1. */
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

/** Methods of MCP; a client could send any other text. */
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

/** Shows only names that look like a method of a protocol; other text could contain anything. */
function methodName(method: string): string {
  return /^[$\w]+(\/[$\w]+){0,4}$/.test(method) && method.length <= limits.tracedMethod ? method : '(other)';
}
