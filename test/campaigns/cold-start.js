// PRO-30: asks the very first question of an lspan that was never started here before, again and again: the answer is
// whole, or says that it may not be.
//   node test/campaigns/cold-start.js [SERVER…] [--rounds 50]   (after `npm run build`)
import { parseArgs } from 'node:util';
import { coldProject } from './cold-projects.js';
import { makeFolder, serverNames, startLspan, Tally, writeFiles } from './lspan.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string' } },
});
const rounds = Number(values.rounds ?? 50);

for (const server of positionals.length > 0 ? positionals : serverNames) {
  const tally = new Tally(server);
  const begun = performance.now();
  for (let round = 0; round < rounds; round += 1) await play(server, round, tally);
  const seconds = ((performance.now() - begun) / 1000 / rounds).toFixed(1);
  console.log(`${server}: ${rounds} first calls: ${tally} (${seconds} s each)`);
  if (tally.of('wrong') + tally.of('error') > 0) process.exitCode = 1;
}

async function play(server, round, tally) {
  const folder = makeFolder();
  const { files, questions } = coldProject(server, folder.project);
  writeFiles(folder.project, files);
  const lspan = await startLspan(folder, server);
  const [tool, input, expected] = questions[round % questions.length];
  const {
    error,
    message,
    doubts = [],
    ...data
  } = await lspan.outcome(tool, { max_tokens: 20_000, ...input });
  const [found = []] = [data.references, data.definitions, data.symbols, data.diagnostics].filter(Boolean);
  tally.judge(`round ${round}, ${tool} ${JSON.stringify(input)}`, {
    actual: found.map((one) => `${one.file_path}:${one.line}`).sort(),
    expected,
    // That code of the repository is not run is always told, and says nothing of the start.
    complete: doubts.every(({ kind }) => kind === 'not_trusted'),
    error: error && `${error}: ${message}`,
    why: doubts.map(({ kind, detail }) => `${kind}: ${detail}`).join(' '),
  });
  await lspan.stop();
  folder.remove();
}
