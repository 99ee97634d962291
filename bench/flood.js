// What messages that nothing acts on cost a client that asks something behind them, in time on a CPU.
import { startMcpClient } from './mcp-client.js';
import { cpuTime, tellsFacts } from './process-facts.js';
import { generateProject } from './project.js';
import { bin, env } from './work.js';

const count = 200_000;
const atOnce = 1_000;
const most = 2_000;

const floods = [
  ['notifications of an unknown method', { method: 'notifications/unknown', params: { data: 'x' } }],
  ['cancellations of nothing', { method: 'notifications/cancelled', params: { requestId: 'none' } }],
];

/** Measures each flood on an lspan that has loaded all that it needs. */
export async function measureFlood() {
  if (!tellsFacts) return [];
  const { folder } = await generateProject('typescript', 50);
  const rows = [];
  for (const [name, message] of floods) {
    const client = startMcpClient({ bin, args: ['mcp', '--workspace', folder], cwd: folder, env });
    await client.initialize();
    await client.request('tools/list');
    // Nobody but the SDK answers this, so that it is loaded.
    await client.request('no/such/method').catch(() => {});
    await client.request('ping');
    const before = cpuTime(client.pid);
    const lines = `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`.repeat(atOnce);
    for (let sent = 0; sent < count; sent += atOnce) client.write(lines);
    await client.request('ping');
    const spent = cpuTime(client.pid) - before;
    await client.stop();
    const what = `${count.toLocaleString('en')} ${name}, then a ping: CPU`;
    rows.push({ what, measured: `${spent} ms`, target: `≤ ${most} ms`, pass: spent <= most });
  }
  return rows;
}
