import type { Bridge } from '../../bridge.ts';
import type { Doubt } from '../../core/doubts.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { CancelSignal } from '../../core/runtime/cancellation.ts';
import { isRecord } from '../../core/runtime/json.ts';
import { isId, type RequestId } from '../../jsonrpc/message.ts';
import type { HostApi } from '../../tools/host/host-api.ts';
import { requireHostApi } from '../../tools/host/open-host-api.ts';
import { errorOf, type RpcError } from './rpc-error.ts';

/** The context of a request, besides its parameters. */
export interface RpcRequestContext {
  readonly signal: CancelSignal;
  /** Runs a function on the bridge, in the order of the messages. */
  pass<T>(act: (bridge: Bridge) => T | Promise<T>): Promise<T>;
  cancel(id: RequestId): void;
  /** Cancels all other requests, and resolves when they have been answered. */
  endOthers(): Promise<void>;
}

/** The reply to a request. */
export type RpcReply = { readonly result: unknown } | { readonly error: RpcError };

/** A method that a host can call. */
export interface Method {
  readonly params: Params;
  /** It may also be sent as a notification, which is not answered. */
  readonly hears?: true;
  /** The channel closes after its answer. */
  readonly ends?: true;
  /** Rejects with any failure. */
  answer(params: unknown, asked: RpcRequestContext): Promise<RpcReply>;
}

/** Every channel method. Lines and columns count from 1; `filePath` is absolute or relative to a root. */
export const methods: ReadonlyMap<string, Method> = new Map([
  // The diagnostics of a file: of `text` if given, for this request only, else of the text that the host has
  // sent, else of the disk. → [{ file, line, column, severity, message, code? }], by position;
  // with `doubts`: { diagnostics: […], complete, doubts: [{ kind, detail, server? }] }.
  row('lsp/checkFile', {
    params: { filePath: 'string', text: 'string?', doubts: 'boolean?' },
    answer: async ({ filePath, text, doubts }, asked) => {
      const checked = await atDesk(asked, (desk) => desk.check(filePath, text, { signal: asked.signal }));
      const complete = checked.doubts.length === 0;
      if (doubts !== true) return { result: checked.problems };
      return { result: { diagnostics: checked.problems, complete, doubts: checked.doubts.map(told) } };
    },
  }),
  // The diagnostics of all known files. → { "<file>": […] }, by file;
  // with `doubts`: { files: { … }, complete, doubts }.
  row('lsp/diagnostics', {
    params: { doubts: 'boolean?' },
    answer: async ({ doubts: isAsked }, asked) => {
      const known = await atDesk(asked, (desk) => desk.problems({ signal: asked.signal }));
      const { files, complete, doubts } = known;
      return { result: isAsked === true ? { files, complete, doubts: doubts.map(told) } : files };
    },
  }),
  // The state of the servers. → [{ serverId, state: ok | starting | broken | idle, detail }].
  row('lsp/status', {
    params: {},
    answer: async (_given, asked) => ({
      result: await atDesk(asked, (desk) => desk.servers({ signal: asked.signal })),
    }),
  }),
  // Calls any tool, by its name on the surface `lspan` by default. → { text, data }. A failure is an error.
  row('lsp/call', {
    params: { tool: 'string', arguments: 'object?', surface: 'string?' },
    answer: async ({ tool, arguments: given = {}, surface = 'lspan' }, { pass, signal }) => {
      const outcome = await pass((bridge) => bridge.call(tool, given, { surface, signal }));
      const { text, data, isError } = outcome;
      return isError ? { error: errorOf(data) } : { result: { text, data } };
    },
  }),
  // Sets the unsaved text of a file; `null` reverts to the disk. Every message read after this one, on either
  // channel, sees it; a host that must be sure of the other channel waits for the answer. → null.
  row('lsp/didChange', {
    params: { filePath: 'string', text: 'string | null' },
    hears: true,
    answer: async ({ filePath, text }, asked) => {
      await atDesk(asked, (desk) => desk.hold(filePath, text));
      return { result: null };
    },
  }),
  // Cancels a request, which is then answered with the code `cancelled`, or with its result if it is ready.
  row('$/cancelRequest', {
    params: { id: 'id' },
    hears: true,
    answer: async ({ id }, { cancel }) => {
      cancel(id);
      return { result: null };
    },
  }),
  // Ends everything; this answer is the last. → null.
  row('lsp/shutdown', {
    params: {},
    hears: true,
    ends: true,
    answer: async (_given, { endOthers }) => {
      await endOthers();
      return { result: null };
    },
  }),
]);

