// A young process asked as an agent asks: each symbol once, every time another one, beside a raw client on a server of its own.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chance as chanceOf, others } from '../test/campaigns/lspan.js';
import { argumentsOf } from './conversation.js';
import { startMcpClient } from './mcp-client.js';
import { cpuTime, residentMemory } from './process-facts.js';
import { generateProject } from './project.js';
import { startRawClient } from './raw-client.js';
import { summary, timed } from './statistics.js';
import { bin, env, serverCommands, workFolder } from './work.js';
import { realProject, sourcesIn } from './young-projects.js';

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

const languageIds = { ts: 'typescript', tsx: 'typescriptreact', py: 'python', c: 'c', h: 'c', cpp: 'cpp' };
const usual = { factor: 1, plus: 2 };
const symbolCount = 50;

/** Measures young sessions about real and generated sources of every server that is installed. */
export async function measureYoung({ rounds = 3, seed = 1, only } = {}) {
  const rows = [];
  for (const [server, { language }] of Object.entries(servers)) {
    if (!serverCommands[language] || (only && !only.includes(server))) continue;
    const real = await realProject(language);
    const generated = await generateProject(language, 60);
    for (const project of [real, { name: 'generated', environment: {}, ...generated }])
      rows.push(...(await measureProject(server, project, { rounds, seed })));
  }
  return rows;
}

async function measureProject(server, project, { rounds, seed }) {
  const { language } = servers[server];
  const world = makeWorld(server, project);
  const texts = new Map(sourcesIn(project.folder, language).map(({ file, text }) => [file, text]));
  const conversation = await record(world);
  const symbols = await symbolsOf(world, conversation, texts);
  const sessions = [];
  for (let round = 0; round < rounds; round += 1)
    sessions.push(await playSession(world, conversation, texts, sampled(symbols, seed + round)));
  return [...rowsOf(server, project.name, sessions), ...(await requestRows(world, sampled(symbols, seed)))];
}

/** A configuration of its own: only this server speaks for the files, and answers are kept as they are for everybody. */
function makeWorld(server, project) {
  const config = path.join(workFolder, `young-${server}`);
  mkdirSync(path.join(config, 'lspan'), { recursive: true });
  const disabled = others[server].map((id) => `"${id}"`).join(', ');
  writeFileSync(path.join(config, 'lspan/config.toml'), `disabled_servers = [${disabled}]\n`);
  const own = { ...env, ...project.environment, XDG_CONFIG_HOME: config };
  return { server, language: servers[server].language, folder: project.folder, env: own };
}

async function startOwn({ folder, env }, args = []) {
  const client = startMcpClient({ bin, args: ['mcp', '--workspace', folder, ...args], cwd: folder, env });
  await client.initialize();
  return client;
}

/** What lspan says to the server when it starts it, so that the raw client can say the same. */
async function record(world) {
  const trace = path.join(workFolder, `young-${process.hrtime.bigint()}.trace`);
  const [{ file }] = sourcesIn(world.folder, world.language);
  const lspan = await startOwn(world, ['--trace', trace]);
  await lspan.call('get_document_symbols', { file_path: file });
  await lspan.stop();
  return sentIn(trace);
}

function sentIn(trace) {
  const lines = existsSync(trace) ? readFileSync(trace, 'utf8').trim().split('\n') : [];
  const read = lines.filter(Boolean).map((line) => JSON.parse(line));
  return read.filter(({ direction }) => direction === 'to_server').map(({ message }) => message);
}

const commands = {
  'typescript-language-server': [
    process.execPath,
    path.resolve(import.meta.dirname, '../node_modules/typescript-language-server/lib/cli.mjs'),
    '--stdio',
  ],
};

/** A raw client that opens a file before it asks about it, as every client does. */
async function startRaw({ server, language, folder, env }, conversation, texts) {
  const started = conversation.find(({ method }) => method === 'initialize');
  const configured = conversation.find(({ method }) => method === 'workspace/didChangeConfiguration');
  const command = commands[server] ?? serverCommands[language];
  const raw = startRawClient({ command, cwd: folder, env, settings: configured?.params.settings });
  const { capabilities } = await raw.request('initialize', { ...started.params, processId: process.pid });
  raw.notify('initialized', {});
  if (configured) raw.notify(configured.method, configured.params);
  const opened = new Set();
  const uriOf = (file) => pathToFileURL(path.join(folder, file)).href;
  const open = (file) => {
    if (opened.has(file)) return;
    opened.add(file);
    const languageId = languageIds[path.extname(file).slice(1)];
    raw.notify('textDocument/didOpen', {
      textDocument: { uri: uriOf(file), languageId, version: 1, text: texts.get(file) },
    });
  };
  const ask = (method, { file, line, character }) => {
    open(file);
    return raw.request(method, {
      textDocument: { uri: uriOf(file) },
      position: { line, character },
      ...(method === 'textDocument/references' && { context: { includeDeclaration: true } }),
      ...(method === 'textDocument/rename' && { newName: 'renamedByTheBench' }),
    });
  };
  return { ...raw, ask, open, pulls: capabilities.diagnosticProvider !== undefined };
}

/** The symbols of the files whose name the server selects, each name once. */
async function symbolsOf(world, conversation, texts) {
  const raw = await startRaw(world, conversation, texts);
  const found = new Map();
  for (const [file, text] of texts) {
    const lines = text.split('\n');
    const collect = (list, depth) => {
      for (const { name, selectionRange, children = [] } of list) {
        const { line, character } = selectionRange?.start ?? {};
        const stands = lines[line]?.slice(character, character + name.length) === name;
        if (stands && /^[A-Za-z_]\w{2,}$/.test(name) && !found.has(name))
          found.set(name, { name, file, line, character });
        if (depth < 1) collect(children, depth + 1);
      }
    };
    const outline = await raw
      .ask('textDocument/documentSymbol', { file, line: 0, character: 0 })
      .catch(() => []);
    collect(outline ?? [], 0);
  }
  await raw.stop();
  return [...found.values()];
}

function sampled(symbols, seed) {
  const chance = chanceOf(seed);
  const left = [...symbols];
  const chosen = [];
  while (chosen.length <= symbolCount && left.length > 0)
    chosen.push(...left.splice(chance.below(left.length), 1));
  return chosen;
}

/** One session: the first symbol until both know everything, then each other symbol once. */
async function playSession(world, conversation, texts, [first, ...symbols]) {
  const own = await timed(async () => {
    const lspan = await startOwn(world);
    // Some are never known wholly: then what is known when nothing more comes.
    for (let before = -1; ; ) {
      const { total = 0, complete } = await lspan.outcome('find_references', argumentsOf(first));
      if (complete || total === before) return { lspan, total };
      before = total;
    }
  });
  const { lspan, total } = own.value;
  const other = await timed(async () => {
    const raw = await startRaw(world, conversation, texts);
    const end = performance.now() + 20_000;
    for (let seen = 0; seen < total && performance.now() < end; )
      seen = (await raw.ask('textDocument/references', first))?.length ?? 0;
    return raw;
  });
  const raw = other.value;
  const session = { first: { raw: other.time, lspan: own.time }, times: {}, calls: 0 };
  const before = cpuTime(lspan.pid);
  for (const [index, symbol] of symbols.entries()) {
    const [kind, how] = Object.entries(kinds)[index % Object.keys(kinds).length];
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
    session.times[kind] ??= [];
    session.times[kind].push(times);
    session.calls += 1;
  }
  session.cpu = cpuTime(lspan.pid) - before;
  session.memory = residentMemory(lspan.pid);
  await Promise.all([raw.stop(), lspan.stop()]);
  return session;
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
