import { type CompleteRequestParams, type Server, specTypeSchemas } from '@modelcontextprotocol/server';
import type { Bridge } from '../../../bridge.ts';
import { limits } from '../../../core/limits.ts';
import type { CancelSignal } from '../../../core/runtime/cancellation.ts';
import type { Matches } from '../../../tools/host/complete.ts';
import type { Offer } from '../offer.ts';
import { invalid, named } from './invalid.ts';
import { promptNamed } from './serve-prompts.ts';

/** Completes the arguments of prompts and resource templates: paths and symbol names. */
export function serveCompletion(
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
      if (argument.value.length > limits.completion.typed)
        throw invalid('What is to be completed is too long.');
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
