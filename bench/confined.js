// A server in a sandbox beside the same server without one: the first answer of a start, and warm questions, in turn.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startMcpClient } from './mcp-client.js';
import { generateProject } from './project.js';
import { summary, timed } from './statistics.js';
import { bin, env, workFolder } from './work.js';

const laterAtMost = 40;
const warmAtMost = 1.02;
const modes = ['never', 'always'];

/** Measures both, with as many starts as a tenth of the rounds of questions. */
export async function measureConfined({ rounds = 400 } = {}) {
  const { folder } = await generateProject('typescript', 50);
  const configs = await Promise.all(modes.map(configure));
  const starts = await measureStarts(folder, configs, Math.max(10, Math.round(rounds / 10)));
  return [starts, ...(await measureWarmQuestions(folder, configs, rounds))];
}

async function measureStarts(folder, configs, rounds) {
  const times = [[], []];
  for (let round = -2; round < rounds; round += 1)
    for (const index of inTurn(round)) {
      const client = await connect(folder, configs[index]);
      const { time } = await timed(() => client.call('get_document_symbols', asked));
      if (round === -2) await expectMode(client, index === 1);
      await client.stop();
      // The first rounds bring the files into the system's cache.
      if (round >= 0) times[index].push(time);
    }
  const [limit, lspan] = times.map(summary);
  return {
    what: 'start of a server → first answer',
    limitIs: 'without a sandbox',
    lspan,
    limit,
    rounds,
    target: `≤ ${laterAtMost} ms later`,
    pass: lspan.median - limit.median <= laterAtMost,
  };
}

async function measureWarmQuestions(folder, configs, rounds) {
  const clients = await Promise.all(configs.map((config) => connect(folder, config)));
  const results = [];
  for (const [tool, input] of questions) {
    const times = [[], []];
    for (let round = -20; round < rounds; round += 1)
      for (const index of inTurn(round)) {
        const { time } = await timed(() => clients[index].call(tool, input));
        if (round >= 0) times[index].push(time);
      }
    const [limit, lspan] = times.map(summary);
    const pass = lspan.median <= warmAtMost * limit.median;
    const target = `≤ ${warmAtMost} × without`;
    results.push({ what: `warm ${tool}`, limitIs: 'without a sandbox', lspan, limit, rounds, target, pass });
  }
  for (const client of clients) await client.stop();
  return results;
}

const asked = { file_path: 'src/shared.ts' };

/** No answer of these comes from memory alone: the cache of answers is off. */
const questions = [
  ['get_document_symbols', asked],
  ['find_references', { file_path: 'src/shared.ts', symbol_name: 'sharedMeasure' }],
  ['search_workspace_symbols', { query: 'module' }],
];

/** Either goes first as often as the other. */
function inTurn(round) {
  return round % 2 === 0 ? [0, 1] : [1, 0];
}

async function configure(confine) {
  const file = path.join(workFolder, `confine-${confine}.toml`);
  await writeFile(file, `confine = "${confine}"\n[limits]\nanswers_mb = 0\n`);
  return file;
}

async function connect(folder, config) {
  const client = startMcpClient({
    bin,
    args: ['mcp', '--workspace', folder, '--config', config],
    cwd: folder,
    env,
  });
  await client.initialize();
  // Opens the bridge, and starts nothing.
  await client.call('get_server_status', {});
  return client;
}

async function expectMode(client, isConfined) {
  const { servers } = await client.call('get_server_status', {});
  const running = servers.find(({ pid }) => pid !== undefined);
  if ((running?.confined === true) !== isConfined) throw new Error('The server does not run as it should.');
}
