import { randomUUID } from 'node:crypto';
import type { Bridge } from '../../../bridge.ts';
import type { BridgePool, PooledBridge } from '../../../bridge-pool.ts';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import { object, text } from '../../../core/runtime/json.ts';
import { quotePath } from '../../../core/wording/quote-path.ts';
import { folderIdentity } from '../../../platform/files/file-facts.ts';
import type { Outcome } from '../../../tools/run/tool.ts';
import { AnswerWithJson, Channel, type ChannelRequest, type ChannelStream } from '../channel.ts';
import { isProof, newNonce, proofOf, protocolRevision } from '../hello.ts';
import { type ClientInfo, isAttach, isCall, type LastCall } from '../messages.ts';

/** What a session needs of the daemon. */
export interface SessionContext {
  /** Absent if only the process that started this one can speak to it. */
  readonly secret: string | undefined;
  readonly pool: Pick<BridgePool, 'bridgeFor'>;
  /** Called when a tool has answered. */
  readonly onCallEnd: (call: Omit<LastCall, 'at'>) => void;
  /** Called when the client has attached, and when anything that counts as a call has ended. */
  readonly onRest: () => void;
  /** Answers what a client may ask about the daemon itself. */
  readonly control: (method: string, params: unknown) => Promise<unknown> | undefined;
  /** Why no client may attach any more; absent if one may. */
  readonly refusal: () => LspanError | undefined;
}

/** One client: answers nothing but the hello until the client has proved that it knows the secret. */
export class ClientSession {
  readonly channel: Channel;
  /** The calls in progress. */
  calls = 0;
  readonly #context: SessionContext;
  /** Identifies the client; absent for the shell, whose commands share plans and edits as one caller. */
  #scope: string | undefined;
  #nonces: { readonly client: string; readonly daemon: string } | undefined;
  #isProven = false;
  #attached: Attached | undefined;
  #unfollow: (() => void) | undefined;
  readonly #strangerTimer: NodeJS.Timeout;

