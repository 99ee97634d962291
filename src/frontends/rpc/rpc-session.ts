import { within } from '../../core/call.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Log } from '../../core/log.ts';
import { CallInProgress, CallsInProgress } from '../../core/runtime/calls-in-progress.ts';
import { isRecord } from '../../core/runtime/json.ts';
import { suggestName } from '../../core/wording/nearest-name.ts';
import {
  idOf,
  type Message,
  type MessageFault,
  messageFault,
  type RequestId,
  readMessage,
  rpcCodes,
} from '../../jsonrpc/message.ts';
import type { BodyFault } from '../../jsonrpc/parse-body.ts';
import { type Method, methods, type RpcReply, type RpcRequestContext } from './methods.ts';
import type { PendingBridge } from './pending-bridge.ts';
import { protocolError, type RpcError, rpcError } from './rpc-error.ts';

/** The dependencies of a session. */
interface RpcSessionOptions {
  readonly door: PendingBridge;
  send(message: { readonly id: RequestId | null } & RpcReply): void;
  /** Called when the host asked for shutdown and has been answered. */
  leave(): void;
  readonly log: Log;
}

/** Answers the messages of a host: each request once, in any order. */
export class RpcSession {
  readonly #parts: RpcSessionOptions;
  readonly #requests = new CallsInProgress({ most: limits.rpc.inFlight });
  #isLeaving = false;

  constructor(parts: RpcSessionOptions) {
    this.#parts = parts;
  }

  /** True once the host has asked for shutdown; later messages are ignored. */
  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /** Handles the JSON value of a frame. */
  receive(value: unknown): void {
    if (this.#isLeaving) return;
    const message = readMessage(value);
    const fault = messageFault(value, limits.rpc.id);
    if (isReply(value)) this.#parts.log('warn', 'rpc.reply_to_nothing');
    else if (fault) this.#refuse(idOf(value, limits.rpc.id) ?? null, badMessages[fault]);
    else if (message.kind === 'request') this.#answer(message);
    else if (message.kind === 'notification') this.#hear(message);
  }

  /** Answers a frame that does not hold a JSON value. */
  refuse(fault: BodyFault): void {
    if (!this.#isLeaving) this.#refuse(null, badBodies[fault]);
  }

  /** Cancels every request; later answers are not sent. */
  close(): void {
    this.#isLeaving = true;
    void this.#requests.end(leaving);
  }

  #answer(request: Message & { kind: 'request' }): void {
    const { id, method: name } = request;
    const method = methods.get(name);
    if (this.#requests.find(id)) this.#refuse(id, inFlight(id));
    else if (!method) this.#refuse(id, unknownMethod(name));
    else if (this.#requests.isFull && !method.hears) this.#refuse(id, tooMany());
    else void this.#run(request, method);
  }

  async #run({ id, method: name, params }: Message & { kind: 'request' }, method: Method): Promise<void> {
    const call = this.#requests.add(new CallInProgress({ id }));
    const reply: RpcReply = await method
      .answer(params, this.#asked(call))
      .catch((thrown: unknown) => ({ error: this.#told(name, thrown) }));
    // Right before the answer is written: from then on the id may be used again.
    this.#requests.remove(call);
    this.#parts.send({ id, ...reply });
    if (method.ends && 'result' in reply) this.#parts.leave();
  }

  #hear({ method: name, params }: Message & { kind: 'notification' }): void {
    const method = methods.get(name);
    if (!method?.hears) {
      // LSP peers may send notifications of this form, which may be ignored.
      if (!name.startsWith('$/')) this.#parts.log('warn', 'rpc.notification_ignored', { method: name });
      return;
    }
    method.answer(params, this.#asked(new CallInProgress())).then(
      () => method.ends && this.#parts.leave(),
      (thrown: unknown) =>
        this.#parts.log('warn', 'rpc.notification_refused', { method: name, ...this.#told(name, thrown) }),
    );
  }

  #asked(call: CallInProgress): RpcRequestContext {
    return {
      signal: call,
      pass: (act) =>
        this.#parts.door.pass((bridge) => {
          call.throwIfAborted();
          return act(bridge);
        }),
      cancel: (id) => this.#requests.find(id)?.abort(cancelled('The host cancelled this request.')),
      endOthers: async () => {
        this.#isLeaving = true;
        this.#requests.remove(call);
        await within(this.#requests.end(leaving), limits.stop.hurried);
      },
    };
  }

  #told(method: string, thrown: unknown): RpcError {
    if (!(thrown instanceof LspanError)) this.#parts.log('error', 'rpc.failed', { method, error: thrown });
    return rpcError(thrown);
  }

  /** An error with the id of a request in progress would be taken for its answer. */
  #refuse(id: RequestId | null, error: RpcError): void {
    this.#parts.log('warn', 'rpc.refused', { code: error.code, message: error.message });
    this.#parts.send({ id: id !== null && this.#requests.find(id) ? null : id, error });
  }
}

/** True for a reply to no request; if it were answered, two peers could go on forever. */
function isReply(value: unknown): boolean {
  return isRecord(value) && value.method === undefined && ('result' in value || 'error' in value);
}

function cancelled(message: string): LspanError {
  return new LspanError('cancelled', message);
}

function leaving(): LspanError {
  return cancelled('lspan is shutting down.');
}

function inFlight(id: RequestId): RpcError {
  const message = `A request with the id ${JSON.stringify(id)} has not been answered yet.`;
  return protocolError(rpcCodes.invalidRequest, message, 'Give each request its own id.');
}

function unknownMethod(name: string): RpcError {
  const message = `There is no method ${JSON.stringify(name.slice(0, 100))}.`;
  return protocolError(rpcCodes.methodNotFound, message, suggestName(name, [...methods.keys()]));
}

function tooMany(): RpcError {
  const message = `${limits.rpc.inFlight} requests are already in progress.`;
  return rpcError(
    new LspanError('busy', message, { nextStep: 'Ask again when an earlier request has ended.' }),
  );
}

function invalidRequest(message: string): RpcError {
  return protocolError(rpcCodes.invalidRequest, message, oneRequest);
}

const oneRequest = 'Send one request or notification of JSON-RPC 2.0 in each frame.';

const badMessages: Readonly<Record<MessageFault, RpcError>> = {
  batch: invalidRequest('Batches are not supported: send each message by itself.'),
  no_object: invalidRequest('A message must be a JSON object.'),
  version: invalidRequest('The member "jsonrpc" must be "2.0".'),
  method: invalidRequest('The member "method" must be a string.'),
  members: invalidRequest('A message may have only jsonrpc, id, method, params.'),
  id: invalidRequest(
    `The member "id" must be an integer, or a string of at most ${limits.rpc.id} characters.`,
  ),
};

const badBodies: Readonly<Record<BodyFault, RpcError>> = {
  not_utf8: protocolError(rpcCodes.parseError, 'The body of a frame is not valid UTF-8.', oneRequest),
  not_json: protocolError(
    rpcCodes.parseError,
    'The body of a frame is not JSON.',
    'Send JSON; Content-Length is its length in UTF-8 bytes.',
  ),
  too_deep: invalidRequest(`A message is nested more than ${limits.frame.depth} levels deep.`),
};
