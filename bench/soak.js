// RES-14: mixed calls for thirty minutes with a fault every 20 seconds: nothing may grow after the first ten, and no
// answer may be wrong.   node bench/soak.js [--minutes 30] [--seed N] [--daemon]
// With --daemon, clients come and go meanwhile, and what grows is that of the daemon.
// A run of thirty minutes or more writes its section of RESULTS.md.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { daemonStatus, startDaemon, stillThere, stopDaemon } from './daemon-life.js';
import { startMcpClient } from './mcp-client.js';
import { descendantsOf, residentMemory, socketsOf } from './process-facts.js';
import { sectionText, writeSection } from './report.js';
import { faults } from './soak-faults.js';
import { Judge } from './soak-judge.js';
import { soakProject } from './soak-project.js';
import { Visitors } from './soak-visitors.js';
import { bin, env, prepareWork, workFolder } from './work.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    seed: { type: 'string' },
    daemon: { type: 'boolean', default: false },
  },
});
const minutes = Number(values.minutes ?? 30);
const seed = Number(values.seed ?? Date.now() % 1e6);
const faultEvery = 20_000;
const gap = 40;

await prepareWork();
console.log(`seed ${seed}, ${minutes} minutes`);
const facts = path.join(workFolder, 'facts.json');
const project = await soakProject();
const probe = ['--require', path.join(import.meta.dirname, 'soak-probe.cjs')];
const place = { bin, env: { ...env, LSPAN_SOAK_FACTS: facts } };
const daemon = values.daemon ? await startDaemon(place, probe) : undefined;
process.once('exit', () => daemon?.kill());
const lspan = startMcpClient({
  nodeArgs: daemon ? [] : probe,
  args: ['mcp', '--workspace', project.folder, daemon ? '--daemon' : '--no-daemon'],
  cwd: project.folder,
  ...place,
});
await lspan.initialize();
/** The process that does the work. */
const worker = daemon?.pid ?? lspan.pid;
const judge = new Judge();
for (const server of Object.keys(project.questions)) judge.hurt(server, 'cold start');
const random = generator(seed);
const end = performance.now() + minutes * 60_000;
const samples = [];
const isOver = () => performance.now() > end;
const visitors = daemon && new Visitors({ project, place, judge, random, isOver });

await Promise.all([
  ...Object.keys(project.questions).map(askFor),
  askFresh(),
  askOddly(),
  strike(),
  sample(),
  visitors?.comeAndGo(),
]);
const ghosts = daemon && daemonStatus(place).flatMap(({ clients }) => clients.filter(isGone));
const survivors = await finish();
const result = { title: daemon ? 'Soak through the daemon' : 'Soak', rows: rows() };
console.log(sectionText(result));
const command = `npm run soak -- ${daemon ? '--daemon ' : ''}${minutes === 30 ? '' : `--minutes ${minutes} `}--seed ${seed}`;
if (minutes >= 30) writeSection(result, command);
process.exitCode = result.rows.every(({ pass }) => pass !== false) ? 0 : 1;

/** Ends all, and returns the processes that are left; the watchdog ends a moment after lspan. */
async function finish() {
  const below = descendantsOf(worker);
  await lspan.stop();
  return daemon ? stopDaemon(place, 3_000) : stillThere(() => below, 3_000);
}

function isGone({ pid }) {
  return pid !== lspan.pid;
}

/** Right questions to one server, one after the other. */
async function askFor(server) {
  while (!isOver()) {
    const questions = project.questions[server];
    await ask(server, questions[Math.floor(random() * questions.length)]);
    await pause(gap);
  }
}

/** A file changes, and the very next answer has to know. */
async function askFresh() {
  const file = path.join(project.folder, 'src/uses-target.ts');
  while (!isOver()) {
    const uses = 1 + Math.floor(random() * 5);
    const text = `import { soakTarget } from './target.js';\n${'soakTarget();\n'.repeat(uses)}`;
    await writeFile(file, text);
    const input = { file_path: 'src/target.ts', line: 1, character: 17 };
    await ask('typescript', { tool: 'find_references', input, count: uses + 2 });
    await pause(5 * gap);
  }
}

