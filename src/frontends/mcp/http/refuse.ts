import type { RequestId } from '../../../jsonrpc/message.ts';
import type { HttpReply } from '../../http/exchange.ts';

/** Returns a refusal, as HTTP and as JSON-RPC: a constant text, and of the request at most its id. */
export function refuse(
  status: number,
  code: number,
  message: string,
  id?: RequestId,
  { data, headers }: Particulars = {},
): HttpReply {
  const error = data === undefined ? { code, message } : { code, message, data };
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', error, id: id ?? null }),
  };
}

interface Particulars {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}
