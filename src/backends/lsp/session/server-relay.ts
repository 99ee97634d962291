import { beginCall, type Call } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import { asLspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import type { CancelSignal } from '../../../core/runtime/cancellation.ts';
import { list, object } from '../../../core/runtime/json.ts';
import type { Relay, ServerDefinition } from '../../../servers/definition.ts';
import type { DocumentSync } from '../documents/document-sync.ts';

/** A session that has questions for another server. */
interface AskingSession {
  readonly definition: ServerDefinition;
  readonly root: string;
  readonly documents: DocumentSync;
  notify(method: string, params: unknown): void;
}

/** A session that answers the questions of another server. */
interface AnsweringSession {
  readonly documents: DocumentSync;
  request(method: string, params: unknown, signal: CancelSignal): Promise<unknown>;
}

/** The place of a server that others ask. */
interface AssistingSlot {
  assist<T>(
    asking: AskingSession,
    call: Call,
    work: (answering: AnsweringSession, call: Call) => Promise<T>,
  ): Promise<{ readonly value: T }>;
}

/** Where a server that others ask is; throws where it may not or cannot be run. */
export type FindSlot = (server: string, root: string) => AssistingSlot;

/** Passes the questions that one server has for another on, and the answers back. */
export class ServerRelay {
  readonly #asking: AskingSession;
  readonly #find: FindSlot;
  /** Why the last question of a relay was not answered. */
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
      detail: `${id} needs ${to} for parts of its answer, and had none: ${failure}`,
    }));
  }

  onMessage(method: string, params: unknown): void {
    const relay = this.#asking.definition.quirks?.relays?.find(({ ask }) => ask === method);
    if (relay) void this.#passOn(relay, list(list(params)[0]));
  }

  /** The server that asks waits for as long as it takes, so it is always answered. */
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
