import { type Json, list, object, text } from '../../../core/runtime/json.ts';
import { ResponseError, rpcCodes } from '../../../jsonrpc/message.ts';

/** A capability that a server registers after the handshake, as the protocol spells it. */
interface SentRegistration {
  readonly id: string;
  readonly method: string;
  readonly registerOptions: unknown;
}

/** The data for replies to a server's requests, and the receivers of what the requests say. */
interface ServerRequestContext {
  readonly settings: Readonly<Record<string, unknown>>;
  folders(): readonly { readonly uri: string; readonly name: string }[];
  register(registrations: readonly SentRegistration[]): void;
  unregister(unregistrations: readonly { readonly id: string }[]): void;
  refreshed(method: string): void;
  /** Accepts or refuses an edit, and returns the reply. */
  applyEdit(params: Json): unknown;
}

/** Answers every request that a language server may send, at once and without involving the user. */
export function answerServerRequest(context: ServerRequestContext, method: string, params: unknown): unknown {
  const answer = answers.get(method) ?? (isRefresh.test(method) ? refreshed : unknownMethod);
  return answer(context, object(params), method);
}

type Answer = (context: ServerRequestContext, params: Json, method: string) => unknown;

/** Servers break on a wrong shape: -32601 to a registration stops some, a `null` setting crashes others. */
const answers: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  [
    'workspace/configuration',
    ({ settings }, { items }) => list(items).map((item) => configuration(settings, item)),
  ],
  ['workspace/workspaceFolders', (context) => context.folders()],
  ['client/registerCapability', register],
  ['client/unregisterCapability', unregister],
  ['window/workDoneProgress/create', () => null],
  ['window/showMessageRequest', () => null],
  ['window/showDocument', () => ({ success: false })],
  ['workspace/applyEdit', (context, params) => context.applyEdit(params)],
]);

const isRefresh = /^workspace\/[^/]+\/refresh$/;

function refreshed(context: ServerRequestContext, _params: Json, method: string): null {
  context.refreshed(method);
  return null;
}

function unknownMethod(_context: ServerRequestContext, _params: Json, method: string): never {
  throw new ResponseError(rpcCodes.methodNotFound, `The client does not know the method ${method}.`);
}

function register(context: ServerRequestContext, { registrations }: Json): null {
  context.register(
    list(registrations).flatMap((entry) => {
      const { id, method, registerOptions } = object(entry);
      const complete = typeof id === 'string' && typeof method === 'string';
      return complete ? [{ id, method, registerOptions }] : [];
    }),
  );
  return null;
}

/** The specification spells the key `unregisterations`; the right spelling is accepted too. */
function unregister(context: ServerRequestContext, params: Json): null {
  const entries = list(params.unregisterations ?? params.unregistrations);
  const ids = entries.flatMap((entry) => text(object(entry).id) ?? []);
  context.unregister(ids.map((id) => ({ id })));
  return null;
}

function configuration(settings: Json, item: unknown): unknown {
  const section = text(object(item).section) ?? '';
  const path = section === '' ? [] : section.split('.');
  return own(settings, section) ?? path.reduce<unknown>((inner, key) => own(inner, key), settings) ?? {};
}

/** Own fields only: a server may ask for the section `constructor`. */
function own(value: unknown, key: string): unknown {
  const fields = object(value);
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}
