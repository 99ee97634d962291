import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Refusal, refusalName } from './refusals.ts';
import type { Route } from './rules.ts';

/** What is told of a request once it is over: nothing that it carried, only what kind it was and what it took. */
export interface AnsweredRequest {
  readonly route: Route['name'] | 'none';
  readonly method: 'GET' | 'POST' | 'DELETE' | 'HEAD' | 'other';
  /** 0 where the client went before it was answered. */
  readonly status: number;
  /** Which refusal of the door it met, by its name in `refusals.ts`. */
  readonly why?: string;
  /** A stream without an end of its own: it took as long as the client listened. */
  readonly lasting?: true;
  readonly ms: number;
  /** The bytes of the bodies. */
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** A request and its answer on their way through the door. */
export interface RequestRecord {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly began: number;
  /** Whether the client sends its body only when it is told to go on. */
  readonly waiting: boolean;
  route: AnsweredRequest['route'];
  refusal?: Refusal;
  lasting?: true;
  bytesIn: number;
  bytesOut: number;
}

/** The turn, now that it is over. */
export function answeredOf(turn: RequestRecord): AnsweredRequest {
  const { route, request, response, began, refusal, lasting, bytesIn, bytesOut } = turn;
  const why = refusal && refusalName(refusal);
  const more = { ...(why && { why }), ...(lasting && { lasting }) };
  const status = response.headersSent ? response.statusCode : 0;
  const ms = performance.now() - began;
  return { route, method: methodOf(request), status, ...more, ms, bytesIn, bytesOut };
}

/** Any other method is named alike, since whoever counts by name must not be led to count without end. */
function methodOf({ method }: IncomingMessage): AnsweredRequest['method'] {
  return method === 'GET' || method === 'POST' || method === 'DELETE' || method === 'HEAD' ? method : 'other';
}
