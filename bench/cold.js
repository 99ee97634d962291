// From nothing to the first complete list of references, beside a raw client that knows in advance what to open.
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { argumentsOf, paramsOf, recordConversation, startLspan, startRaw } from './conversation.js';
import { generateProject } from './project.js';
import { emptyNode } from './start.js';
import { summary, timed } from './statistics.js';

/** A project that takes long to load is judged by a share of that time. */
const long = 5_000;

/** Measures the first right and whole answer, in turn with the raw client and with starting Node for nothing. */
export async function measureCold(language, size, { rounds = isSlow(language, size) ? 3 : 7 } = {}) {
  const project = await generateProject(language, size);
  const probe = project.probes.at(-1);
  const conversation = await recordConversation(language, { ...project, probes: [probe] });
  const times = { raw: [], lspan: [], empty: [] };
  for (let round = 0; round < rounds; round += 1) {
    const runs = [
      async () => times.empty.push((await timed(await emptyNode(project.folder))).time),
      async () => times.raw.push(await rawToAnswer(language, project, probe, conversation)),
      async () => times.lspan.push(await lspanToAnswer(project, probe)),
    ];
    for (const run of round % 2 === 0 ? runs : runs.toReversed()) {
      await forgetIndex(project);
      await run();
    }
  }
  return [coldRow(`${size} modules: first references, 100`, times)];
}

/** Where a start takes many seconds, few of them tell enough. */
function isSlow(language, size) {
  return size > 1000 || (language === 'cpp' && size > 100);
}

/** What a server has left in the tree would make the next start a warm one. */
async function forgetIndex({ folder }) {
  await rm(path.join(folder, '.cache'), { recursive: true, force: true });
}

async function rawToAnswer(language, project, probe, conversation) {
  const { time, value } = await timed(async () => {
    const raw = await startRaw(language, project, conversation);
    const ask = async () => (await raw.request(probe.method, paramsOf(probe, project.folder)))?.length;
    for (let seen = await ask(); seen !== probe.count; seen = await ask());
    return raw;
  });
  await value.stop();
  return time;
}

async function lspanToAnswer(project, probe) {
  const { time, value } = await timed(async () => {
    const lspan = await startLspan(project);
    for (;;) {
      const { total, complete } = await lspan.call(probe.tool, argumentsOf(probe));
      if (total === probe.count) return lspan;
      if (complete) throw new Error(`Silently wrong: ${total} places instead of ${probe.count}.`);
    }
  });
  await value.stop();
  return time;
}

function coldRow(what, { raw, lspan, empty }) {
  const [limit, own, nothing] = [summary(raw), summary(lspan), summary(empty)];
  const isLong = limit.median > long;
  const most = isLong ? 1.05 * limit.median : limit.median + 2.2 * nothing.median + 50;
  return {
    what,
    limitIs: 'raw client',
    limit,
    lspan: own,
    rounds: lspan.length,
    target: isLong ? '≤ 1.05 × raw' : `≤ raw + 2.2 × empty Node (${nothing.median.toFixed(0)}) + 50 ms`,
    pass: own.median <= most,
  };
}
