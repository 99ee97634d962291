import type { Bridge } from '../../bridge.ts';
import type { Doubt } from '../../core/doubts.ts';
import type { CancelSignal } from '../../core/runtime/cancellation.ts';
import type { RequestId } from '../../jsonrpc/message.ts';
import type { HostApi } from '../../tools/host/host-api.ts';
import { requireHostApi } from '../../tools/host/open-host-api.ts';
import { type Given, type Params, readParams } from './read-params.ts';
import { errorOf, type RpcError } from './rpc-error.ts';

/** What a method has to do with beside its parameters. */
export interface RpcRequestContext {
  readonly signal: CancelSignal;
  /** Does something with the bridge, in the turn of the message. */
  pass<T>(act: (bridge: Bridge) => T | Promise<T>): Promise<T>;
  /** Cancels another request. */
  cancel(id: RequestId): void;
  /** Cancels all other requests, and resolves when they have been answered. */
  endOthers(): Promise<void>;
}

/** What a request is answered with. */
export type RpcReply = { readonly result: unknown } | { readonly error: RpcError };

/** What a host can send. */
export interface Method {
  readonly params: Params;
  /** It may be sent without an id too, and is then not answered. */
  readonly hears?: true;
  /** The channel ends with its answer. */
  readonly ends?: true;
  /** Rejects with whatever went wrong. */
  answer(params: unknown, asked: RpcRequestContext): Promise<RpcReply>;
}

/** Every method of the channel. Lines and columns count from 1; `filePath` is absolute, or relative to a root. */
export const methods: ReadonlyMap<string, Method> = new Map([
  // The problems of a file: of `text` if it is given, for this question only, else of the text that the host told of,
  // else of the disk. → [{ file, line, column, severity, message, code? }], by where they stand;
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
  // The problems of all files that are known of. → { "<file>": […] }, by file;
  // with `doubts`: { files: { … }, complete, doubts }.
  row('lsp/diagnostics', {
    params: { doubts: 'boolean?' },
    answer: async ({ doubts: isAsked }, asked) => {
      const known = await atDesk(asked, (desk) => desk.problems({ signal: asked.signal }));
      const { files, complete, doubts } = known;
      return { result: isAsked === true ? { files, complete, doubts: doubts.map(told) } : files };
    },
  }),
  // How the servers are. → [{ serverId, state: ok | starting | broken | idle, detail }].
  row('lsp/status', {
    params: {},
    answer: async (_given, asked) => ({
      result: await atDesk(asked, (desk) => desk.servers({ signal: asked.signal })),
    }),
  }),
  // Calls any tool, by its name on the surface `lspan` unless another is given. → { text, data }.
  // A tool that fails is an error.
  row('lsp/call', {
    params: { tool: 'string', arguments: 'object?', surface: 'string?' },
    answer: async ({ tool, arguments: given = {}, surface = 'lspan' }, { pass, signal }) => {
      const outcome = await pass((bridge) => bridge.call(tool, given, { surface, signal }));
      const { text, data, isError } = outcome;
      return isError ? { error: errorOf(data) } : { result: { text, data } };
    },
  }),
  // Tells the text of a file that is not saved, or with `null` that the disk holds it again. Every message that is read
  // after this one, on either channel, sees it; who must be sure of the other channel waits for the answer. → null.
  row('lsp/didChange', {
    params: { filePath: 'string', text: 'string | null' },
    hears: true,
    answer: async ({ filePath, text }, asked) => {
      await atDesk(asked, (desk) => desk.hold(filePath, text));
      return { result: null };
    },
  }),
  // Cancels a request, which is then answered with the code `cancelled`, or with its result if that is there already.
  row('$/cancelRequest', {
    params: { id: 'id' },
    hears: true,
    answer: async ({ id }, { cancel }) => {
      cancel(id);
      return { result: null };
    },
  }),
  // Ends everything, with this answer at last. → null.
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
  // What is thrown in here rejects. Up to the bridge nothing is waited for, so that messages keep their order.
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
