// One process for all clients beside one for each: start, memory, warm calls, and a second client of a workspace.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { daemonStatus, endDaemon } from './daemon-life.js';
import { startMcpClient } from './mcp-client.js';
import { childrenOf, residentMemory } from './process-facts.js';
import { generateProject } from './project.js';
import { summary, timed } from './statistics.js';
import { bin, env, workFolder } from './work.js';

const targets = { start: 1.2, memory: 0.6, later: 0.3, second: 0.1 };
const flags = ['--no-daemon', '--daemon'];
const crowd = [1, 4, 16];

/** Measures all of it; the crowds take long, and have no rounds. */
export async function measureDaemon({ rounds = 200 } = {}) {
  const { folder } = await generateProject('typescript', 500);
  await keepWarm(folder);
  const rows = [
    await measureStarts(folder, Math.max(10, Math.round(rounds / 5))),
    ...(await measureWarm(folder, rounds)),
    ...(await measureSecond(folder, Math.max(4, Math.round(rounds / 20)))),
  ];
  await endDaemon({ bin, env });
  rows.push(...(await measureAgents(folder)), ...(await measureWorktrees(folder)));
  return rows;
}

/** From nothing to the list of tools, for which no daemon is needed. */
async function measureStarts(folder, rounds) {
  const times = await inTurns(rounds, async (flag) => {
    const { time, value: client } = await timed(async () => {
      const started = start(folder, flag);
      await started.initialize();
      await started.request('tools/list');
      return started;
    });
    await client.stop();
    return time;
  });
  return compared('spawn → initialize → tools/list', times, rounds, `≤ ${targets.start} ×`, (own, shared) => {
    return shared.median <= targets.start * own.median;
  });
}

/** Warm questions, and what the process of the client takes after them. */
async function measureWarm(folder, rounds) {
  const clients = await Promise.all(flags.map((flag) => connect(folder, flag)));
  const rows = [];
  for (const [tool, input] of questions) {
    for (const client of clients) for (let round = 0; round < 50; round += 1) await client.call(tool, input);
    const times = await inTurns(rounds, async (flag) => {
      const client = clients[flags.indexOf(flag)];
      return (await timed(() => client.call(tool, input))).time;
    });
    const isQuick = (own, shared) => shared.median - own.median <= targets.later;
    rows.push(compared(`warm ${tool}`, times, rounds, `≤ ${targets.later} ms later`, isQuick));
  }
  const [own, shared] = clients.map(({ pid }) => residentMemory(pid));
  rows.push({
    what: 'resident memory of the process of a client, after these',
    measured: `${megabytes(shared)} with the daemon, ${megabytes(own)} without: ${(shared / own).toFixed(2)} ×`,
    target: `≤ ${targets.memory} ×`,
    pass: shared <= targets.memory * own,
  });
  for (const client of clients) await client.stop();
  return rows;
}

/** The first right references of a client that comes second, beside those of a client with servers of its own. */
async function measureSecond(folder, rounds) {
  const first = await connect(folder, '--daemon');
  const expected = await count(first);
  const fromCall = new Map(flags.map((flag) => [flag, []]));
  const times = await inTurns(rounds, async (flag) => {
    const { time, value: client } = await timed(async () => {
      const started = start(folder, flag);
      await started.initialize();
      const { time: asked, value } = await timed(() => count(started));
      if (value !== expected) throw new Error('A reference is missing.');
      fromCall.get(flag).push(asked);
      return started;
    });
    await client.stop();
    return time;
  });
  await first.stop();
  const isQuick = (own, shared) => shared.median <= targets.second * own.median;
  const asked = flags.map((flag) => fromCall.get(flag).slice(-rounds));
  const target = `≤ ${targets.second} ×`;
  return [
    compared('second client: first call → references', asked, rounds, target, isQuick),
    compared('second client: spawn → references, Node included', times, rounds, '', undefined),
  ];
}

/** Agents on one repository, each of which has asked once. */
async function measureAgents(folder) {
  const rows = [];
  for (const agents of crowd) {
    const folders = Array.from({ length: agents }, () => folder);
    rows.push(
      await measureCrowd(`${agents} ${agents === 1 ? 'agent' : 'agents'} on one repository`, folders),
    );
  }
  const peer = await measurePeer(folder, crowd.at(-1));
  return peer ? [...rows, peer] : rows;
}

/** Agents in as many worktrees of one repository. */
async function measureWorktrees(folder) {
  const rows = [];
  const repository = path.join(workFolder, 'worktrees/main');
  await cp(folder, repository, { recursive: true });
  const git = (...args) => spawnSync('git', args, { cwd: repository, env: gitEnvironment, stdio: 'ignore' });
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-qm', 'all'],
  ])
    git(...args);
  const names = Array.from({ length: crowd.at(-1) }, (_, index) => `../tree-${index}`);
  for (const name of names) git('worktree', 'add', '-q', '--detach', name);
  const folders = names.map((name) => path.join(repository, name));
  if (!existsSync(folders[0])) return [];
  for (const trees of crowd)
    rows.push(
      await measureCrowd(
        `${trees} ${trees === 1 ? 'agent' : 'agents'}, each in a worktree`,
        folders.slice(0, trees),
      ),
    );
  return rows;
}

