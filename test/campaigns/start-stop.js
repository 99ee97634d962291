// PRC-23: 1,000 times a bridge is opened, asked and closed in one process, every tenth time with something else, such as
// a server that dies; what the process holds is the same after each.
//   node test/campaigns/start-stop.js [cycles, 1000 unless given] [every, 10 unless given]
import bundleFake from '../fake-server/bundle-fake.js';
import { judge, runCycles } from '../start-stop/run-cycles.js';

const [, , given = '1000', every = '10'] = process.argv;
const cycles = Number(given);
/** Bytes that the heap may grow by in a cycle, and the process; after fewer cycles, both still find their size. */
const most = { ...(cycles >= 200 && { heapUsed: 512 }), ...(cycles >= 1000 && { rss: 8192 }) };

const began = performance.now();
let done = 0;
const onCycle = () => {
  done += 1;
  if (done % 100 === 0) console.log(`${done} cycles, ${Math.round((performance.now() - began) / 1000)} s`);
};
const removeFake = process.env.LSPAN_FAKE_SERVER ? () => {} : await bundleFake();
const running = runCycles({ cycles, every: Number(every), fake: process.env.LSPAN_FAKE_SERVER, onCycle });
const told = await running.finally(removeFake);

const rows = judge(told);
console.table(
  Object.fromEntries(
    rows.map(({ name, acts, ...row }) => [name, { ...row, 'not so after': acts.join(', ') }]),
  ),
);
const growth = Object.keys(most).map((name) => [name, slopeOf(told, name)]);
for (const [name, slope] of growth)
  console.log(`${name}: ${slope.toFixed(0)} bytes a cycle, at most ${most[name]}`);
const isSteady = rows.every((row) => row.isSteady) && growth.every(([name, slope]) => slope <= most[name]);
console.log(isSteady ? 'Nothing stays.' : 'Something stays.');
process.exitCode = isSteady ? 0 : 1;

/** By how much a value grows from one cycle to the next over the second half of them. */
function slopeOf(all, name) {
  const later = all.slice(Math.floor(all.length / 2), -1).map((one) => one[name]);
  const middle = (later.length - 1) / 2;
  const weights = later.map((_, index) => index - middle);
  const rise = later.reduce((sum, value, index) => sum + value * weights[index], 0);
  return rise / weights.reduce((sum, weight) => sum + weight * weight, 0);
}
