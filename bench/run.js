// Runs the bench: all of it, or the sections that are named, at the sizes that are given.
//   node bench/run.js [start] [young] [typescript] [python] [cpp] [cold] [monorepo] [storm] [concurrency] [confined] [daemon]
//     [via] [isolation] [garbage] [flood] [stall] [inspect] [problems] [edits] [fast] [throughput] [http] [host] [index] [repositories] [targets] [tokens]
//     [--sizes 50,500] [--servers pyright,clangd] [--rounds 300] [--seed 1] [--failures] [--write]
// A whole run writes RESULTS.md anew; --write puts the sections that were measured in the place of the old ones.
import { parseArgs } from 'node:util';
import { measureCold } from './cold.js';
import { measureConcurrency } from './concurrency.js';
import { measureConfined } from './confined.js';
import { measureDaemon } from './daemon.js';
import { measureEdits } from './edits.js';
import { measureFast } from './fast.js';
import { measureFlood } from './flood.js';
import { measureGarbage } from './garbage.js';
import { measureHost } from './host.js';
import { measureHttp } from './http.js';
import { measureInspect } from './inspect.js';
import { measureIsolation } from './isolation.js';
import { measureMonorepo } from './monorepo.js';
import { measureProblems } from './problems.js';
import { languages } from './project.js';
import { sectionText, writeResults, writeSection } from './report.js';
import { measureRepositories } from './repositories.js';
import { measureStalls } from './stall.js';
import { measureStart } from './start.js';
import { measureStorm } from './storm.js';
import { measureTargets } from './targets.js';
import { measureTextIndex } from './text-index.js';
import { measureThroughput } from './throughput.js';
import { measureTokens } from './tokens.js';
import { measureVia } from './via.js';
import { measureWarm } from './warm.js';
import { prepareWork, serverCommands } from './work.js';
import { measureYoung } from './young.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sizes: { type: 'string' },
    rounds: { type: 'string' },
    seed: { type: 'string' },
    servers: { type: 'string' },
    failures: { type: 'boolean' },
    write: { type: 'boolean' },
  },
});
const options = values.rounds === undefined ? {} : { rounds: Number(values.rounds) };
const installed = Object.keys(languages).filter((language) => serverCommands[language]);

const sections = [
  {
    name: 'young',
    title: 'As agents ask: a young process, each symbol once',
    measure: () =>
      measureYoung({ ...options, seed: Number(values.seed ?? 1), only: values.servers?.split(',') }),
  },
  { name: 'start', title: 'Start', measure: () => measureStart(options) },
  ...installed.map((language) => ({
    name: 'cold',
    title: `Cold, ${language}: spawn → first complete references`,
    measure: () => eachSize(language, (size) => measureCold(language, size, options)),
  })),
  {
    name: 'monorepo',
    title: 'Cold, a workspace of packages that are not built',
    measure: () => measureMonorepo(options),
  },
  ...installed.map((language) => ({
    name: language,
    title: `Warm questions, ${language}`,
    measure: () => eachSize(language, (size) => measureWarm(language, size, options)),
  })),
  // In C++ every change of all files is a build of its own, for the raw client too.
  ...['typescript', 'python'].map((language) => ({
    name: 'storm',
    title: `Storms, ${language}: files changed between two calls → right references`,
    measure: () => measureStorm(language, values.sizes === undefined ? 5000 : Number(values.sizes), options),
  })),
  {
    name: 'concurrency',
    title: 'Questions at once, typescript',
    measure: () => measureConcurrency('typescript', 500, options),
  },
  {
    name: 'inspect',
    title: 'One symbol in one call, typescript',
    measure: () => eachSize('typescript', (size) => measureInspect(size, options), [500]),
  },
  {
    name: 'confined',
    title: 'In a sandbox and without one, typescript',
    measure: () => measureConfined(options),
  },
  {
    name: 'daemon',
    title: 'One process for all clients, typescript',
    measure: () => measureDaemon(options),
  },
  {
    name: 'via',
    title: 'lspan at the far end of ssh, typescript',
    measure: () => measureVia(options),
  },
  { name: 'isolation', title: 'A good server beside a bad one', measure: () => measureIsolation(options) },
  { name: 'garbage', title: '1 GB of garbage from a server', measure: measureGarbage },
  { name: 'flood', title: 'A flood of notifications from a client', measure: measureFlood },
  { name: 'stall', title: 'Huge answers', measure: measureStalls },
  {
    name: 'targets',
    title: 'What is meant: symbols of real sources, said in many ways',
    measure: () => measureTargets({ seed: Number(values.seed ?? 1), failures: values.failures }),
  },
  {
    name: 'http',
    title: 'The gateway: 32 clients over HTTP, beside a bare server of Node',
    measure: () => measureHttp(options),
  },
  {
    name: 'host',
    title: 'Within another program: lspan host beside lspan mcp, typescript',
    measure: () => measureHost(options),
  },
  {
    name: 'problems',
    title: 'All problems of a project, typescript',
    measure: () => measureProblems(options),
  },
  {
    name: 'edits',
    title: 'A rename over a hundred files, typescript',
    measure: () => measureEdits(options),
  },
  {
    name: 'fast',
    title: 'What is spared: each with it and without it',
    measure: () => measureFast(options),
  },
  {
    name: 'throughput',
    title: '64 questions in flight, typescript',
    measure: () => measureThroughput(options),
  },
  { name: 'index', title: 'The index of words', measure: measureTextIndex },
  { name: 'repositories', title: 'Indexes of repositories', measure: measureRepositories },
  { name: 'tokens', title: 'Tokens', measure: measureTokens },
];

const asked = [...positionals, ...(values.servers === undefined ? [] : ['--servers', values.servers])];
await prepareWork();
const chosen = sections.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const results = [];
for (const { title, measure } of chosen) {
  const result = { title, rows: await measure() };
  results.push(result);
  console.log(`${sectionText(result)}\n`);
}
if (process.argv.length === 2) writeResults(results, 'npm run bench');
if (values.write) for (const result of results) writeSection(result, `node bench/run.js ${asked.join(' ')}`);

async function eachSize(language, measure, usual = languages[language].sizes) {
  const sizes = values.sizes === undefined ? usual : values.sizes.split(',').map(Number);
  const rows = [];
  for (const size of sizes) rows.push(...(await measure(size)));
  return rows;
}
