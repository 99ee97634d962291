// What a misbehaving server costs the answers of another one.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startMcpClient } from './mcp-client.js';
import { quantile, timed } from './statistics.js';
import { bin, workFolder } from './work.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const fake = path.join(root, 'test/fake-server/fake-server.js');
const most = 20;
const endless = 1e9;
const log = { method: 'window/logMessage', params: { type: 4, message: 'x' }, times: endless };

/** What the other server does from its first question on. */
const misbehaviours = [
  { name: 'alone' },
  { name: 'beside a silent server', actions: [{ never: true }] },
  { name: 'beside a stopped server', actions: [{ signalSelf: 'SIGSTOP' }] },
  { name: 'beside a busy loop', actions: [{ busyLoop: true }] },
  { name: 'beside a flood of messages', actions: [{ notify: log }] },
  { name: 'beside a flood of stderr', actions: [{ stderr: { bytes: endless * 100, newline: true } }] },
  { name: 'beside a crash loop', actions: [{ exit: { code: 3 } }], again: true },
];

/** Measures warm definitions of a good server alone, and beside each misbehaviour of another: median and 99th percentile. */
export async function measureIsolation({ rounds = 500, warmUp = 200 } = {}) {
  const rows = [];
  for (const misbehaviour of misbehaviours) rows.push(await measure(misbehaviour, rounds, warmUp));
  return rows;
}

async function measure({ name, actions = [], again = false }, rounds, warmUp) {
  const folder = await mkdtemp(path.join(workFolder, 'isolation-'));
  const lspan = await start(folder, actions);
  const good = () => lspan.call('find_definition', { file_path: 'b.txt', line: 1, character: 1 });
  const bad = () => lspan.outcome('get_hover', { file_path: 'c.md', line: 1, character: 1 });
  for (let round = 0; round < warmUp; round += 1) await good();
  let over = false;
  const provoke = async () => {
    do await bad();
    while (again && !over);
  };
  if (actions.length > 0) provoke().catch(() => {});
  const times = [];
  for (let round = 0; round < rounds; round += 1) times.push((await timed(good)).time);
  over = true;
  await lspan.stop();
  await rm(folder, { recursive: true });
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
  return {
    what: `a definition ${name}`,
    measured: `${p50.toFixed(2)} / ${p99.toFixed(2)} ms`,
    target: `99th percentile ≤ ${most} ms`,
    pass: p99 <= most,
  };
}

async function start(folder, actions) {
  const project = path.join(folder, 'project');
  await mkdir(project);
  const server = async (id, extension, rules) => {
    const script = path.join(folder, `${id}.json`);
    await writeFile(script, JSON.stringify({ rules }));
    return { id, command: [process.execPath, fake, script], extensions: [extension] };
  };
  const servers = [
    await server('good', 'txt', []),
    await server('bad', 'md', [{ on: { method: 'textDocument/hover' }, do: actions }]),
  ];
  const config = path.join(folder, 'config.json');
  await writeFile(config, JSON.stringify({ servers, deadline_s: 600 }));
  await writeFile(path.join(project, 'a.txt'), 'function alpha\n');
  await writeFile(path.join(project, 'b.txt'), 'alpha\n');
  await writeFile(path.join(project, 'c.md'), 'alpha\n');
  const args = ['mcp', '--workspace', project, '--config', config, '--output', 'both'];
  const lspan = startMcpClient({ bin, args, cwd: project, env: process.env });
  await lspan.initialize();
  return lspan;
}
