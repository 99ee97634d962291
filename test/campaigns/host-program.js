// A program around lspan that is there to be killed: `node host-program.js BIN BOOTSTRAP`, with the environment of lspan.
// Tells the process of lspan first, and what it has just asked; goes on asking until it is ended.
import { createInterface } from 'node:readline';
import { startHostClient } from '../../bench/host-client.js';

const [, , bin, bootstrap] = process.argv;
const tell = (word) => process.stdout.write(`${word}\n`);
const host = startHostClient({ bin, env: process.env, bootstrap: JSON.parse(bootstrap) });
tell(`started ${host.pid}`);
const { rpc, mcp, streams } = host;
/** What it is told to do to lspan. A closed reading end is noticed by who writes to it. */
const orders = {
  shutdown: () => rpc.request('lsp/shutdown'),
  stdin: () => streams.stdin.end(),
  stdout: () => {
    streams.stdout.destroy();
    return rpc.request('lsp/status');
  },
  input: () => streams.input.end(),
  output: () => {
    streams.output.destroy();
    return mcp.request('ping');
  },
};
createInterface({ input: process.stdin }).on('line', (word) =>
  Promise.resolve(orders[word]()).catch(() => {}),
);
const text = 'function alpha\nERROR_1\n';
const call = (tool, given) => host.rpc.request('lsp/call', { tool, arguments: given });
const acts = {
  call: () => call('find_references', { file_path: 'f0.txt', line: 1, character: 10 }),
  overlay: () => host.rpc.request('lsp/checkFile', { filePath: 'f0.txt', text }),
  edit: () =>
    call('rename_symbol', { file_path: 'f0.txt', line: 1, character: 10, new_name: 'omega', dry_run: false }),
  back: () => call('undo_edit', { dry_run: false }),
};
await host.ready();
tell('ready');
for (;;)
  for (const [name, act] of Object.entries(acts)) {
    const asked = act();
    tell(name);
    await asked;
  }