const gitEnvironment = {
  ...env,
  ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.org' },
  ...{ GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.org', GIT_CONFIG_NOSYSTEM: '1' },
};

async function measureCrowd(what, folders) {
  const memories = [];
  for (const flag of flags) {
    const clients = [];
    for (const folder of folders) {
      const client = await connect(folder, flag);
      await client.call(...references);
      clients.push(client);
    }
    memories.push(sharedMemory([...clients.map(({ pid }) => pid), ...daemons()]));
    await Promise.all(clients.map((client) => client.stop()));
    await endDaemon({ bin, env });
  }
  const [own, shared] = memories;
  return {
    what: `memory of everything: ${what}`,
    measured: `${megabytes(shared)} with the daemon, ${megabytes(own)} without: ${(shared / own).toFixed(2)} ×`,
    target: '',
  };
}

/** Another bridge from npm, if LSPAN_PEER names its script: each instance has a server of its own. */
async function measurePeer(folder, instances) {
  const script = process.env.LSPAN_PEER;
  if (!script) return undefined;
  const config = path.join(workFolder, 'peer.json');
  await mkdir(workFolder, { recursive: true });
  const server = path.resolve(import.meta.dirname, '../node_modules/.bin/typescript-language-server');
  await writeFile(
    config,
    JSON.stringify({ servers: [{ extensions: ['ts'], command: [server, '--stdio'], rootDir: folder }] }),
  );
  const clients = [];
  for (let index = 0; index < instances; index += 1) {
    const client = startMcpClient({
      ...{ bin: script, args: [], cwd: folder },
      env: { ...env, CCLSP_CONFIG_PATH: config },
    });
    clients.push(client);
    const file_path = path.join(folder, 'src/shared.ts');
    const asked = client.initialize().then(() =>
      client.request('tools/call', {
        name: 'find_references',
        arguments: { file_path, symbol_name: 'sharedMeasure' },
      }),
    );
    const late = setTimeout(() => process.kill(client.pid, 'SIGKILL'), 60_000);
    await asked.finally(() => clearTimeout(late));
  }
  const memory = sharedMemory(clients.map(({ pid }) => pid));
  // It does not end with its input, only at a signal.
  await Promise.all(clients.map((client) => client.terminate()));
  return {
    what: `memory of everything: ${instances} instances of cclsp on one repository`,
    measured: megabytes(memory),
    target: '',
  };
}

/** Processes and all below them, pages that several share counted once. */
function sharedMemory(pids) {
  const all = new Set(pids);
  for (const pid of all) for (const child of childrenOf(pid)) all.add(child);
  return [...all].reduce((sum, pid) => sum + proportional(pid), 0);
}

function proportional(pid) {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)[1]) * 1024;
}

function daemons() {
  return daemonStatus({ bin, env }).map(({ pid }) => pid);
}

/** The daemon runs while starts are measured, as it does for all but the first client of a day. */
async function keepWarm(folder) {
  const client = await connect(folder, '--daemon');
  await client.call(...references);
  await client.stop();
  process.once('exit', () => spawn(process.execPath, [bin, 'stop', '--force'], { env }));
}

const references = ['find_references', { file_path: 'src/shared.ts', symbol_name: 'sharedMeasure' }];

const questions = [
  ['find_definition', { file_path: 'src/shared.ts', symbol_name: 'sharedMeasure' }],
  ['get_hover', { file_path: 'src/shared.ts', symbol_name: 'sharedMeasure' }],
  references,
];

async function count(client) {
  return (await client.call(...references)).total;
}

/** Either goes first as often as the other. */
async function inTurns(rounds, measure) {
  const times = new Map(flags.map((flag) => [flag, []]));
  for (let round = -2; round < rounds; round += 1)
    for (const flag of round % 2 === 0 ? flags : [...flags].reverse()) {
      const time = await measure(flag);
      if (round >= 0) times.get(flag).push(time);
    }
  return flags.map((flag) => times.get(flag));
}

function compared(what, times, rounds, target, passes) {
  const [limit, lspan] = times.map(summary);
  return { what, limitIs: 'without the daemon', lspan, limit, rounds, target, pass: passes?.(limit, lspan) };
}

function start(folder, flag) {
  return startMcpClient({ bin, args: ['mcp', '--workspace', folder, flag], cwd: folder, env });
}

async function connect(folder, flag) {
  const client = start(folder, flag);
  await client.initialize();
  await client.request('tools/list');
  await client.call('get_server_status', {});
  return client;
}

function megabytes(bytes) {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}
