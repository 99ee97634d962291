import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Refusal, refusalName } from './refusals.ts';
import type { Route } from './request-rules.ts';

/** The report of a finished request: its kind and its cost, nothing that it carried. */
export interface AnsweredRequest {
  readonly route: Route['name'] | 'none';
  readonly method: 'GET' | 'POST' | 'DELETE' | 'HEAD' | 'other';
  /** 0 if the client disconnected before it was answered. */
  readonly status: number;
  /** The name, in `refusals.ts`, of the refusal. */
  readonly why?: string;
  /** Set for a stream without an end of its own: its duration is how long the client listened. */
  readonly lasting?: true;
  readonly ms: number;
  /** The size of the request body; `bytesOut` is the size of the response body. */
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** A request and its response while it is handled. */
export interface RequestRecord {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly began: number;
  /** True if the client sends its body only after 100 Continue. */
  readonly waiting: boolean;
  route: AnsweredRequest['route'];
  refusal?: Refusal;
  lasting?: true;
  bytesIn: number;
  bytesOut: number;
}

/** Returns the report of a finished request. */
export function answeredOf(turn: RequestRecord): AnsweredRequest {
  const { route, request, response, began, refusal, lasting, bytesIn, bytesOut } = turn;
  const why = refusal && refusalName(refusal);
  const more = { ...(why && { why }), ...(lasting && { lasting }) };
  const status = response.headersSent ? response.statusCode : 0;
  const ms = performance.now() - began;
  return { route, method: methodOf(request), status, ...more, ms, bytesIn, bytesOut };
}

/** Maps all other methods to one name: metrics count by name, so the number of names must be bounded. */
function methodOf({ method }: IncomingMessage): AnsweredRequest['method'] {
  return method === 'GET' || method === 'POST' || method === 'DELETE' || method === 'HEAD' ? method : 'other';
}
