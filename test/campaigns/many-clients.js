// TRN-16: many clients, each with an lspan of its own over one workspace and all with the same ids, ask in random turns;
// every answer must be that of its own question, and come once.
//   node test/campaigns/many-clients.js [--clients 32] [--calls 100000] [--seed N]   (after `npm run build`)
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { randomFrom } from './frame-streams.js';

const { values } = parseArgs({
  options: { clients: { type: 'string' }, calls: { type: 'string' }, seed: { type: 'string' } },
});
const clients = Number(values.clients ?? 32);
const calls = Number(values.calls ?? 100_000);
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
console.log(`seed ${seed}`);
const random = randomFrom(seed);
const bin = path.resolve(import.meta.dirname, '../../dist/bin.js');
const workspace = mkdtempSync(path.join(tmpdir(), 'lspan-many-'));
writeFileSync(path.join(workspace, 'a.txt'), 'alpha\n');

const started = await Promise.all(Array.from({ length: clients }, () => start()));
for (let call = 0; call < calls; call += 1) {
  await started[random(clients)].ask(`missing-${call}.txt`);
}
const counts = await Promise.all(started.map((client) => client.end()));
rmSync(workspace, { recursive: true });
const wrong = counts.reduce((sum, count) => sum + count.wrong, 0);
const answered = counts.reduce((sum, count) => sum + count.answered, 0);
console.log(`${clients} clients: ${answered} of ${calls} calls answered, ${wrong} wrong`);
if (wrong > 0 || answered !== calls) process.exitCode = 1;

/** A client of a process of its own, with at most 64 calls open. */
async function start() {
  const child = spawn(process.execPath, [bin, 'mcp', '--workspace', workspace], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const open = new Map();
  const counted = { answered: 0, wrong: 0 };
  let room = () => {};
  let shaken = () => {};
  const handshake = new Promise((resolve) => {
    shaken = resolve;
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result } = JSON.parse(line);
    if (id === 0) return shaken();
    const file = open.get(id);
    open.delete(id);
    counted.answered += 1;
    // The error names the file that was asked about.
    if (file === undefined || !JSON.stringify(result).includes(file)) counted.wrong += 1;
    room();
  });
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'many', version: '1' },
  };
  send({ id: 0, method: 'initialize', params });
  await handshake;
  send({ method: 'notifications/initialized' });
  const untilAtMost = async (most) => {
    while (open.size > most) {
      await new Promise((resolve) => {
        room = resolve;
      });
    }
  };
  let last = 0;
  return {
    async ask(file) {
      await untilAtMost(63);
      last += 1;
      open.set(last, file);
      send({
        id: last,
        method: 'tools/call',
        params: { name: 'get_document_symbols', arguments: { file_path: file } },
      });
    },
    async end() {
      await untilAtMost(0);
      child.stdin.end();
      await new Promise((resolve) => child.once('close', resolve));
      return counted;
    },
  };
}
