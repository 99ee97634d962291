// How much gets through: 64 questions in flight all the time, of a raw client and of lspan on the same kind of server.
// Where a question is quick, lspan is measured against a tool of the same SDK that does nothing.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { argumentsOf, paramsOf, recordConversation, startLspan, startRaw } from './conversation.js';
import { startMcpClient } from './mcp-client.js';
import { generateProject, positionOf } from './project.js';
import { env, workFolder } from './work.js';

const inFlight = 64;
const slow = 5;

/** Measures questions that differ each, so that nothing is shared, with nothing kept. */
export async function measureThroughput({ rounds = 3, size = 500 } = {}) {
  const config = path.join(workFolder, 'keeps-nothing.toml');
  await writeFile(config, '[limits]\nanswers_mb = 0\n');
  const project = await generateProject('typescript', size);
  const raw = await startRaw('typescript', project, await recordConversation('typescript', project));
  const lspan = await startLspan(project, ['--config', config]);
  const idle = await startIdle();
  const probes = placesIn(project);
  for (const probe of probes) {
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
  for (const [name, tool, method] of questions) {
    const sides = [
      (probe) => raw.request(method, paramsOf({ ...probe, method }, project.folder)),
      (probe) => lspan.call(tool, argumentsOf(probe)),
      () => idle.call('nothing', {}),
    ];
    for (const ask of sides) await rush(probes, ask);
    const alone = await oneByOne(probes.slice(0, 40), sides[0]);
    const rates = [[], [], []];
    for (let round = 0; round < rounds; round += 1)
      for (const side of round % 2 === 0 ? [0, 1, 2] : [2, 1, 0])
        rates[side].push(await rush(probes, sides[side]));
    rows.push(rowOf(`${size} modules: ${name}`, alone, rates.map(middle)));
  }
  await Promise.all([raw.stop(), lspan.stop(), idle.stop()]);
  return rows;
}

const questions = [
  ['hover', 'get_hover', 'textDocument/hover'],
  ['definition', 'find_definition', 'textDocument/definition'],
  ['references', 'find_references', 'textDocument/references'],
];

function rowOf(what, alone, [raw, own, idle]) {
  const isSlow = alone > slow;
  const [limit, least] = isSlow ? [raw, 0.9] : [idle, 0.8];
  const told = `${own.toFixed(0)} a second (raw client ${raw.toFixed(0)}, a tool that does nothing ${idle.toFixed(0)})`;
  return {
    what: `${what}, one alone takes the raw client ${alone.toFixed(1)} ms`,
    measured: told,
    target: `≥ ${least} × ${isSlow ? 'the raw client' : 'a tool that does nothing'}`,
    pass: own >= least * limit,
  };
}

/** Asks everything with so many in flight all the time; gives how many were answered in a second. */
async function rush(probes, ask) {
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
