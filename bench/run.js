// Runs the bench: all of it, or the sections that are named, at the sizes that are given.
//   node bench/run.js [start] [typescript] [python] [tokens] [--sizes 50,500] [--rounds 300]
// Only a whole run writes RESULTS.md.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { languages, sizes } from './project.js';
import { resultsText, sectionText } from './report.js';
import { measureStart } from './start.js';
import { measureTokens } from './tokens.js';
import { measureWarm } from './warm.js';
import { prepareWork } from './work.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sizes: { type: 'string' }, rounds: { type: 'string' } },
});
const options = values.rounds === undefined ? {} : { rounds: Number(values.rounds) };
const chosenSizes = values.sizes === undefined ? sizes : values.sizes.split(',').map(Number);

const sections = [
  { name: 'start', title: 'Start', measure: () => measureStart(options) },
  ...languages.map((language) => ({
    name: language,
    title: `Warm questions by position, ${language}`,
    measure: () => eachSize((size) => measureWarm(language, size, options)),
  })),
  { name: 'tokens', title: 'Tokens', measure: measureTokens },
];

await prepareWork();
const chosen = sections.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const results = [];
for (const { title, measure } of chosen) {
  const result = { title, rows: await measure() };
  results.push(result);
  console.log(`${sectionText(result)}\n`);
}
if (process.argv.length === 2)
  await writeFile(path.join(import.meta.dirname, 'RESULTS.md'), resultsText(results, 'npm run bench'));

async function eachSize(measure) {
  const rows = [];
  for (const size of chosenSizes) rows.push(...(await measure(size)));
  return rows;
}
