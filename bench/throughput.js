// How much gets through: 64 questions in flight all the time, of a raw client and of lspan on the same kind of server.
// Where a question is quick, lspan is measured against a tool of the same SDK that does nothing. What each process spends
// on a CPU is told beside, since on a machine with few of them all of these processes share them: the limit is then what
// the server leaves over.
import path from 'node:path';
import { argumentsOf, paramsOf, recordConversation, startLspan, startRaw } from './conversation.js';
import { startMcpClient } from './mcp-client.js';
import { childrenOf, cpuTime, tellsFacts } from './process-facts.js';
import { generateProject, positionOf } from './project.js';
import { env, workFolder } from './work.js';

const inFlight = 64;
const slow = 5;

/**
 * Measures questions that differ each, so that nothing is shared; nothing is kept either. Every rush is of as many
 * questions, and there are enough before that count for the engine to have compiled both sides.
 */
export async function measureThroughput({ rounds = 5, warmUp = 5, size = 500 } = {}) {
  const project = await generateProject('typescript', size);
  const raw = await startRaw('typescript', project, await recordConversation('typescript', project));
  const lspan = await startLspan(project);
  const idle = await startIdle();
  const places = placesIn(project);
  for (const probe of places) {
    const textDocument = {
      uri: `file://${project.folder}/${probe.file}`,
      languageId: 'typescript',
      version: 1,
    };
    raw.notify('textDocument/didOpen', {
      textDocument: { ...textDocument, text: project.files.get(probe.file) },
    });
  }
  const rows = [];
  for (const [name, tool, method, share] of questions) {
    const some = places.filter((_, index) => index % share === 0);
    const probes = Array.from({ length: share }, () => some).flat();
    const sides = [
      (probe) => raw.request(method, paramsOf({ ...probe, method }, project.folder)),
      (probe) => lspan.call(tool, argumentsOf(probe)),
      () => idle.call('nothing', {}),
    ];
    for (let round = 0; round < warmUp; round += 1) for (const ask of sides) await rush(probes, ask);
    const alone = await oneByOne(probes.slice(0, 40), sides[0]);
    const rates = [[], [], []];
    const before = spentBy([raw, lspan, idle]);
    for (let round = 0; round < rounds; round += 1)
      for (const side of round % 2 === 0 ? [0, 1, 2] : [2, 1, 0])
        rates[side].push(await rush(probes, sides[side]));
    const spent = spentBy([raw, lspan, idle]).map((now, at) => (now - before[at]) / (rounds * probes.length));
    rows.push(rowOf(`${size} modules: ${name}`, alone, rates.map(middle), spent));
  }
  await Promise.all([raw.stop(), lspan.stop(), idle.stop()]);
  return rows;
}

const questions = [
  ['hover', 'get_hover', 'textDocument/hover', 1],
  ['definition', 'find_definition', 'textDocument/definition', 1],
  ['references', 'find_references', 'textDocument/references', 6],
];

/** Milliseconds on a CPU: the raw client's server, lspan and its server, the tool that does nothing. */
function spentBy([raw, lspan, idle]) {
  if (!tellsFacts) return [];
  const servers = childrenOf(lspan.pid).reduce((sum, pid) => sum + cpuTime(pid), 0);
  return [cpuTime(raw.pid), cpuTime(lspan.pid), cpuTime(idle.pid), servers];
}

function toldOf([rawServer, own, idle, server]) {
  if (own === undefined) return '';
  const [ofRaw, ofLspan, ofServer, ofIdle] = [rawServer, own, server, idle].map((ms) => ms.toFixed(2));
  return `; ms of CPU a call: lspan ${ofLspan} and its server ${ofServer}, the raw client's server ${ofRaw}, a tool that does nothing ${ofIdle}`;
}

function rowOf(what, alone, [raw, own, idle], spent) {
  const isSlow = alone > slow;
  const [limit, least] = isSlow ? [raw, 0.9] : [idle, 0.8];
  const told = `${own.toFixed(0)} a second (raw client ${raw.toFixed(0)}, a tool that does nothing ${idle.toFixed(0)})${toldOf(spent)}`;
  return {
    what: `${what}, one alone takes the raw client ${alone.toFixed(1)} ms`,
    measured: told,
    target: `≥ ${least} × ${isSlow ? 'the raw client' : 'a tool that does nothing'}`,
    pass: own >= least * limit,
  };
}

/** Asks everything with so many in flight all the time; gives how many were answered in a second. */
export async function rush(probes, ask) {
  let next = 0;
  const start = performance.now();
  const worker = async () => {
    while (next < probes.length) await ask(probes[next++]);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return probes.length / ((performance.now() - start) / 1000);
}

async function oneByOne(probes, ask) {
  const times = [];
  for (const probe of probes) {
    const start = performance.now();
    await ask(probe);
    times.push(performance.now() - start);
  }
  return middle(times);
}

function middle(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Different symbols of 150 files, which both sides have open. */
function placesIn({ files }) {
  const modules = [...files].filter(([file]) => /module-/.test(file)).slice(0, 150);
  return modules.flatMap(([file, text]) =>
    ['compute', 'Store', 'Settings', 'describe'].map((name) => ({ file, ...positionOf(text, name) })),
  );
}

/** A server of the same SDK over stdio whose only tool does nothing. */
async function startIdle() {
  const bin = path.join(import.meta.dirname, 'idle-server.js');
  const client = startMcpClient({ bin, args: [], cwd: workFolder, env });
  await client.initialize();
  return client;
}
