import { z } from 'zod';
import { defineTool } from '../run/define-tool.ts';
import { actOnServers, renderOutcomes, serverFields, serverOutcomes } from './server-outcomes.ts';

/** Stops language servers. */
export const stopServer = defineTool({
  name: 'stop_server',
  title: 'Stop language servers',
  toolset: 'servers',
  listed: false,
  description:
    'Stops language servers to free memory; the next question that needs one starts it again. Questions in progress end with an error.',
  input: z.strictObject(serverFields),
  output: serverOutcomes,
  effects: 'servers',
  answer: (context, input, call) =>
    actOnServers(context, input, (servers, selector) => servers.stop(selector, call)),
  render: (data) => renderOutcomes(data, 'No server runs.'),
  count: ({ servers }) => servers.length,
  cut: ({ servers }, keep) => ({ servers: servers.slice(0, keep) }),
});
