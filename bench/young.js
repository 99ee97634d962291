// A young process asked as an agent asks: each symbol once, every time another one, beside a raw client on a server of its own.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { argumentsOf } from './conversation.js';
import { cpuTime, residentMemory } from './process-facts.js';
import { generateProject } from './project.js';
import { summary, timed } from './statistics.js';
import { bin, serverCommands, workFolder } from './work.js';
import { measureYoungEdits } from './young-edits.js';
import { realProject, sourcesIn } from './young-projects.js';
import { measureYoungThroughput } from './young-throughput.js';
import { makeWorld, record, sampled, sentIn, startOwn, startRaw, symbolsOf } from './young-world.js';

/** What an agent asks, in this order, each of another symbol. */
const kinds = {
  definition: { tool: 'find_definition', requests: ['textDocument/definition'] },
  references: { tool: 'find_references', requests: ['textDocument/references'] },
  hover: { tool: 'get_hover', requests: ['textDocument/hover'] },
  inspect: {
    tool: 'inspect_symbol',
    requests: [
      'textDocument/hover',
      'textDocument/definition',
      'textDocument/references',
      'textDocument/diagnostic',
    ],
  },
  problems: { tool: 'get_diagnostics', requests: ['textDocument/diagnostic'] },
  rename: { tool: 'rename_symbol', requests: ['textDocument/rename'] },
};

/** The servers that are asked: which language each is for, how it is started, and what a reference may cost. */
const servers = {
  typescript: { language: 'typescript', references: { factor: 2, plus: 5 }, sum: 1.6 },
  'typescript-language-server': { language: 'typescript', references: { factor: 1.5, plus: 5 } },
  pyright: { language: 'python', references: { factor: 1.3, plus: 3 } },
  clangd: { language: 'cpp', references: { factor: 1.3, plus: 3 } },
};

const usual = { factor: 1, plus: 2 };
const symbolCount = 50;

/** Measures young sessions about real and generated sources of every server that is installed, and what comes beside them. */
export async function measureYoung({ rounds = 3, seed = 1, only } = {}) {
  const rows = [];
  const asked = Object.keys(servers).filter(
    (server) => serverCommands[servers[server].language] && (!only || only.includes(server)),
  );
  for (const server of asked) {
    const { language } = servers[server];
    const real = await realProject(language);
    rows.push(...(await measureProject(server, real, { rounds, seed, isReal: true })));
    const generated = await generateProject(language, 60);
    rows.push(
      ...(await measureProject(
        server,
        { name: 'generated', environment: {}, ...generated },
        { rounds, seed },
      )),
    );
    if (language === 'typescript') rows.push(...(await measureYoungEdits(server, { rounds })));
    if (server !== 'typescript-language-server')
      rows.push(...(await measureYoungThroughput(server, language, real, { rounds, seed })));
  }
  return rows;
}

/** The second session through the daemon is measured about real sources only, since it takes as long again. */
async function measureProject(server, project, { rounds, seed, isReal = false }) {
  const { language } = servers[server];
  const world = makeWorld(server, language, project);
  const texts = new Map(sourcesIn(project.folder, language).map(({ file, text }) => [file, text]));
  const conversation = await record(world);
  const symbols = await symbolsOf(world, conversation, texts);
  const [sessions, second] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const chosen = sampled(symbols, seed + round, 2 * symbolCount + 1);
    sessions.push(await playSession(world, conversation, texts, chosen.slice(0, symbolCount + 1)));
    if (isReal) second.push(await playSecond(world, conversation, texts, chosen));
  }
  return [
    ...rowsOf(server, project.name, sessions),
    ...(isReal ? secondRows(server, project.name, second) : []),
    ...(await requestRows(world, sampled(symbols, seed, symbolCount + 1))),
  ];
}