interface Row<P extends Params> extends Pick<Method, 'hears' | 'ends'> {
  readonly params: P;
  answer(given: Given<P>, asked: RpcRequestContext): Promise<RpcReply>;
}

function row<P extends Params>(name: string, { answer, ...rest }: Row<P>): [string, Method] {
  // An exception in here rejects. There is no await before the bridge, so that messages keep their order.
  const read = async (params: unknown, asked: RpcRequestContext) =>
    answer(readParams(name, rest.params, params), asked);
  return [name, { ...rest, answer: read }];
}

function atDesk<T>({ pass }: RpcRequestContext, act: (desk: HostApi) => T | Promise<T>): Promise<T> {
  return pass(({ hostApi }) => act(requireHostApi(hostApi)));
}

function told({ kind, detail, server }: Doubt): Doubt {
  return { kind, detail, ...(server === undefined ? {} : { server }) };
}

/** The types of parameters, keyed by the names that error messages use. */
interface Kinds {
  readonly string: string;
  readonly 'string?': string | undefined;
  readonly 'string | null': string | null;
  readonly 'boolean?': boolean | undefined;
  readonly 'object?': Readonly<Record<string, unknown>> | undefined;
  readonly id: RequestId;
}

/** The names of parameters, each with its type; others are refused. */
type Params = Readonly<Record<string, keyof Kinds>>;

/** The type of parameters that were read. */
type Given<P extends Params> = { readonly [N in keyof P]: Kinds[P[N]] };

/** Reads the parameters of a message; absent ones equal an empty object. Throws `invalid_input`. */
function readParams<P extends Params>(method: string, params: P, given: unknown = {}): Given<P> {
  if (isGiven(params, given)) return given;
  throw new LspanError('invalid_input', `${method}: ${faultIn(params, given)}.`, {
    nextStep: `Send the params ${shapeOf(params)}.`,
  });
}

/** Returns parameters in the words of error messages. */
function shapeOf(params: Params): string {
  const fields = Object.entries(params).map(([name, kind]) =>
    kind.endsWith('?') ? `${name}?: ${kind.slice(0, -1)}` : `${name}: ${words[kind] ?? kind}`,
  );
  return fields.length === 0 ? '{}, or none' : `{ ${fields.join(', ')} }`;
}

function isGiven<P extends Params>(params: P, given: unknown): given is Given<P> {
  return faultIn(params, given) === undefined;
}

function faultIn(params: Params, given: unknown): string | undefined {
  if (!isRecord(given)) return 'the params are not an object';
  const stranger = Object.keys(given).find((name) => !Object.hasOwn(params, name));
  if (stranger !== undefined)
    return `the params have an unknown member ${JSON.stringify(stranger.slice(0, limits.quoted.key))}`;
  const wrong = Object.entries(params).find(([name, kind]) => !checks[kind](given[name]));
  return (
    wrong && `the param ${wrong[0]} is ${Object.hasOwn(given, wrong[0]) ? 'of the wrong type' : 'missing'}`
  );
}

/** Types whose name alone would not say enough. */
const words: Readonly<Partial<Record<keyof Kinds, string>>> = { id: 'string | whole number' };

const checks: Readonly<Record<keyof Kinds, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  'string?': (value) => value === undefined || typeof value === 'string',
  'string | null': (value) => value === null || typeof value === 'string',
  'boolean?': (value) => value === undefined || typeof value === 'boolean',
  'object?': (value) => value === undefined || isRecord(value),
  id: (value) => isId(value, limits.rpc.id),
};