  constructor(stream: ChannelStream, context: SessionContext) {
    this.#context = context;
    this.channel = new Channel(stream, {
      answer: (method, params, request) => this.#answer(method, object(params), request),
    });
    const refuse = () => {
      if (!this.#isProven) this.channel.close('No proof was sent.');
    };
    // A proof that came while the daemon was busy is read first.
    this.#strangerTimer = setTimeout(() => setImmediate(refuse), limits.daemon.hello).unref();
    if (context.secret === undefined) this.#trust();
    this.channel.closed.then(() => this.#onClosed());
  }

  /** The client, once it has attached. */
  get attached(): Pick<Attached, 'client' | 'readOnly' | 'roots'> | undefined {
    return this.#attached;
  }

  async #answer(method: string, params: Params, request: ChannelRequest): Promise<unknown> {
    if (method === 'hello') return this.#hello(params);
    if (method === 'prove') return this.#prove(params);
    if (!this.#isProven) throw this.#stranger();
    if (method === 'attach') return this.#attach(params);
    const controlled = this.#context.control(method, params);
    if (controlled) return controlled;
    const handler = handlers.get(method);
    if (!handler || !this.#attached)
      throw new LspanError('invalid_input', `There is no method ${method}, or no workspace is attached.`);
    return await handler(this.#attached, params, request);
  }

  #hello({ nonce }: Params): unknown {
    const client = text(nonce) ?? '';
    const { secret } = this.#context;
    if (client.length < limits.daemon.nonce || this.#nonces || secret === undefined) throw this.#stranger();
    this.#nonces = { client, daemon: newNonce() };
    return {
      nonce: this.#nonces.daemon,
      proof: proofOf(secret, 'daemon', this.#nonces),
      revision: protocolRevision,
      pid: process.pid,
    };
  }

  #prove({ proof }: Params): null {
    const { secret } = this.#context;
    if (!this.#nonces || secret === undefined || !isProof(proof, secret, 'client', this.#nonces))
      throw this.#stranger();
    this.#trust();
    return null;
  }

  #trust(): void {
    this.#isProven = true;
    this.channel.trust();
    clearTimeout(this.#strangerTimer);
  }

  /** Whoever fails once is not listened to any further. */
  #stranger(): LspanError {
    setImmediate(() => this.channel.close('No proof was sent.'));
    return new LspanError('refused', 'The secret of the daemon is not known to you.');
  }

  #attach(params: Params): unknown {
    const refusal = this.#context.refusal();
    if (refusal) throw refusal;
    if (!isAttach(params)) throw new LspanError('invalid_input', 'The settings cannot be read.');
    if (this.#attached) throw new LspanError('invalid_input', 'A workspace is attached already.');
    const { settings, client, readOnly, folders } = params;
    const other = settings.roots.find((root, at) => folders && folders[at] !== folderIdentity(root));
    if (other !== undefined) throw seesAnother(other);
    const bridge = this.#context.pool.bridgeFor(settings);
    this.#scope = client.command === 'mcp' ? randomUUID() : undefined;
    this.#attached = {
      ...{ client, readOnly, roots: bridge.roots, scope: this.#scope },
      use: (work) => this.#use(bridge, work),
      forget: bridge.forget,
      onCallEnd: this.#context.onCallEnd,
      follow: (isFollowed) => this.#follow(bridge, isFollowed),
    };
    this.#context.onRest();
    return { config: bridge.config };
  }

  async #use<T>(bridge: PooledBridge, work: (bridge: Bridge) => Promise<T>): Promise<T> {
    this.calls += 1;
    try {
      return await bridge.use(work);
    } finally {
      this.calls -= 1;
      this.#context.onRest();
    }
  }

  async #follow(bridge: PooledBridge, isFollowed: boolean): Promise<void> {
    this.#stopFollowing();
    if (!isFollowed) return;
    const unfollow = await bridge.follow((path) => this.channel.notify('problems', { path }));
    // The client may have asked twice, or gone, meanwhile.
    this.#stopFollowing();
    this.#unfollow = unfollow;
    if (this.channel.isClosed) this.#stopFollowing();
  }

  #stopFollowing(): void {
    this.#unfollow?.();
    this.#unfollow = undefined;
  }

  #onClosed(): void {
    clearTimeout(this.#strangerTimer);
    this.#stopFollowing();
    if (this.#scope !== undefined) this.#attached?.forget(this.#scope);
  }
}

type Params = Readonly<Record<string, unknown>>;

interface Attached {
  readonly client: ClientInfo;
  readonly readOnly: boolean;
  readonly roots: readonly string[];
  readonly scope: string | undefined;
  readonly use: PooledBridge['use'];
  readonly forget: PooledBridge['forget'];
  readonly onCallEnd: SessionContext['onCallEnd'];
  follow(isFollowed: boolean): Promise<void>;
}

type Handler = (attached: Attached, params: Params, request: ChannelRequest) => Promise<unknown>;

/** The requests of a client that has attached, by method. */
const handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['call', call],
  ['fate', ({ use }, params) => use(async ({ fateOf }) => (await fateOf?.(given(params.call))) ?? null)],
  [
    'files_with_problems',
    ({ use }) => use(async ({ resources }) => (await resources?.filesWithProblems()) ?? []),
  ],
  [
    'problems_of',
    ({ use, scope }, { file }, { signal, report }) =>
      use(async ({ resources }) =>
        sent(
          (await resources?.problemsOf(given(file), { signal, scope, ...(report && { report }) })) ??
            noResources(),
        ),
      ),
  ],
  [
    'locate',
    ({ use }, { file }) => use(async ({ resources }) => (await resources?.locate(given(file))) ?? null),
  ],
  ['follow', ({ follow }, { isFollowed }) => follow(isFollowed === true)],
  [
    'complete_path',
    ({ use, scope }, { typed }, { signal }) =>
      use(async ({ resources }) => (await resources?.completePath(given(typed), signal, scope)) ?? null),
  ],
  [
    'complete_symbol',
    ({ use, scope }, { typed, file }, { signal }) =>
      use(
        async ({ resources }) =>
          (await resources?.completeSymbol(given(typed), text(file), signal, scope)) ?? null,
      ),
  ],
]);

async function call(
  { client, readOnly, roots, scope, use, onCallEnd }: Attached,
  params: Params,
  { signal, report }: ChannelRequest,
): Promise<unknown> {
  if (!isCall(params)) throw new LspanError('invalid_input', 'The call cannot be read.');
  const { id, tool, args, surface, shown } = params;
  const began = performance.now();
  const options = {
    signal,
    id,
    readOnly,
    ...(report && { report }),
    ...(scope !== undefined && { scope }),
    ...(surface && { surface }),
    ...(shown && { shown }),
  };
  const outcome = await use((bridge) => bridge.call(tool, args, options));
  const ms = performance.now() - began;
  // The answer goes first.
  setImmediate(() => {
    const doubts = [...new Set((outcome.doubts ?? []).map(({ kind }) => kind))];
    onCallEnd({ tool, roots, client, ms, doubts, error: outcome.error?.code });
  });
  return sent(outcome);
}

/** Returns what is sent of an outcome: a function cannot be, and the error is in the data. */
function sent({ text: shown, data, isError, doubts, doubtLines }: Outcome): AnswerWithJson {
  return new AnswerWithJson({ text: shown, isError, doubts, doubtLines }, JSON.stringify(data));
}

function seesAnother(folder: string): LspanError {
  return new LspanError('not_supported', `it sees another folder at ${quotePath(folder)}.`);
}

function given(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new LspanError('invalid_input', 'A value of the request is missing.');
}

function noResources(): never {
  throw new LspanError('not_found', 'There is no workspace.');
}
