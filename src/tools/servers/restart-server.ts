import { z } from 'zod';
import { defineTool } from '../run/define-tool.ts';
import { actOnServers, renderOutcomes, serverFields, serverOutcomes } from './server-outcomes.ts';

/** Restarts language servers. */
export const restartServer = defineTool({
  name: 'restart_server',
  title: 'Restart language servers',
  toolset: 'servers',
  listed: false,
  description: 'Restarts language servers that run or have crashed. Questions in progress end with an error.',
  input: z.strictObject(serverFields),
  output: serverOutcomes,
  effects: 'servers',
  answer: (context, input, call) =>
    actOnServers(context, input, (servers, selector) => servers.restart(selector, call)),
  render: (data) => renderOutcomes(data, noServer),
  count: ({ servers }) => servers.length,
  cut: ({ servers }, keep) => ({ servers: servers.slice(0, keep) }),
});

const noServer = 'No server runs or has crashed: each starts with the first question that needs it.';
