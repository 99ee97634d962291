import { z } from 'zod';
import type { ServerStatus } from '../../core/backend.ts';
import { limits } from '../../core/limits.ts';
import { defineTool } from '../run/define-tool.ts';
import { maxTokens } from '../run/paging-fields.ts';
import { renderServer, type ShownServer, shownServer, toShownServer } from './show-server.ts';

/** Shows the state of the language servers. */
export const getServerStatus = defineTool({
  name: 'get_server_status',
  title: 'Language servers',
  toolset: 'servers',
  listed: true,
  description: 'The language servers: state, last errors, how to install missing ones.',
  input: z.strictObject({
    server: z.string().min(1).max(limits.input.id).optional().describe('id or language'),
    max_tokens: maxTokens,
  }),
  output: z.object({
    lspan_version: z.string(),
    workspace: z.array(z.string()),
    notices: z.array(z.string()),
    servers: z.array(shownServer),
    also_known: z.array(z.string()),
  }),
  effects: 'none',
  async answer(context, { server }) {
    const neighbours = (await context.neighbours?.()) ?? [];
    const beside = neighbours.flatMap(({ servers }) => servers.filter(({ state }) => !unused.has(state)));
    const all = [...(await context.backend.servers.status()), ...beside].sort(compareByUse);
    const isMeant = ({ id, languages, spare }: ServerStatus) =>
      server === undefined ? !spare : id === server || languages.includes(server);
    const servers = all.filter(isMeant).map((status) => toShownServer(status, server !== undefined));
    const others = server === undefined ? all.filter(({ spare }) => spare) : [];
    const data = {
      lspan_version: context.version,
      workspace: [...context.workspace.roots, ...neighbours.map(({ root }) => root)],
      notices: [...context.notices],
      servers,
      also_known: [...new Set(others.map(({ id }) => id))],
    };
    return { data, total: servers.length, doubts: [] };
  },
  render: ({ lspan_version, workspace, notices, servers, also_known }, total) => {
    const head = [
      `lspan ${lspan_version}, workspace ${workspace.join(', ')}`,
      ...notices.map((notice) => `! ${notice}`),
    ];
    const none = 'No such language server is known for the files of this workspace.';
    return [
      ...head,
      ...(total === 0 ? [none] : servers.map((one) => renderServer(one, workspace.length > 1))),
      ...(also_known.length > 0
        ? [`Also known, not installed and not needed: ${also_known.join(', ')}. Ask for one by \`server\`.`]
        : []),
    ].join('\n');
  },
  count: ({ servers }) => servers.length,
  cut: ({ servers, ...rest }, keep) => ({ ...rest, servers: servers.slice(0, keep) }),
});

/** The states in which an agent can do something come first: failing, running, startable, then missing. */
const order: readonly ShownServer['state'][] = [
  'crashed',
  'starting',
  'indexing',
  'ready',
  'running',
  'stopped',
  'not_started',
  'not_trusted',
  'not_installed',
];

/** The states of servers of another worktree that say nothing new. */
const unused: ReadonlySet<ShownServer['state']> = new Set(['not_started', 'not_installed', 'not_trusted']);

function compareByUse(a: ServerStatus, b: ServerStatus): number {
  const rank = ({ state, standbyFor }: ServerStatus) => {
    const place = order.indexOf(state);
    return standbyFor !== undefined && state === 'not_started' ? place + 0.5 : place;
  };
  return rank(a) - rank(b);
}
