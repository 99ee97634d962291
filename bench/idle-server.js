// An MCP server of the SDK that lspan uses, over stdio, whose only tool does nothing: the limit of throughput.
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const tool = { name: 'nothing', description: 'Does nothing.', inputSchema: { type: 'object' } };
const answer = { content: [{ type: 'text', text: 'Nothing.' }], structuredContent: { done: true } };

serveStdio(() => {
  const server = new Server({ name: 'idle', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: [tool] }));
  server.setRequestHandler('tools/call', () => answer);
  return server;
});
