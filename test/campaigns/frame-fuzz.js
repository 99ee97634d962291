// PRO-31, PRO-32: feeds the frame reader with generated and mutated streams, cut at random, and compares it with the
// plain reference.
// Usage: node test/campaigns/frame-fuzz.js [streams, or minutes as 30m] [seed]
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { rolldown } from 'rolldown';
import { mutate, randomFrom, randomStream } from './frame-streams.js';

const [amount = '1000000', given] = process.argv.slice(2);
const minutes = amount.endsWith('m') ? Number.parseFloat(amount) : undefined;
const most = minutes === undefined ? Number(amount) : Number.POSITIVE_INFINITY;
const end = performance.now() + (minutes ?? Number.POSITIVE_INFINITY) * 60_000;
const seed = Number(given ?? Date.now() % 2 ** 31);
const random = randomFrom(seed);
/** Milliseconds of the processor; a stream that takes longer is slow, unless the engine did something else meanwhile. */
const slow = 100;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

const { FrameReader, readMessage, readReference, refused } = await loadParts();
const count = { streams: 0, mutated: 0, faults: 0, messages: 0, incomparable: 0, slowest: 0 };
let settled;
console.log(`seed ${seed}`);
while (count.streams < most && performance.now() < end) {
  play();
  count.streams += 1;
  if (count.streams % 100_000 === 0) report();
}
report();
console.log(`no fault of the reader in ${count.streams} streams`);

function play() {
  const isMutated = random(2) === 1;
  const stream = isMutated ? mutate(randomStream(random), random) : randomStream(random);
  const sizes = Array.from({ length: 1 + random(6) }, () => 1 + random(random(4) === 0 ? 400 : 24));
  // As from a language server, or as from a host, which is told of a bad body.
  const goesOn = random(2) === 1;
  count.mutated += Number(isMutated);
  const { read, time } = timedRead(stream, sizes, goesOn);
  // The engine compiles and collects when it likes; a slow stream is slow again.
  if (time > slow && timedRead(stream, sizes, goesOn).time > slow) tell(stream, sizes, `it took ${time} ms`);
  count.slowest = Math.max(count.slowest, time);
  count.faults += read.faults;
  count.messages += read.messages.length;
  for (const message of read.messages) readMessage(message);
  // The reference knows no limit on what is stray.
  if (stream.filter((byte) => byte === 0x0a).length > 90) {
    count.incomparable += 1;
    return;
  }
  const reference = readReference(stream, goesOn);
  const same = JSON.stringify(read.messages) === JSON.stringify(reference.messages);
  if (!same || read.faults !== Number(reference.isFault))
    tell(stream, sizes, 'it differs from the reference');
}

/** The time is that of the processor, in milliseconds. */
function timedRead(stream, sizes, goesOn) {
  const before = process.cpuUsage();
  const read = readInChunks(stream, sizes, goesOn);
  const { user, system } = process.cpuUsage(before);
  return { read, time: (user + system) / 1000 };
}

function readInChunks(stream, sizes, goesOn) {
  const messages = [];
  let faults = 0;
  const reader = new FrameReader({
    message: (value) => {
      assert.equal(faults, 0);
      messages.push(value);
    },
    ...(goesOn && { refuse: () => messages.push(refused) }),
    fault: () => {
      faults += 1;
    },
  });
  for (let at = 0, turn = 0; at < stream.length; turn += 1) {
    const size = sizes[turn % sizes.length];
    reader.push(stream.subarray(at, at + size));
    at += size;
  }
  assert(faults <= 1);
  return { messages, faults };
}

function tell(stream, sizes, what) {
  console.log(
    `seed ${seed}, stream ${count.streams}: ${what}\n${stream.toString('base64')}\nin chunks of ${sizes}`,
  );
  process.exit(1);
}

/** What grows after the first report is a leak. */
function report() {
  collectGarbage();
  const memory = process.memoryUsage().heapUsed;
  settled ??= memory;
  const growth = `${((memory - settled) / 1e6).toFixed(1)} MB more than at the first report`;
  const { streams, mutated, faults, messages, incomparable, slowest } = count;
  console.log(
    `${streams} streams (${mutated} mutated), ${messages} messages, ${faults} faults, ${incomparable} not compared, slowest ${slowest.toFixed(1)} ms, ${growth}`,
  );
}

/** Bundles what is fuzzed, since Node does not read TypeScript. */
async function loadParts() {
  const root = path.resolve(import.meta.dirname, '../..');
  const folder = mkdtempSync(path.join(tmpdir(), 'lspan-fuzz-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const input = {
    reader: path.join(root, 'src/jsonrpc/frame-reader.ts'),
    message: path.join(root, 'src/jsonrpc/message.ts'),
    reference: path.join(root, 'test/jsonrpc/reference-reader.ts'),
  };
  const bundle = await rolldown({ input, platform: 'node', external: /^node:/, tsconfig: false });
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs' });
  await bundle.close();
  const parts = await Promise.all(Object.keys(input).map((name) => import(path.join(folder, `${name}.mjs`))));
  return Object.assign({}, ...parts);
}
