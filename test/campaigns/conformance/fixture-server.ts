import { createRequestStateCodec, Server } from '@modelcontextprotocol/server';
import { fixtureInput } from './fixture-input.ts';
import { fixturePrompts } from './fixture-prompts.ts';
import { fixtureResources } from './fixture-resources.ts';
import { fixtureTools, type Result } from './fixture-tools.ts';

const states = createRequestStateCodec<string>({ key: crypto.getRandomValues(new Uint8Array(32)) });

/** A server with what the official suite calls by fixed names, on the transport that lspan's own server has. */
export function fixtureServer(): Server {
  const server = new Server(
    { name: 'lspan-conformance', version: '1.0.0' },
    {
      capabilities: {
        tools: {},
        prompts: {},
        resources: { subscribe: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: states.verify },
    },
  );
  const input = fixtureInput(states.mint);
  const tools = { ...fixtureTools, ...input.tools };
  server.setRequestHandler('tools/list', () => ({
    tools: Object.entries(tools).map(([name, { description, inputSchema }]) => ({
      name,
      description,
      inputSchema,
    })),
  }));
  server.setRequestHandler('tools/call', ({ params }, context): Result | Promise<Result> => {
    const tool = tools[params.name];
    if (!tool) throw new Error(`Unknown tool: ${params.name}`);
    return tool.run(params.arguments ?? {}, context);
  });
  fixturePrompts(server, input.prompt);
  fixtureResources(server);
  return server;
}
