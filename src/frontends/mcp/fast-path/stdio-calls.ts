import type { CallToolResult, JSONRPCMessage, JSONRPCRequest, Transport } from '@modelcontextprotocol/server';
import { CancelSource } from '../../../core/runtime/cancellation.ts';
import { isRecord } from '../../../core/runtime/json.ts';
import type { ToolCall } from '../call-tool.ts';
import type { Offer } from '../offer.ts';
import { toldFailure } from '../protocol-errors.ts';

/**
 * Answers the calls of tools that have nothing else about them, while the SDK is not loaded: it would take most of
 * the time to the first answer. What is the least bit out of the ordinary is left to the SDK.
 */
export class StdioFastPath {
  readonly #wire: Transport;
  readonly #answer: (call: ToolCall) => Promise<CallToolResult>;
  readonly #names: ReadonlySet<unknown>;
  readonly #contract: true | undefined;
  readonly #running = new Map<unknown, CancelSource>();

  constructor(
    wire: Transport,
    { tools, contract }: Offer,
    answer: (call: ToolCall) => Promise<CallToolResult>,
  ) {
    this.#wire = wire;
    this.#answer = answer;
    this.#contract = contract;
    this.#names = new Set(tools.map(({ name }) => name));
  }

  /** Whether a request is a plain call; if so, it will be answered. */
  takes({ id, method, params = {} }: JSONRPCRequest, client: string | undefined): boolean {
    const { name, arguments: args = {}, _meta: meta = {}, ...others } = params;
    const { progressToken, ...claim } = meta;
    const isPlain =
      [others, claim].every((rest) => Object.keys(rest).length === 0) &&
      isRecord(args) &&
      isToken(progressToken);
    if (method !== 'tools/call' || !isPlain || this.#running.has(id)) return false;
    if (typeof name !== 'string' || !this.#names.has(name)) return false;
    const end = new CancelSource();
    this.#running.set(id, end);
    const notify = this.#notify(progressToken);
    const call = { tool: name, args, client, notify, contract: this.#contract, signal: end };
    this.#run(id, call).catch((error) => this.#wire.onerror?.(error));
    return true;
  }

  /** Whether a notification cancels one of these calls, which then has no answer. */
  cancels(message: JSONRPCMessage): boolean {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return false;
    const { requestId, reason } = message.params ?? {};
    const end = this.#running.get(requestId);
    end?.abort(reason);
    return end !== undefined;
  }

  /** The client has gone: nobody waits for these any more. */
  abandon(): void {
    for (const end of this.#running.values()) end.abort();
  }

  async #run(id: string | number, call: ToolCall): Promise<void> {
    const answered = this.#answer(call).then((result) => ({ result, jsonrpc: '2.0', id }) as const);
    const reply = await answered
      .catch((thrown: unknown) => ({ jsonrpc: '2.0', id, error: toldFailure(thrown) }) as const)
      .finally(() => this.#running.delete(id));
    if (!call.signal.aborted) await this.#wire.send(reply);
  }

  #notify(progressToken: string | number | undefined): ToolCall['notify'] {
    if (progressToken === undefined) return undefined;
    return (step) =>
      this.#wire.send({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken, ...step },
      });
  }
}

function isToken(value: unknown): value is string | number | undefined {
  return value === undefined || typeof value === 'string' || Number.isInteger(value);
}
