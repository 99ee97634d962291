// TRN-15: whatever clients open over HTTP and leave behind, nothing of it stays: sessions, streams, calls, descriptors
// and memory are as they were.
//   node test/campaigns/http-leaks.js [times, 1000 unless given] [flags of lspan serve]   (after `npm run build`)
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { startServe } from './serve.js';

const [, , times = '1000', ...args] = process.argv;
const rounds = 4;
const mostGrowth = 24;
const hasSessions = !args.includes('--no-sessions');
const hasModern = !args.includes('--protocol');

const folder = mkdtempSync(path.join(tmpdir(), 'lspan-leaks-'));
const project = path.join(folder, 'work');
mkdirSync(project);
writeFileSync(path.join(project, 'a.txt'), 'function alpha\n');
const script = path.join(folder, 'script.json');
const slowly = { on: { method: 'textDocument/hover' }, do: [{ delayMs: 100 }, { reply: 'auto' }] };
writeFileSync(script, JSON.stringify({ rules: [slowly] }));
const fake = [process.execPath, path.resolve(import.meta.dirname, '../fake-server/fake-server.js'), script];
const config = path.join(folder, 'config.json');
writeFileSync(config, JSON.stringify({ servers: [{ id: 'fake', command: fake, extensions: ['txt'] }] }));
const env = { ...process.env, XDG_STATE_HOME: path.join(folder, 'state') };
const lspan = await startServe(project, { args: ['--config', config, ...args], env });
const agent = new http.Agent({ keepAlive: true, maxSockets: 12 });

const revision = { 'MCP-Protocol-Version': '2025-11-25' };
const uri = 'lspan://diagnostics/a.txt';
const clientInfo = { name: 'campaign', version: '1' };
const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
const initialize = { body: { id: 0, method: 'initialize', params }, agent };
const hover = { name: 'get_hover', arguments: { file_path: 'a.txt', line: 1, character: 10 } };
const older = (id, more) => ({ body: { id, method: 'tools/call', params: { ...hover, ...more } } });
const progress = { _meta: { progressToken: 1 } };

const sessions = {
  'sessions opened and ended': async () => {
    const headers = await openSession();
    return (await ask({ method: 'DELETE', headers, agent })).status;
  },
  'sessions that follow a resource, ended at once': async () => {
    const headers = await openSession();
    const following = ask({
      body: { id: 1, method: 'resources/subscribe', params: { uri } },
      headers,
      agent,
    });
    await ask({ method: 'DELETE', headers, agent });
    return (await following).status;
  },
  'streams of sessions that are dropped': async () => {
    const headers = await openSession();
    await drop({ method: 'GET', headers: { ...headers, Accept: 'text/event-stream' } });
    return (await ask({ method: 'DELETE', headers, agent })).status;
  },
  'calls with long ids that are cancelled': async (index) => {
    const headers = await openSession();
    const id = `${index} ${'x'.repeat(100_000)}`;
    const answering = ask({ ...older(id, progress), headers });
    const cancel = { body: { method: 'notifications/cancelled', params: { requestId: id } }, headers, agent };
    await ask(cancel);
    await answering;
    return (await ask({ method: 'DELETE', headers, agent })).status;
  },
};
const modernly = {
  'listening that is dropped': () =>
    drop(modern('subscriptions/listen', { notifications: { resourceSubscriptions: [uri] } })),
  'calls of 2026 that are hung up on': (index) =>
    drop(modern('tools/call', { ...hover, ...(index % 2 && progress) })),
};
const both = {
  'calls of 2025 that are hung up on': async (index) => {
    const headers = hasSessions ? await openSession() : revision;
    await drop({ ...older(index, index % 2 ? progress : {}), headers });
    return hasSessions ? (await ask({ method: 'DELETE', headers, agent })).status : 0;
  },
};

