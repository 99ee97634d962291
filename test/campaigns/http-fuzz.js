// TRN-13, TRN-31, TRN-32: sends malformed requests of both eras to a running `lspan serve` and judges every answer; then
// TRN-30 on the same process.
// Usage: node test/campaigns/http-fuzz.js [--requests 100000] [--seed N] [--first 0] [--loris 200] [--serve=--no-sessions]…
import { parseArgs } from 'node:util';
import { draftRequest, render } from './http-fuzz/drafts.js';
import { makeJudge } from './http-fuzz/judge.js';
import { mutate, mutateBytes, writeBody } from './http-fuzz/mutations.js';
import { startServe } from './http-fuzz/serve.js';
import { manners, shoot } from './http-fuzz/shoot.js';
import { playSlowLoris } from './http-fuzz/slow-loris.js';
import { chance as chanceOf } from './lspan.js';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    first: { type: 'string', default: '0' },
    loris: { type: 'string', default: '200' },
    serve: { type: 'string', multiple: true, default: [] },
  },
});
const [seed, first, requests, loris] = [values.seed, values.first, values.requests, values.loris].map(Number);
const concurrency = 16;
const faults = [];
const counts = new Map();
const sessions = [];
/** More than the garbage that a collection leaves behind. */
const mostGrowth = 100;

console.log(`seed ${seed}`);
const lspan = await startServe(values.serve);
const judge = await makeJudge(lspan);
await lspan.warmUp();
let next = first;
let settled;
await Promise.all(Array.from({ length: concurrency }, work));
const grown = lspan.memory() - (settled ?? lspan.memory());
console.log(
  [...counts]
    .sort()
    .map(([what, count]) => `${count} ${what}`)
    .join(', '),
);
console.log(
  `at most ${lspan.noted.sessions} sessions; ${grown.toFixed(0)} MB more than after a fifth of the requests`,
);
if (loris > 0) await withstand();
if (!(await lspan.isHealthy())) fault('at the end', 'it does not answer');
if (lspan.noted.sessions > 32) fault('at the end', `${lspan.noted.sessions} sessions`);
if (grown > mostGrowth) fault('at the end', `${grown} MB more`);
await lspan.stop();
for (const line of lspan.noted.errors) fault('log', line);
if (lspan.noted.exit !== 0 && lspan.noted.exit !== 143) fault('at the end', `exit ${lspan.noted.exit}`);
console.log(faults.length === 0 ? `no fault in ${requests} requests` : `${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;

async function work() {
  while (next < first + requests && lspan.noted.exit === undefined && faults.length < 50) {
    const index = next++;
    await play(index);
    if (index - first === Math.floor(requests / 5)) settled = lspan.memory();
    if (index % 1000 === 999) await report(index);
  }
}

/** One shot: one request or several on a connection, each shot with chances of its own, so that it can be repeated. */
async function play(index) {
  const chance = chanceOf((seed + Math.imul(index, 0x9e3779b1)) >>> 0);
  const shot = makeShot(index, chance);
  const outcome = await shoot({ ...shot, port: lspan.port, chance });
  for (const { status, fields } of outcome.answers) {
    count(status);
    if (fields['mcp-session-id'] !== undefined) remember(fields['mcp-session-id']);
  }
  if (outcome.answers.length === 0)
    count(`(${outcome.open?.open ? `stream ${outcome.open.status}` : outcome.ending})`);
  for (const why of judge(shot, outcome)) fault(`shot ${index} (${shot.manner})`, why, shot, outcome);
}

function makeShot(index, chance) {
  const isAnonymous = chance.below(4) === 0;
  const token = isAnonymous ? undefined : chance.pick(lspan.tokens);
  const several = chance.below(10) === 0 ? 2 + chance.below(4) : 1;
  const ids = Array.from({ length: several }, (_, part) => `shot-${index}-${part}`);
  const drafts = ids.map((id) =>
    makeDraft(chance, { port: lspan.port, token, sessions, id, isAlone: several === 1 }),
  );
  const isSpoilt = chance.below(5) === 0;
  const rendered = Buffer.concat(drafts.map(render));
  const bytes = isSpoilt ? mutateBytes(rendered, chance) : rendered;
  const manner = chance.pick(manners);
  const isHeard = manner === 'whole' || manner === 'split';
  const isWhole = several === 1 && isHeard && !isSpoilt && drafts.every((draft) => draft.isWhole);
  const isInDoubt = several === 1 && isHeard && !isSpoilt && drafts.some((draft) => draft.isInDoubt);
  const isHead = drafts.some(({ method }) => method === 'HEAD');
  const lasts = drafts.some(({ message }) => !message || message.method === 'subscriptions/listen');
  // One request more than were sent is waited for where one may have been smuggled.
  const expected = isInDoubt ? 2 : several;
  return { bytes, manner, ids, isAnonymous, isWhole, isInDoubt, isHead, lasts, expected };
}

function makeDraft(chance, setting) {
  const draft = draftRequest(chance, setting);
  const isMutated = chance.below(10) > 0;
  writeBody(draft, chance, isMutated && chance.below(2) === 0);
  if (!isMutated || chance.below(2) === 0) return draft;
  for (let times = 1 + chance.below(2); times > 0 && !draft.isInDoubt; times -= 1) mutate(draft, chance);
  return draft;
}

function remember(session) {
  if (sessions.includes(session)) return;
  sessions.push(session);
  // More than there can be, so that some have ended.
  if (sessions.length > 40) sessions.shift();
}

async function report(index) {
  if (!(await lspan.isHealthy())) fault(`after ${index}`, 'it does not answer');
  if ((index + 1) % 10_000 === 0)
    console.log(`${index + 1}: ${lspan.memory().toFixed(0)} MB, ${faults.length} faults`);
}

async function withstand() {
  const { seconds, served, asked, before, during, ends } = await playSlowLoris(lspan, loris);
  const told = Object.entries(ends).map(([end, count]) => `${count} ${end}`);
  console.log(`${loris} slow connections: ${told.join(', ')}, the last after ${seconds.toFixed(1)} s`);
  console.log(
    `beside them ${served} of ${asked} calls served; p99 ${before.toFixed(1)} ms before, ${during.toFixed(1)} ms during`,
  );
  if (served < asked) fault('slow connections', `${asked - served} calls were not served`);
}

function count(what) {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

function fault(where, why, shot, outcome) {
  faults.push(why);
  console.log(`${where}: ${why}`);
  if (!shot || faults.length > 20) return;
  console.log(`  sent ${JSON.stringify(shot.bytes.toString('latin1').slice(0, 1500))}`);
  console.log(`  got  ${JSON.stringify(outcome.raw.toString('latin1').slice(0, 800))}`);
}
