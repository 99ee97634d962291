// TRN-16: the gateway under load: 32 clients, each with a connection, a session and the same ids, ask hovers of a server
// that answers at once; beside it a bare HTTP server of Node that answers a constant of the same size.
//   node bench/http.js [--calls 1000000] [--era modern|2025]   checks every answer of so many calls and prints the count
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openClient } from './http-client.js';
import { childrenOf, cpuTime, tellsFacts } from './process-facts.js';
import { quantile } from './statistics.js';
import { bin, prepareWork, workFolder } from './work.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const fake = path.join(root, 'test/fake-server/fake-server.js');
const clients = 32;
const words = 64;

/** Measures calls a second and the 99th percentile of both revisions against the bare server, in turns. */
export async function measureHttp({ rounds = 9, calls = 6_000, warmUp = 2 } = {}) {
  const gateway = await startGateway();
  const modern = await openClients(gateway, 'modern');
  const older = await openClients(gateway, '2025');
  const size = Math.round((await modern[0].ask(1)).body.length);
  const bare = await startBare(size);
  const plain = await Promise.all(Array.from({ length: clients }, () => bareClient(bare.url)));
  const sides = [plain, modern, older];
  for (let round = 0; round < warmUp; round += 1) for (const side of sides) await rush(side, calls);
  const runs = sides.map(() => []);
  const before = spentBy(gateway.pid);
  for (let round = 0; round < rounds; round += 1)
    for (const index of round % 2 === 0 ? [0, 1, 2] : [2, 1, 0])
      runs[index].push(await rush(sides[index], calls));
  const spent = spentBy(gateway.pid).map((now, at) => (now - before[at]) / (2 * rounds * calls));
  for (const client of sides.flat()) client.close();
  await Promise.all([gateway.stop(), bare.stop()]);
  const [limit, ...ours] = runs.map(middleOf);
  const [own, itsServer] = spent.map((ms) => ms.toFixed(2));
  const cpu = tellsFacts ? `; ms of CPU a call: lspan ${own}, its server ${itsServer}` : '';
  return ['2026-07-28', '2025-11-25'].flatMap((revision, index) => {
    const { rate, p99 } = ours[index];
    return [
      {
        what: `${clients} clients, hovers of ${size} bytes, ${revision}: calls a second`,
        measured: `${rate.toFixed(0)} (bare Node ${limit.rate.toFixed(0)}: ${(rate / limit.rate).toFixed(2)} ×)${cpu}`,
        target: '≥ 0.15 × bare Node',
        pass: rate >= 0.15 * limit.rate,
      },
      {
        what: `${clients} clients, hovers of ${size} bytes, ${revision}: 99th percentile`,
        measured: `${p99.toFixed(1)} ms (bare Node ${limit.p99.toFixed(1)}: ${(p99 / limit.p99).toFixed(1)} ×)`,
        target: '≤ 5 × bare Node',
        pass: p99 <= 5 * limit.p99,
      },
    ];
  });
}

/** Asks so many with all clients at once; every answer is checked to be that of its own question. */
async function rush(side, calls) {
  let next = 0;
  const wrong = [];
  const times = [];
  const start = performance.now();
  await Promise.all(
    side.map(async (client) => {
      while (next < calls) {
        const at = next;
        next += 1;
        const began = performance.now();
        const answer = await client.ask(at % words);
        times.push(performance.now() - began);
        if (!client.fits(answer, at % words)) wrong.push(`${answer.status} ${answer.body.slice(0, 300)}`);
      }
    }),
  );
  if (wrong.length > 0)
    throw new Error(`${wrong.length} of ${calls} answers were not those of their questions: ${wrong[0]}`);
  return { rate: calls / ((performance.now() - start) / 1000), p99: quantile(times, 0.99) };
}

function middleOf(runs) {
  const middle = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  return { rate: middle(runs.map(({ rate }) => rate)), p99: middle(runs.map(({ p99 }) => p99)) };
}

function spentBy(pid) {
  if (!tellsFacts) return [0, 0];
  return [cpuTime(pid), childrenOf(pid).reduce((sum, child) => sum + cpuTime(child), 0)];
}

