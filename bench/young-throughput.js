// 64 questions in flight about real sources, each about another symbol, beside a raw client; no answer is kept.
import { argumentsOf } from './conversation.js';
import { summary } from './statistics.js';
import { rush } from './throughput.js';
import { sourcesIn } from './young-projects.js';
import { makeWorld, record, sampled, startOwn, startRaw, symbolsOf } from './young-world.js';

const questions = [
  { name: 'definitions', tool: 'find_definition', method: 'textDocument/definition', least: 0.9 },
  { name: 'hovers', tool: 'get_hover', method: 'textDocument/hover', least: 0.9 },
  { name: 'references', tool: 'find_references', method: 'textDocument/references', least: 0.8 },
];

/** Measures how many questions a second are answered; the first round opens the files, and does not count. */
export async function measureYoungThroughput(server, language, project, { rounds, seed }) {
  const world = makeWorld(server, language, project, { keeps: false });
  const texts = new Map(sourcesIn(project.folder, language).map(({ file, text }) => [file, text]));
  const conversation = await record(world);
  const symbols = sampled(await symbolsOf(world, conversation, texts), seed, 200);
  const raw = await startRaw(world, conversation, texts);
  const lspan = await startOwn(world);
  const rows = [];
  for (const { name, tool, method, least } of questions) {
    const sides = [
      (symbol) => raw.ask(method, symbol).catch(() => undefined),
      (symbol) => lspan.outcome(tool, argumentsOf(symbol)),
    ];
    const rates = [[], []];
    for (let round = -1; round < rounds; round += 1)
      for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const rate = await rush(symbols, sides[side]);
        if (round >= 0) rates[side].push(rate);
      }
    const [limit, own] = rates.map((some) => summary(some).median);
    rows.push({
      what: `${server}, ${project.name}: 64 ${name} in flight, the cache of answers is off`,
      measured: `${own.toFixed(0)} a second (raw client ${limit.toFixed(0)}): ${(own / limit).toFixed(2)} ×`,
      target: `≥ ${least} × raw`,
      pass: own >= least * limit,
    });
  }
  await Promise.all([raw.stop(), lspan.stop()]);
  return rows;
}
