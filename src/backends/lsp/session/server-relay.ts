import { beginCall, type Call } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import { asLspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import type { CancelSignal } from '../../../core/runtime/cancellation.ts';
import { list, object } from '../../../core/runtime/json.ts';
import type { Relay, ServerDefinition } from '../../../servers/definition.ts';
import type { DocumentSync } from '../documents/document-sync.ts';

interface AskingSession {
  readonly definition: ServerDefinition;
  readonly root: string;
  readonly documents: DocumentSync;
  notify(method: string, params: unknown): void;
}

interface AnsweringSession {
  readonly documents: DocumentSync;
  request(method: string, params: unknown, signal: CancelSignal): Promise<unknown>;
}

interface AssistingSlot {
  assist<T>(
    asking: AskingSession,
    call: Call,
    work: (answering: AnsweringSession, call: Call) => Promise<T>,
  ): Promise<{ readonly value: T }>;
}

/** Returns the slot of a server that other servers ask; throws if it may not or cannot be run. */
export type FindSlot = (server: string, root: string) => AssistingSlot;

/** Relays questions from one server to another, and the answers back. */
export class ServerRelay {
  readonly #asking: AskingSession;
  readonly #find: FindSlot;
  /** Why the last question of each relay failed. */
  readonly #failures = new Map<Relay, string>();

  constructor(asking: AskingSession, find: FindSlot) {
    this.#asking = asking;
    this.#find = find;
  }

  get doubts(): readonly Doubt[] {
    const { id } = this.#asking.definition;
    return [...this.#failures].map(([{ to }, failure]) => ({
      kind: 'server_unavailable',
      server: to,
      detail: `${id} needs ${to} for parts of its answer, but it failed: ${failure}`,
    }));
  }

  onMessage(method: string, params: unknown): void {
    const relay = this.#asking.definition.quirks?.relays?.find(({ ask }) => ask === method);
    if (relay) void this.#passOn(relay, list(list(params)[0]));
  }

  /** Always replies, because the asking server waits without a timeout. */
  async #passOn(relay: Relay, [id, command, args]: readonly unknown[]): Promise<void> {
    const call = beginCall({ time: limits.call.deadline });
    try {
      const answer = await this.#ask(relay, [command, args], call);
      this.#failures.delete(relay);
      this.#asking.notify(relay.reply, [[id, answer]]);
    } catch (error) {
      this.#failures.set(relay, asLspanError(error).message);
      this.#asking.notify(relay.reply, [[id, null]]);
    } finally {
      call[Symbol.dispose]();
    }
  }

  async #ask({ to, command }: Relay, given: readonly unknown[], call: Call): Promise<unknown> {
    const { root, documents } = this.#asking;
    const { value } = await this.#find(to, root).assist(this.#asking, call, async (answering, { signal }) => {
      // The question may be about any document that the asking server has open.
      await answering.documents.sync([], documents.paths);
      const params = { command, arguments: given };
      return answering.request('workspace/executeCommand', params, signal);
    });
    return object(value).body ?? null;
  }
}