/** `lspan serve` on a file of many words, with a server that knows them. */
async function startGateway() {
  const folder = await mkdtemp(path.join(workFolder, 'http-'));
  const project = path.join(folder, 'project');
  const config = path.join(folder, 'config/lspan');
  await Promise.all([mkdir(project, { recursive: true }), mkdir(config, { recursive: true })]);
  const lines = Array.from({ length: words }, (_, index) => `function word${index}`);
  await writeFile(path.join(project, 'a.txt'), `${lines.join('\n')}\n`);
  const script = path.join(folder, 'script.json');
  await writeFile(script, '{"rules":[]}');
  const command = JSON.stringify([process.execPath, fake, script]);
  const server = `[[servers]]\nid = "fake"\ncommand = ${command}\nextensions = ["txt"]\n`;
  await writeFile(path.join(config, 'config.toml'), `[limits]\nanswers_mb = 0\n\n${server}`);
  const state = path.join(folder, 'state');
  const started = await start([bin, 'serve', '--port', '0', '--workspace', project], {
    ...process.env,
    XDG_CONFIG_HOME: path.join(folder, 'config'),
    XDG_STATE_HOME: state,
  });
  const token = (await readFile(path.join(state, 'lspan/token'), 'utf8')).trim();
  const stop = () => started.stop().then(() => rm(folder, { recursive: true }));
  return { ...started, token, stop };
}

function startBare(size) {
  return start([path.join(import.meta.dirname, 'bare-http-server.js'), String(size)], process.env);
}

/** Starts a program that says where it listens. */
async function start(args, env) {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const url = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [found] = /http:\/\/\S+/.exec(line) ?? [];
      if (found) resolve(found);
    });
    ended.then((code) => reject(new Error(`It ended with ${code}.`)));
  });
  const stop = () => {
    child.kill();
    return ended;
  };
  return { url, pid: child.pid, stop };
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

function openClients(gateway, era) {
  const open = era === 'modern' ? modernClient : olderClient;
  return Promise.all(Array.from({ length: clients }, () => open(gateway)));
}

async function modernClient({ url, token }) {
  const client = await openClient(url, {
    Authorization: `Bearer ${token}`,
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': 'tools/call',
    'Mcp-Name': 'get_hover',
  });
  return clientOf(client, { _meta: meta });
}

async function olderClient({ url, token }) {
  const client = await openClient(url, { Authorization: `Bearer ${token}` });
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  };
  const { headers } = await client.post({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  const session = { 'Mcp-Session-Id': headers['mcp-session-id'], 'MCP-Protocol-Version': '2025-11-25' };
  await client.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  return clientOf(client, {}, session);
}

function clientOf({ post, close }, more, headers = {}) {
  let id = 0;
  return {
    close,
    ask(word) {
      id += 1;
      const args = { file_path: 'a.txt', line: word + 1, character: 10 };
      const params = { name: 'get_hover', arguments: args, ...more };
      return post({ jsonrpc: '2.0', id, method: 'tools/call', params }, headers);
    },
    fits: ({ status, body }, word) =>
      status === 200 && body.includes(`"id":${id}}`) && new RegExp(`word${word}\\b`).test(body),
  };
}

async function bareClient(url) {
  const { post, close } = await openClient(url, { Authorization: `Bearer ${'x'.repeat(43)}` });
  const params = { name: 'get_hover', arguments: { file_path: 'a.txt', line: 1, character: 1 } };
  return {
    close,
    ask: (id) => post({ jsonrpc: '2.0', id, method: 'tools/call', params }),
    fits: ({ status }) => status === 200,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { calls: { type: 'string' }, era: { type: 'string' } } });
  const calls = Number(values.calls ?? 1_000_000);
  await prepareWork();
  const gateway = await startGateway();
  const half = (await Promise.all(['modern', '2025'].map((era) => openClients(gateway, era)))).map((side) =>
    side.slice(0, clients / 2),
  );
  const { rate, p99 } = await rush(half.flat(), calls);
  for (const client of half.flat()) client.close();
  await gateway.stop();
  console.log(
    `${clients} clients: ${calls} calls, 0 crossed; ${rate.toFixed(0)} a second, 99th percentile ${p99.toFixed(1)} ms`,
  );
}
