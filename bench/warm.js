// The latency of questions by position once everything is loaded, beside a raw client on a server of its own.
import { argumentsOf, paramsOf, recordConversation, startLspan, startRaw } from './conversation.js';
import { residentMemory, tellsFacts } from './process-facts.js';
import { generateProject } from './project.js';
import { summary, timed } from './statistics.js';

const target = { factor: 1.15, plus: 1 };
const memoryTarget = 90;

/** A server that needs seconds for an answer is asked less often than the rounds say, so that a run comes to an end. */
const mostTime = { warmUp: 20_000, measured: 60_000 };

/**
 * Measures every probe of a project, in turn with the raw client, and then the memory of lspan itself.
 * Before that, as many rounds as Node needs to have compiled most of what runs.
 */
export async function measureWarm(language, size, { rounds = 300, warmUp = 200 } = {}) {
  const project = await generateProject(language, size);
  const raw = await startRaw(language, project, await recordConversation(language, project));
  const lspan = await startLspan(project);
  const pairs = project.probes.map((probe) => ({
    name: probe.name,
    count: probe.count,
    sides: [
      {
        times: [],
        ask: async () => (await raw.request(probe.method, paramsOf(probe, project.folder))).length,
      },
      { times: [], ask: async () => (await lspan.call(probe.tool, argumentsOf(probe))).total },
    ],
  }));
  for (const pair of pairs) await untilComplete(pair);
  await takeTurns(pairs, warmUp, mostTime.warmUp);
  for (const { sides } of pairs) for (const side of sides) side.times = [];
  await takeTurns(pairs, rounds, mostTime.measured);
  const rows = pairs.map((pair) => rowOf(`${size} modules: ${pair.name}`, pair));
  if (tellsFacts)
    rows.push(memoryRow(`${size} modules: resident memory of lspan`, residentMemory(lspan.pid)));
  await Promise.all([raw.stop(), lspan.stop()]);
  return rows;
}

/** A server may still be loading: it is asked until it knows everything. */
async function untilComplete({ name, count, sides }) {
  const end = performance.now() + 120_000;
  for (const { ask } of sides) {
    for (let seen = await ask(); seen !== count; seen = await ask())
      if (performance.now() > end) throw new Error(`${name}: ${seen} places instead of ${count}.`);
  }
}

/** Each round asks everything of everybody, beginning with the other one each time: disturbances hit both alike. */
async function takeTurns(pairs, rounds, time) {
  const end = performance.now() + time;
  for (let round = 0; round < rounds && performance.now() < end; round += 1) {
    for (const { name, count, sides } of pairs) {
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        const { time, value } = await timed(side.ask);
        if (value !== count) throw new Error(`${name}: ${value} places instead of ${count}.`);
        side.times.push(time);
      }
    }
  }
}

function rowOf(what, { sides: [raw, own] }) {
  const [limit, lspan] = [summary(raw.times), summary(own.times)];
  return {
    what,
    limitIs: 'raw client',
    lspan,
    limit,
    rounds: own.times.length,
    target: `≤ ${target.factor} × raw + ${target.plus} ms`,
    pass: lspan.median <= target.factor * limit.median + target.plus,
  };
}

function memoryRow(what, bytes) {
  const megabytes = bytes / 1e6;
  return {
    what,
    measured: `${megabytes.toFixed(0)} MB`,
    target: `≤ ${memoryTarget} MB`,
    pass: megabytes <= memoryTarget,
  };
}
