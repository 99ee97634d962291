// A client of an MCP server that asks one question, says so, and then only waits to be killed.
//   node bench/peers/client.js PEER FOLDER STEP
import { mcpPeers } from './mcp-peers.js';

const [name, folder, step] = process.argv.slice(2);
const peer = mcpPeers.find((one) => one.name === name);
const wait = () => {
  process.stdout.write('answered\n');
  return new Promise(() => setInterval(() => {}, 60_000));
};
await peer.converse({ folder, env: process.env }, [JSON.parse(step), { act: wait }]);