/** What no server is needed for, or nobody should ask. */
async function askOddly() {
  const odd = [
    () => lspan.call('get_server_status', {}),
    () => lspan.call('find_definition', { file_path: '../outside', line: 1, character: 1 }),
    () => lspan.call('find_definition', { file_path: 'src/missing.ts', line: 1, character: 1 }),
    () => lspan.call('find_definition', { nonsense: true }),
    () => lspan.request('no/such/method'),
  ];
  while (!isOver()) {
    await odd[Math.floor(random() * odd.length)]().catch(() => {});
    await pause(5 * gap);
  }
}

async function ask(server, question) {
  const since = performance.now();
  const answer = await lspan.outcome(question.tool, question.input);
  judge.judge(server, question, since, answer);
}

async function strike() {
  for (let turn = 0; ; turn += 1) {
    await pause(faultEvery);
    if (isOver()) return;
    const { name, server, floods, strike: hit } = faults[turn % faults.length];
    if (server) judge.hurt(server, name);
    await hit({ ...project, lspan, worker }, server);
    if (floods) judge.flooded();
    // Whoever was answered between the two moments was not hurt yet.
    if (server) judge.hurt(server, name);
  }
}

async function sample() {
  while (!isOver()) {
    await pause(10_000);
    rmSync(facts, { force: true });
    process.kill(worker, 'SIGUSR2');
    while (!existsSync(facts)) await pause(10);
    const { held, memory } = JSON.parse(readFileSync(facts, 'utf8'));
    samples.push({
      minute: minutes - (end - performance.now()) / 60_000,
      memory: residentMemory(worker) / 1e6,
      heap: memory.heapUsed / 1e6,
      descriptors: readdirSync(`/proc/${worker}/fd`).length,
      sockets: socketsOf(worker),
      timers: held.Timeout ?? 0,
      processes: descendantsOf(worker).length,
    });
    if (samples.length % 6 === 0) console.log(samples.at(-1), judge.counts, visitors?.counts ?? '');
  }
}

/** Of each thing the median after ten minutes beside that of the last five. */
function rows() {
  const settled = minutes / 3;
  const middle = (of, from, to) => {
    const within = samples.filter(({ minute }) => minute >= from && minute <= to).map((one) => one[of]);
    return within.sort((a, b) => a - b)[Math.floor(within.length / 2)] ?? Number.NaN;
  };
  const growth = (of, unit, most) => {
    const [before, after] = [
      middle(of, settled, settled * 1.5),
      middle(of, minutes - settled / 2, minutes + 1),
    ];
    return {
      what: `${of}, after ${settled.toFixed(0)} minutes and at the end`,
      measured: `${before.toFixed(0)}${unit} → ${after.toFixed(0)}${unit}`,
      target: `no growth (≤ ${most}${unit} of noise)`,
      pass: !(after - before > most),
    };
  };
  const { right, doubtful, excused, recoveries } = judge.counts;
  const told = `${right} right, ${doubtful} with doubts, ${excused} errors while a server was hurt, ${recoveries} recoveries`;
  return [
    growth('memory', ' MB', 3),
    growth('descriptors', '', 2),
    growth('sockets', '', 2),
    growth('timers', '', 3),
    growth('processes', '', 1),
    { what: 'answers', measured: told, target: 'none' },
    count('unexpected errors or wrong answers', judge.unexpected.length),
    count('processes left 3 s after the end', survivors.length),
    ...(daemon ? visitorRows() : []),
  ];
}

function visitorRows() {
  const { came, left, killed, edits, halfDone } = visitors.counts;
  return [
    {
      what: 'clients',
      measured: `${came} came, ${left} left, ${killed} were killed; ${edits} edits`,
      target: '',
    },
    count('edits that were half done, or not as told', halfDone),
    count('clients that the daemon keeps after they have gone', ghosts.length),
  ];
}

function count(what, number) {
  return { what, measured: String(number), target: '0', pass: number === 0 };
}

/** The same numbers for the same seed: https://en.wikipedia.org/wiki/Linear_congruential_generator */
function generator(from) {
  let state = from;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
