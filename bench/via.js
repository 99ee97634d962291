// lspan at the far end of ssh on the loopback address, beside one in the process of the client: warm calls, and the first one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { startMcpClient } from './mcp-client.js';
import { generateProject } from './project.js';
import { summary, timed } from './statistics.js';
import { bin, env } from './work.js';

const target = 3;

/** Measures all of it; nothing where there is no ssh server. */
export async function measureVia({ rounds = 200 } = {}) {
  if (!existsSync('/usr/sbin/sshd'))
    return [{ what: 'sshd is not installed', measured: 'not measured', target: '' }];
  const { folder } = await generateProject('typescript', 500);
  const ssh = await startSshd();
  const ways = [[], ['--via', ssh.command.join(' '), '--via-program', `${process.execPath} ${bin}`]];
  const rows = [
    ...(await measureWarm(folder, ways, rounds)),
    await measureFirst(folder, ways, Math.max(4, Math.round(rounds / 40))),
  ];
  await ssh.stop();
  return rows;
}

async function measureWarm(folder, ways, rounds) {
  const clients = [];
  for (const way of ways) clients.push(await connect(folder, way));
  const rows = [];
  for (const [tool, input] of questions) {
    for (const client of clients) for (let round = 0; round < 50; round += 1) await client.call(tool, input);
    const times = await inTurns(clients, rounds, async (client) => {
      return (await timed(() => client.call(tool, input))).time;
    });
    const isQuick = (here, there) => there.median - here.median <= target;
    rows.push(compared(`warm ${tool}`, times, rounds, `≤ ${target} ms later`, isQuick));
  }
  for (const client of clients) await client.stop();
  return rows;
}

/** From nothing to the first right references: the connection, lspan and its server are started. */
async function measureFirst(folder, ways, rounds) {
  const times = await inTurns(ways, rounds, async (way) => {
    const { time, value: client } = await timed(async () => {
      const started = start(folder, way);
      await started.initialize();
      await started.call(...references);
      return started;
    });
    await client.stop();
    return time;
  });
  return compared('spawn → references', times, rounds, '', undefined);
}

const references = ['find_references', { file_path: 'src/shared.ts', symbol_name: 'sharedMeasure' }];

const questions = [
  ['find_definition', { file_path: 'src/shared.ts', symbol_name: 'sharedMeasure' }],
  ['get_hover', { file_path: 'src/shared.ts', symbol_name: 'sharedMeasure' }],
  references,
];

/** Either goes first as often as the other. */
async function inTurns(ways, rounds, measure) {
  const times = ways.map(() => []);
  for (let round = -2; round < rounds; round += 1)
    for (const at of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const time = await measure(ways[at]);
      if (round >= 0) times[at].push(time);
    }
  return times;
}

function compared(what, times, rounds, aim, passes) {
  const [limit, lspan] = times.map(summary);
  return { what, limitIs: 'here', lspan, limit, rounds, target: aim, pass: passes?.(limit, lspan) };
}

async function startSshd() {
  const program = path.resolve(import.meta.dirname, '../test/frontends/via/sshd.js');
  const variables = ['XDG_CONFIG_HOME', 'XDG_STATE_HOME'].map((name) => `${name}=${env[name]}`);
  const runner = spawn(process.execPath, [program, ...variables], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(runner.stdout, 'data');
  const stop = async () => {
    runner.stdin.end();
    await once(runner, 'exit');
  };
  return { command: JSON.parse(line).command, stop };
}

function start(folder, way) {
  return startMcpClient({ bin, args: ['mcp', '--workspace', folder, ...way], cwd: folder, env });
}

async function connect(folder, way) {
  const client = start(folder, way);
  await client.initialize();
  await client.request('tools/list');
  await client.call('get_server_status', {});
  return client;
}
