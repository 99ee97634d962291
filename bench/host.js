// `lspan host` beside `lspan mcp`: its start, the same question over RPC, a text that is checked beside edits that are, and
// what a small question over MCP costs while the program around lspan asks much.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { argumentsOf, startLspan } from './conversation.js';
import { startHostClient } from './host-client.js';
import { generateProject } from './project.js';
import { quantile, summary, timed } from './statistics.js';
import { rowOf, takeTurns } from './turns.js';
import { bin, env } from './work.js';

const size = 500;
const beside = 'lspan mcp';
const alike = { factor: 1.15, plus: 1, raw: beside };
const startTarget = 2;
/** Milliseconds for which what one channel asks may keep lspan from answering the other. */
const fairTarget = 25;

/** Measures all of it on one project. */
export async function measureHost({ rounds = 200, warmUp = 100 } = {}) {
  const project = await generateProject('typescript', size);
  const start = await measureReady(project, Math.min(rounds, 30));
  const lspan = await startLspan(project, ['--toolset', 'all']);
  const host = await startHost(project);
  await host.initialize();
  const pairs = await questions(project, lspan, host);
  await takeTurns(pairs, { rounds, warmUp });
  const rows = pairs.map((pair) => rowOf(pair.name, pair, beside));
  const fairness = await measureFairness(project, host, rounds);
  await Promise.all([lspan.stop(), host.stop()]);
  return [start, ...rows, ...fairness];
}

async function startHost({ folder }) {
  const host = startHostClient({ bin, args: ['--workspace', folder], cwd: folder, env });
  await host.ready();
  return host;
}

/** To `lsp/ready`, from when both channels serve, beside the first list of tools over stdin and stdout. */
async function measureReady(project, rounds) {
  const times = { lspan: [], limit: [] };
  for (let round = -2; round < rounds; round += 1) {
    const limit = await timed(async () => {
      const client = await startLspan(project);
      await client.request('tools/list');
      return client;
    });
    await limit.value.stop();
    const lspan = await timed(() => startHost(project));
    await lspan.value.stop();
    if (round < 0) continue;
    times.limit.push(limit.time);
    times.lspan.push(lspan.time);
  }
  const [lspan, limit] = [summary(times.lspan), summary(times.limit)];
  return {
    what: 'spawn → lsp/ready, beside spawn → initialize → tools/list',
    limitIs: beside,
    lspan,
    limit,
    rounds,
    target: `≤ ${startTarget} × ${beside}`,
    pass: lspan.median <= startTarget * limit.median,
  };
}

/** The same asked of both; each is asked about texts that differ each time, or nobody would have to check them. */
async function questions({ folder, file, probes }, lspan, host) {
  const [, few] = probes;
  const rpc = async (method, params) => {
    const { result, error } = await host.rpc.request(method, params);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  const text = await readFile(path.join(folder, file), 'utf8');
  const [line] = text.split('\n');
  let turn = 0;
  const wrong = () => `const wrong${++turn}: number = 'text';`;
  const candidate = () => ({
    id: 'one',
    edits: [{ file_path: file, old_text: line, new_text: `${wrong()}\n${line}` }],
  });
  return [
    {
      name: 'hover over RPC, lsp/call',
      target: alike,
      sides: [
        { times: [], ask: async () => ((await lspan.call('get_hover', argumentsOf(few))) ? 1 : 0) },
        {
          times: [],
          ask: async () =>
            (await rpc('lsp/call', { tool: 'get_hover', arguments: argumentsOf(few) })) ? 1 : 0,
        },
      ],
    },
    {
      name: 'a text with a fault: lsp/checkFile, beside check_edits',
      target: alike,
      sides: [
        {
          times: [],
          ask: async () => {
            const { candidates } = await lspan.call('check_edits', { candidates: [candidate()] });
            return candidates[0].introduced.length;
          },
        },
        {
          times: [],
          ask: async () =>
            (await rpc('lsp/checkFile', { filePath: file, text: `${wrong()}\n${text}` })).length,
        },
      ],
    },
  ];
}

/**
 * One small question at a time over MCP, first alone and then while the other channel has several large ones in flight. The
 * server has to answer those too, whoever asks; a ping is answered by lspan alone.
 */
async function measureFairness({ probes }, host, rounds) {
  const [, few, many] = probes;
  const { file_path: file, line, character } = argumentsOf(few);
  const small = {
    lsp_hover: () => host.call('lsp_hover', { file, line, character }),
    ping: () => host.mcp.request('ping'),
  };
  const slowest = async (ask) => {
    const times = [];
    for (let round = 0; round < 5 * rounds; round += 1) times.push((await timed(ask)).time);
    return quantile(times, 0.99);
  };
  const large = async (isOver) => {
    while (!isOver()) {
      await host.rpc.request('lsp/call', { tool: 'find_references', arguments: argumentsOf(many) });
      await host.rpc.request('lsp/diagnostics');
    }
  };
  // The first of them load the project, and compile what they run.
  let first = 0;
  await large(() => first++ >= 10);
  const rows = [];
  for (const [name, ask] of Object.entries(small)) {
    const alone = await slowest(ask);
    let isOver = false;
    const busy = Promise.all(Array.from({ length: 4 }, () => large(() => isOver)));
    const together = await slowest(ask);
    isOver = true;
    await busy;
    rows.push({
      what: `${name} over MCP while RPC has four large questions in flight, 99 %`,
      measured: `${together.toFixed(1)} ms, alone ${alone.toFixed(1)} ms: ${(together / alone).toFixed(1)} ×`,
      target: name === 'ping' ? `≤ ${fairTarget} ms` : 'none',
      ...(name === 'ping' && { pass: together <= fairTarget }),
    });
  }
  return rows;
}
