import { type CompleteRequestParams, type Server, specTypeSchemas } from '@modelcontextprotocol/server';
import type { Bridge } from '../../../bridge.ts';
import { limits } from '../../../core/limits.ts';
import type { Log } from '../../../core/log.ts';
import type { CancelSignal } from '../../../core/runtime/cancellation.ts';
import type { Matches } from '../../../tools/host/complete.ts';
import { callTool, type OnCallEnd } from '../call-tool.ts';
import type { LazyBridge } from '../lazy-bridge.ts';
import type { Offer } from '../offer.ts';
import type { OutputMode } from '../output-mode.ts';
import type { Subscriptions } from '../subscriptions.ts';
import type { ToldDoubts } from '../told-doubts.ts';
import { invalid, named } from './invalid.ts';
import { mcpServer } from './mcp-server.ts';
import { promptNamed, servePrompts } from './serve-prompts.ts';
import { serveResources } from './serve-resources.ts';

/** The dependencies of an SDK server. */
interface ServerParts {
  readonly bridge: Pick<LazyBridge, 'calls' | 'present'>;
  /** Opens the bridge for the folders that came with a call. */
  readonly open: (server: Server, folders?: readonly string[]) => Promise<Bridge>;
  /** Absent where subscriptions are not supported. */
  readonly subscriptions?: Subscriptions;
}

/** The options of an SDK server. */
interface ServerOptions {
  readonly output: OutputMode | undefined;
  readonly log: Log;
  /** Identifies the caller, where there are several. */
  readonly scope?: string;
  /** The doubts that the conversation was told; absent for a request that belongs to none. */
  readonly told?: ToldDoubts | undefined;
  readonly onCallEnd?: OnCallEnd;
}

/** Makes the SDK's server for one connection, session or request, with everything in an offer. */
export function lspanServer(
  offer: Offer,
  { bridge, open, subscriptions }: ServerParts,
  { output, log, scope, told, onCallEnd }: ServerOptions,
): Server {
  const { calls } = bridge;
  const server: Server = mcpServer(offer, (call, asked) => {
    const context = { open: () => open(asked, call.folders), surface: offer.surface, calls, onCallEnd };
    return callTool({ ...call, scope, told }, context, output, log);
  });
  if (offer.prompts.length > 0) servePrompts(server, offer.prompts);
  if (offer.resourceTemplates.length > 0) {
    const files = { present: () => bridge.present, open: () => open(server), calls, scope };
    serveResources(server, offer.resourceTemplates, files, subscriptions);
  }
  if (offer.identity.capabilities.completions) serveCompletion(server, offer, () => open(server), scope);
  return server;
}

/** Notifies the client of a server that a resource may have changed. */
export function tellUpdated(server: Server, uri: string, log: Log): void {
  server.sendResourceUpdated({ uri }).catch((error) => log('warn', 'mcp.not_told', { error }));
}

/** Completes the arguments of prompts and resource templates: paths and symbol names. */
function serveCompletion(
  server: Server,
  { prompts, resourceTemplates }: Pick<Offer, 'prompts' | 'resourceTemplates'>,
  open: () => Promise<Bridge>,
  scope?: string,
): void {
  const { CompleteRequestParams: schema } = specTypeSchemas;
  server.setRequestHandler(
    'completion/complete',
    { params: schema },
    async (params, { mcpReq: { signal } }) => {
      const { ref, argument } = params;
      if (ref.type === 'ref/prompt') promptNamed(prompts, ref.name);
      else if (!resourceTemplates.some(({ uriTemplate }) => uriTemplate === ref.uri))
        throw invalid(`Unknown resource template: ${named(ref.uri)}`);
      if (argument.value.length > limits.completion.typed) throw invalid('The text to complete is too long.');
      const { resources } = await open();
      const complete = completers.get(argument.name);
      const { values, total } =
        (resources && (await complete?.(resources, params, { signal, scope }))) ?? nothing;
      return { completion: { values: [...values], total, hasMore: total > values.length } };
    },
  );
}

type Complete = (
  sidelights: NonNullable<Bridge['resources']>,
  params: CompleteRequestParams,
  asker: { readonly signal: CancelSignal; readonly scope: string | undefined },
) => Promise<Matches>;

/** Keyed by the name of the argument; other arguments have no completions. */
const completers: ReadonlyMap<string, Complete> = new Map<string, Complete>([
  [
    'path',
    (sidelights, { argument }, { signal, scope }) => sidelights.completePath(argument.value, signal, scope),
  ],
  [
    'symbol',
    (sidelights, { argument, context }, { signal, scope }) =>
      sidelights.completeSymbol(argument.value, context?.arguments?.path || undefined, signal, scope),
  ],
]);

const nothing: Matches = { values: [], total: 0 };
