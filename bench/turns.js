// Lspan and its limit take turns, so that what disturbs the machine disturbs both alike.
import { summary, timed } from './statistics.js';

/** A server that needs seconds for an answer is asked less often than the rounds say, so that a run comes to an end. */
const mostTime = { warmUp: 10_000, measured: 25_000 };

/**
 * Asks both sides of every pair, first until they know everything, then to warm up, then for the record.
 * A side is `{ times, ask, prepare? }`, where `ask` gives how many places it saw; a pair's `count` is how many there are.
 */
export async function takeTurns(pairs, { rounds, warmUp, warmUpTime = mostTime.warmUp }) {
  for (const pair of pairs) await untilComplete(pair);
  await goRound(pairs, warmUp, warmUpTime);
  for (const { sides } of pairs) for (const side of sides) side.times = [];
  await goRound(pairs, rounds, mostTime.measured);
}

/** What came of a pair, beside the target `factor × limit + plus`. */
export function rowOf(what, { sides: [raw, own], target }, limitIs = 'raw client') {
  const [limit, lspan] = [summary(raw.times), summary(own.times)];
  const row = { what, limitIs, lspan, limit, rounds: own.times.length };
  if (!target) return { ...row, target: 'none' };
  const { factor, plus, raw: name = 'raw' } = target;
  const pass = lspan.median <= factor * limit.median + plus;
  return { ...row, target: `≤ ${factor} × ${name} + ${plus} ms`, pass };
}

/** A server may still be loading: it is asked until it knows everything. */
async function untilComplete({ name, count, sides }) {
  const end = performance.now() + 240_000;
  for (const { ask, prepare } of sides) {
    const askOnce = async () => {
      await prepare?.();
      return ask();
    };
    for (let seen = await askOnce(); !isRight(seen, count); seen = await askOnce())
      if (performance.now() > end) throw new Error(`${name}: ${seen} places instead of ${count}.`);
  }
}

/** Each round asks everything of everybody, beginning with the other one each time. */
async function goRound(pairs, rounds, time) {
  const end = performance.now() + time;
  for (let round = 0; round < rounds && performance.now() < end; round += 1) {
    for (const { name, count, sides } of pairs) {
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        await side.prepare?.();
        const { time, value } = await timed(side.ask);
        if (!isRight(value, count)) throw new Error(`${name}: ${value} places instead of ${count}.`);
        side.times.push(time);
      }
    }
  }
}

function isRight(seen, count) {
  return count === undefined ? seen > 0 : seen === count;
}
