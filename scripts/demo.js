// Shows lspan at work: a real MCP client asks it about the small TypeScript project in demo/.
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const root = path.resolve(import.meta.dirname, '..');

/** What is asked, and what the answer shows. */
const steps = [
  [
    'find_definition',
    { symbol_name: 'addPrices', file_path: 'src/receipt.ts' },
    'receipt.ts only uses the function: the language server knows where it is written, and the line comes with it.',
  ],
  [
    'find_references',
    { symbol_name: 'addPrices' },
    'By the name alone: every use in every file, as the compiler sees them and not as a text search does.',
  ],
  [
    'get_diagnostics',
    { file_path: 'src/main.ts' },
    'The one mistake in the project, found without running a build. The answer belongs to the text now on the disk.',
  ],
  [
    'get_server_status',
    {},
    'Which language server answered, where it came from, and that it runs. It was started by the first question.',
  ],
];

const client = new Client({ name: 'lspan-demo', version: '1.0.0' });
const transport = new StdioClientTransport({
  command: process.execPath,
  args: [path.join(root, 'dist/bin.js'), 'mcp', '--workspace', path.join(root, 'demo')],
  stderr: 'inherit',
});

await client.connect(transport);
try {
  const { tools } = await client.listTools();
  print('tools/list', 'What an agent is offered. Nothing has been started for it.');
  console.log(tools.map(({ name, title }) => `  ${name.padEnd(26)} ${title}`).join('\n'));
  for (const [name, args, shows] of steps) await ask(name, args, shows);
} finally {
  await client.close();
}
console.log('\nThe client has gone, and lspan and its language servers with it.');

async function ask(name, args, shows) {
  print(`${name} ${JSON.stringify(args)}`, shows);
  const { content, isError } = await client.callTool({ name, arguments: args });
  console.log(content.map(({ text }) => text.replaceAll(/^/gm, '  ')).join('\n'));
  if (isError) process.exitCode = 1;
}

function print(call, shows) {
  console.log(`\n▶ ${call}\n  (${shows})\n`);
}
