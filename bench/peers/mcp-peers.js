// The MCP servers that are asked over stdio: lspan, and cclsp with the language server that its documents name.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pinned } from '../../test/campaigns/pinned.js';
import { startMcpClient } from '../mcp-client.js';

const root = path.resolve(import.meta.dirname, '../..');
const from = (name) => path.join(root, 'node_modules', name);

/** The same server and compiler for all who have to be given one. */
export const typescriptServer = {
  command: [process.execPath, from('typescript-language-server/lib/cli.mjs'), '--stdio'],
  initializationOptions: { tsserver: { path: from('typescript-5/lib') } },
};

/** How each is started in a folder, and how it is asked. */
export const mcpPeers = [
  {
    name: 'lspan',
    version: 'this',
    start: async (folder, env) => ({
      bin: path.join(root, 'dist/bin.js'),
      args: ['mcp', '--workspace', folder],
      cwd: folder,
      env,
    }),
    references: ({ symbol, file }) => ['find_references', { symbol_name: symbol, file_path: file }],
    problems: ({ file }) => ['get_diagnostics', { file_path: file }],
    rename: ({ symbol, file, newName }) => [
      'rename_symbol',
      { symbol_name: symbol, file_path: file, new_name: newName, dry_run: false },
    ],
    placesIn: groupedPlaces,
  },
  {
    name: 'cclsp',
    version: '0.7.0',
    async start(folder, env) {
      const cclsp = await pinned('cclsp', this.version);
      const config = path.join(env.HOME, 'cclsp.json');
      writeFileSync(
        config,
        JSON.stringify({ servers: [{ ...typescriptServer, extensions: ['ts'], rootDir: folder }] }),
      );
      const own = { ...env, CCLSP_CONFIG_PATH: config };
      return { bin: path.join(cclsp, 'dist/index.js'), args: [], cwd: folder, env: own };
    },
    references: ({ symbol, file, folder }) => [
      'find_references',
      { symbol_name: symbol, file_path: path.join(folder, file) },
    ],
    problems: ({ file, folder }) => ['get_diagnostics', { file_path: path.join(folder, file) }],
    rename: ({ symbol, file, folder, newName }) => [
      'rename_symbol',
      { symbol_name: symbol, file_path: path.join(folder, file), new_name: newName },
    ],
    placesIn: listedPlaces,
  },
].map((peer) => ({
  ...peer,
  converse: (place, steps) => converse(peer, place, steps),
  offer: (place) => offer(peer, place),
}));

/** Takes the steps of a conversation in order; each question is answered with text, places, time and whether it failed. */
async function converse(peer, { folder, env }, steps) {
  const client = startMcpClient(await peer.start(folder, env));
  await client.initialize();
  const answers = [];
  for (const step of steps) {
    if (step.act) await step.act(client.pid);
    else {
      const [name, args] = peer[step.ask]({ ...step, folder });
      const begun = performance.now();
      const { content, isError = false } = await client.request('tools/call', { name, arguments: args });
      const text = content.map((part) => part.text ?? '').join('\n');
      answers.push({ text, isError, time: performance.now() - begun, places: peer.placesIn(text, folder) });
    }
  }
  await client.terminate();
  return answers;
}

/** What a model is told before it asks anything. */
async function offer(peer, { folder, env }) {
  const client = startMcpClient(await peer.start(folder, env));
  const { instructions = '' } = await client.initialize();
  const { tools } = await client.request('tools/list');
  await client.terminate();
  return JSON.stringify(tools) + instructions;
}

/** Places under a line with the name of their file. */
function groupedPlaces(text) {
  const places = [];
  let file = '';
  for (const line of text.split('\n')) {
    if (/^\S+\.ts$/.test(line)) file = line;
    const found = /^ {2}(\d+):\d+ /.exec(line);
    if (found) places.push(`${file}:${found[1]}`);
  }
  return [...new Set(places)].sort();
}

/** Places with a path each. */
export function listedPlaces(text, folder) {
  const found = [...text.matchAll(/([^\s:"'`(]+\.ts):(\d+)/g)];
  const places = found.map(
    ([, file, line]) => `${path.relative(folder, path.resolve(folder, file))}:${line}`,
  );
  return [...new Set(places)].sort();
}