/** One session: the first symbol until both know everything, then each other symbol once. */
async function playSession(world, conversation, texts, [first, ...symbols]) {
  const own = await timed(() => untilKnown(world, first, []));
  const { lspan, total } = own.value;
  const other = await timed(() => rawUntilKnown(world, conversation, texts, first, total));
  const raw = other.value;
  const before = cpuTime(lspan.pid);
  const asked = await askInTurn(raw, lspan, symbols);
  const session = { ...asked, first: { raw: other.time, lspan: own.time } };
  session.cpu = cpuTime(lspan.pid) - before;
  session.memory = residentMemory(lspan.pid);
  await Promise.all([raw.stop(), lspan.stop()]);
  return session;
}

/** A client of the daemon asks half of the symbols and leaves; another one asks the other half: code and server are warm. */
async function playSecond(world, conversation, texts, [first, ...symbols]) {
  const stopDaemon = () => spawnSync(process.execPath, [bin, 'stop', '--force'], { env: world.env });
  // Also if the bench is interrupted.
  process.prependOnceListener('exit', stopDaemon);
  const half = Math.ceil(symbols.length / 2);
  const { lspan: former, total } = await untilKnown(world, first, ['--daemon']);
  const raw = await rawUntilKnown(world, conversation, texts, first, total);
  await askInTurn(raw, former, symbols.slice(0, half));
  await former.stop();
  const { time, value: own } = await timed(() => untilKnown(world, first, ['--daemon']));
  const session = { ...(await askInTurn(raw, own.lspan, symbols.slice(half))), first: time };
  session.memory = residentMemory(own.lspan.pid);
  await Promise.all([raw.stop(), own.lspan.stop()]);
  process.off('exit', stopDaemon);
  stopDaemon();
  return session;
}

async function untilKnown(world, first, args) {
  const lspan = await startOwn(world, args);
  // Some are never known wholly: then what is known when nothing more comes.
  for (let before = -1; ; ) {
    const { total = 0, complete } = await lspan.outcome('find_references', argumentsOf(first));
    if (complete || total === before) return { lspan, total };
    before = total;
  }
}

async function rawUntilKnown(world, conversation, texts, first, total) {
  const raw = await startRaw(world, conversation, texts);
  const end = performance.now() + 20_000;
  for (let seen = 0; seen < total && performance.now() < end; )
    seen = (await raw.ask('textDocument/references', first))?.length ?? 0;
  return raw;
}

/** Each symbol once, every kind of question in turn, beginning with the other side each time. */
async function askInTurn(raw, lspan, symbols) {
  const [asked, all] = [{}, Object.entries(kinds)];
  let calls = 0;
  for (const [index, symbol] of symbols.entries()) {
    const [kind, how] = all[index % all.length];
    if (kind === 'problems' && !raw.pulls) continue;
    const times = {};
    const sides = [
      async () => {
        times.raw = (await timed(() => askRaw(raw, how, symbol))).time;
      },
      async () => {
        times.lspan = (await timed(() => lspan.outcome(how.tool, inputOf(kind, symbol)))).time;
      },
    ];
    for (const side of index % 2 === 0 ? sides : sides.toReversed()) await side();
    asked[kind] ??= [];
    asked[kind].push(times);
    calls += 1;
  }
  return { times: asked, calls };
}

/** A server may refuse, where lspan says that there is nothing. */
function askRaw(raw, { requests }, symbol) {
  return Promise.all(requests.map((method) => raw.ask(method, symbol).catch(() => undefined)));
}

function inputOf(kind, symbol) {
  if (kind === 'problems') return { file_path: symbol.file };
  const place = argumentsOf(symbol);
  return kind === 'rename' ? { ...place, new_name: 'renamedByTheBench', check: false } : place;
}

