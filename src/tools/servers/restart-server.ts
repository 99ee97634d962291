import { z } from 'zod';
import { defineTool } from '../run/define-tool.ts';
import { onServers, renderOutcomes, serverFields, serverOutcomes } from './server-outcomes.ts';

/** Starts language servers anew. */
export const restartServer = defineTool({
  name: 'restart_server',
  title: 'Restart language servers',
  toolset: 'servers',
  listed: false,
  description:
    'Restarts the language servers that run, and gives those that crashed another chance. Questions under way end with an error.',
  input: z.strictObject(serverFields),
  output: serverOutcomes,
  effects: 'servers',
  answer: (context, input, call) =>
    onServers(context, input, (selector) => context.backend.servers.restart(selector, call)),
  render: (data) => renderOutcomes(data, nobody),
  count: ({ servers }) => servers.length,
  cut: ({ servers }, keep) => ({ servers: servers.slice(0, keep) }),
});

const nobody = 'No server runs or has crashed: each starts with the first question that needs it.';