let isFlat = true;
const first = hasSessions ? await openSession() : revision;
await ask({ ...older(1), headers: first });
if (hasSessions) await ask({ method: 'DELETE', headers: first });
const before = await state();
for (const [name, work] of Object.entries({
  ...(hasSessions && sessions),
  ...(hasModern && modernly),
  ...both,
})) {
  const memory = [];
  for (let round = 0; round < rounds; round += 1) {
    await atOnce(Math.ceil(Number(times) / rounds), work);
    memory.push((await rest()).memory);
  }
  const grown = Math.min(...memory.slice(1)) - memory[0];
  isFlat &&= grown < mostGrowth;
  console.log(`${name}: ${memory.map((one) => one.toFixed(0)).join(', ')} MiB`);
}
const statuses = await atOnce(10 * Number(times), async () => (await ask(initialize)).status);
agent.destroy();
let full = await state();
// The other side of a connection hears of its end a little later.
for (let tries = 0; tries < 50 && full.descriptors > before.descriptors + 2; tries += 1) {
  await after(100);
  full = await state();
}
console.log(`initialize: ${JSON.stringify(statuses)}, ${full.memory.toFixed(0)} MiB`);
console.log(`descriptors: ${before.descriptors} before, ${full.descriptors} after`);
const isBounded = full.sessions <= 32 && full.streams === 0 && full.calls === 0;
const isClosed = full.descriptors <= before.descriptors + 2;
await lspan.end();
rmSync(folder, { recursive: true, force: true });
if (!isFlat || !isBounded || !isClosed) {
  console.log('Something stays.', JSON.stringify({ before, full }));
  process.exitCode = 1;
}

/** Does something so many times, twelve at once; counts what it gave. */
async function atOnce(count, work) {
  const given = {};
  let begun = 0;
  const worker = async () => {
    while (begun < count) {
      const one = await work(begun++);
      given[one] = (given[one] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 12 }, worker));
  return given;
}

async function openSession() {
  const { headers } = await ask(initialize);
  return { ...revision, 'Mcp-Session-Id': headers['mcp-session-id'] };
}

function modern(method, { _meta, ...given }) {
  const key = (name) => `io.modelcontextprotocol/${name}`;
  const meta = {
    [key('protocolVersion')]: '2026-07-28',
    [key('clientInfo')]: clientInfo,
    [key('clientCapabilities')]: {},
    ..._meta,
  };
  const name = given.name ? { 'Mcp-Name': given.name } : {};
  return {
    body: { id: 1, method, params: { ...given, _meta: meta } },
    headers: { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method, ...name },
  };
}

/** Sends a request; gives it, and its answer as soon as that begins. */
function send({ method = 'POST', body, headers = {}, agent: from, at = new URL(lspan.url).pathname }) {
  const { hostname, port } = new URL(lspan.url);
  const own = { Authorization: `Bearer ${lspan.token}`, Accept: 'application/json, text/event-stream' };
  const type = body ? { 'Content-Type': 'application/json' } : {};
  const all = { ...own, ...type, ...headers };
  const request = http.request({ hostname, port, path: at, method, agent: from, headers: all });
  const begun = new Promise((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
  });
  request.end(body && JSON.stringify({ jsonrpc: '2.0', ...body }));
  return { request, begun };
}

async function ask(given) {
  const response = await send(given).begun;
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, headers: response.headers, text };
}

/** Hangs up once the answer has begun, or soon after it was asked for. */
async function drop(given) {
  const { request, begun } = send(given);
  const heard = begun.then(
    (response) => void response.on('error', () => {}),
    () => {},
  );
  await Promise.race([heard, after(20)]);
  request.destroy();
  return 'dropped';
}

async function state() {
  const { text } = await ask({ method: 'GET', at: '/metrics' });
  const value = (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    sessions: value('lspan_http_sessions'),
    streams: value('lspan_http_streams'),
    calls: value('lspan_calls_in_flight'),
    memory: value('process_resident_memory_bytes') / 2 ** 20,
    descriptors: readdirSync(`/proc/${lspan.pid}/fd`).length,
  };
}

/** The state once nothing goes on; for ever where something stays. */
async function rest() {
  for (;;) {
    const now = await state();
    if (now.sessions + now.streams + now.calls === 0) return now;
    await after(100);
  }
}