function rowsOf(server, name, sessions) {
  const rows = timeRows(server, name, sessions);
  rows.push(
    rowOf(
      `${server}, ${name}: spawn → first references`,
      sessions.map(({ first }) => first),
      { factor: 1, plus: 250 },
    ),
  );
  const cpu = summary(sessions.map((session) => session.cpu / session.calls)).median;
  const memory = summary(sessions.map((session) => session.memory)).median / 1e6;
  rows.push({
    what: `${server}, ${name}: processor time of lspan a question`,
    measured: `${cpu.toFixed(1)} ms`,
    target: 'none',
  });
  rows.push({
    what: `${server}, ${name}: resident memory of lspan`,
    measured: `${memory.toFixed(0)} MB`,
    target: '≤ 70 MB',
    pass: memory <= 70,
  });
  return rows;
}

function timeRows(server, name, sessions) {
  const { references, sum } = servers[server];
  const rows = [];
  for (const kind of Object.keys(kinds)) {
    const times = sessions.flatMap((session) => session.times[kind] ?? []);
    if (times.length === 0) continue;
    const target = { definition: usual, hover: usual, references }[kind];
    rows.push(rowOf(`${server}, ${name}: ${kind}`, times, target));
  }
  const sums = sessions.map(({ times }) => totalOf(Object.values(times).flat()));
  rows.push(
    rowOf(`${server}, ${name}: all ${sessions[0].calls} questions`, sums, sum && { factor: sum, plus: 0 }),
  );
  return rows;
}

/** Raw's server has run as long as that of the daemon. */
function secondRows(server, name, sessions) {
  const what = `${name}, second session through the daemon`;
  const memory = summary(sessions.map((session) => session.memory)).median / 1e6;
  const first = summary(sessions.map((session) => session.first)).median;
  return [
    ...timeRows(server, what, sessions),
    {
      what: `${server}, ${what}: spawn → first references`,
      measured: `${first.toFixed(0)} ms`,
      target: 'none',
    },
    {
      what: `${server}, ${what}: resident memory of the client's process`,
      measured: `${memory.toFixed(0)} MB`,
      target: '≤ 45 MB',
      pass: memory <= 45,
    },
  ];
}

function totalOf(times) {
  return times.reduce((sum, { raw, lspan }) => ({ raw: sum.raw + raw, lspan: sum.lspan + lspan }), {
    raw: 0,
    lspan: 0,
  });
}

function rowOf(what, times, target) {
  const limit = summary(times.map(({ raw }) => raw));
  const lspan = summary(times.map((one) => one.lspan));
  const row = { what, limitIs: 'raw client', limit, lspan, rounds: times.length };
  if (!target) return { ...row, target: 'none' };
  const pass = lspan.median <= target.factor * limit.median + target.plus;
  return { ...row, target: `≤ ${target.factor} × raw + ${target.plus} ms`, pass };
}

/** How many requests each kind of question sends to the server. */
async function requestRows(world, [first, ...symbols]) {
  const trace = path.join(workFolder, `young-${process.hrtime.bigint()}.trace`);
  const lspan = await startOwn(world, ['--trace', trace]);
  await lspan.outcome('find_references', argumentsOf(first));
  const sent = new Map();
  for (const [index, symbol] of symbols.entries()) {
    const [kind, { tool }] = Object.entries(kinds)[index % Object.keys(kinds).length];
    const before = sentIn(trace).length;
    await lspan.outcome(tool, inputOf(kind, symbol));
    const counts = new Map();
    for (const { method } of sentIn(trace).slice(before)) counts.set(method, (counts.get(method) ?? 0) + 1);
    sent.set(kind, [...(sent.get(kind) ?? []), counts]);
  }
  await lspan.stop();
  return [...sent].map(([kind, all]) => ({
    what: `${world.server}: messages to the server for ${kind}, mean`,
    measured: meanText(all),
    target: 'none',
  }));
}

function meanText(all) {
  const methods = [...new Set(all.flatMap((counts) => [...counts.keys()]))].filter(Boolean);
  return methods
    .map((method) => [method, all.reduce((sum, counts) => sum + (counts.get(method) ?? 0), 0) / all.length])
    .sort(([, a], [, b]) => b - a)
    .map(([method, mean]) => `${mean.toFixed(1)} ${method.replace('textDocument/', '')}`)
    .join(', ');
}
