import { z } from 'zod';
import type { ServerStatus } from '../core/backend.ts';
import { plural } from './render-locations.ts';
import { maxTokens } from './target.ts';
import { defineTool } from './tool.ts';

const server = z.object({
  id: z.string(),
  root: z.string(),
  languages: z.array(z.string()),
  state: z.enum(['not_started', 'starting', 'indexing', 'ready', 'stopped', 'crashed', 'not_installed']),
  standby_for: z.string().optional(),
  pid: z.int().optional(),
  version: z.string().optional(),
  command: z.string().optional(),
  origin: z.string().optional(),
  uptime_seconds: z.int().optional(),
  memory_mb: z.int().optional(),
  restarts: z.int(),
  open_documents: z.int(),
  last_errors: z.array(z.string()),
  writes: z.array(z.string()),
  install: z.string().optional(),
});

type Shown = z.output<typeof server>;

/** The state of the language servers. */
export const getServerStatus = defineTool({
  name: 'get_server_status',
  title: 'Language servers',
  toolset: 'servers',
  listed: true,
  description:
    'The language servers of this workspace: state, program, memory, last errors, how to install what is missing.',
  input: z.strictObject({ max_tokens: maxTokens }),
  output: z.object({
    workspace: z.array(z.string()),
    notices: z.array(z.string()),
    servers: z.array(server),
  }),
  effects: 'none',
  async answer(world) {
    const servers = (await world.backend.status()).map(show);
    const data = { workspace: [...world.workspace.roots], notices: [...world.notices], servers };
    return { data, total: servers.length, doubts: [] };
  },
  render: ({ workspace, notices, servers }, total) => {
    const head = [`Workspace ${workspace.join(', ')}`, ...notices.map((notice) => `! ${notice}`)];
    const none = 'No language that lspan knows a server for was found here.';
    return [...head, ...(total === 0 ? [none] : servers.map(renderServer))].join('\n');
  },
  count: ({ servers }) => servers.length,
  cut: ({ servers, ...rest }, keep) => ({ ...rest, servers: servers.slice(0, keep) }),
});

function show(status: ServerStatus): Shown {
  const { standbyFor, uptimeSeconds, memoryBytes, openDocuments, lastErrors, ...rest } = status;
  return {
    ...rest,
    languages: [...rest.languages],
    writes: [...rest.writes],
    ...(standbyFor === undefined ? {} : { standby_for: standbyFor }),
    ...(uptimeSeconds === undefined ? {} : { uptime_seconds: uptimeSeconds }),
    ...(memoryBytes === undefined ? {} : { memory_mb: Math.round(memoryBytes / 1024 ** 2) }),
    open_documents: openDocuments,
    last_errors: [...lastErrors],
  };
}

function renderServer(status: Shown): string {
  const facts = [
    status.version,
    status.pid === undefined ? undefined : `pid ${status.pid}`,
    status.uptime_seconds === undefined ? undefined : `up ${status.uptime_seconds} s`,
    status.memory_mb === undefined ? undefined : `${status.memory_mb} MB`,
    status.open_documents > 0 ? plural('open document', status.open_documents) : undefined,
    status.restarts > 0 ? plural('restart', status.restarts) : undefined,
  ].filter((fact) => fact !== undefined);
  const lines = [
    `${status.id} (${status.languages.join(', ')}): ${status.state.replace('_', ' ')}${facts.length > 0 ? `, ${facts.join(', ')}` : ''}`,
    ...(status.command ? [`  program ${status.command} (${status.origin})`] : []),
    ...(status.standby_for ? [`  stands by: ${status.standby_for} is asked first`] : []),
    ...(status.install ? [`  install: ${status.install}`] : []),
    ...status.writes.map((path) => `  writes ${path}`),
    ...status.last_errors.slice(-5).map((line) => `  ! ${line}`),
  ];
  return lines.join('\n');
}
