// Has another process than lspan change, create, rename or delete files just before each call, and checks that no
// answer is older than the disk. Two calls a round: one about places, one about problems.
//   node test/campaigns/freshness.js [typescript] [typescript-language-server] [pyright]
//     [--rounds 1000] [--seed N] [--scan] [--daemon]   (after `npm run build`; --scan: without the kernel's help;
//     --daemon: through the daemon, which always has that help)
import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { FreshnessWorld } from './freshness-world.js';
import { daemonOption, makeFolder, startLspan, Tally, watches } from './lspan.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    seed: { type: 'string' },
    scan: { type: 'boolean', default: false },
    ...daemonOption,
  },
});
const rounds = Number(values.rounds ?? 1_000);
const seed = Number(values.seed ?? Date.now() % 1e6);
const languageOf = {
  typescript: 'typescript',
  'typescript-language-server': 'typescript',
  pyright: 'python',
};

const by = `${values.scan ? ', by comparing the disk' : ''}${values.daemon ? ', through the daemon' : ''}`;
console.log(`seed ${seed}, ${rounds} rounds${by}`);
assert.ok(!(values.scan && values.daemon), 'The daemon cannot be kept from hearing of changes.');
for (const server of positionals.length > 0 ? positionals : Object.keys(languageOf)) await play(server);

async function play(server) {
  const folder = makeFolder();
  const world = new FreshnessWorld(folder.project, languageOf[server], seed);
  const lspan = await startLspan(folder, server, values);
  const places = new Tally(`${server}, places`);
  const problems = new Tally(`${server}, problems`);
  const begun = performance.now();
  for (let round = 1; round <= rounds; round += 1) {
    const kind = world.change();
    const [question, asked] = questionsAbout(world)[round % 3];
    const where = `round ${round}, ${kind}, ${question}`;
    places.judge(where, await asked(lspan));
    const { kind: cause, file } = world.changeProblems();
    problems.judge(`round ${round}, ${cause}, ${file}`, await problemsOf(lspan, world, file));
  }
  assert.equal(watches(lspan.worker()), !values.scan);
  await lspan.stop();
  folder.remove();
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  for (const tally of [places, problems]) {
    console.log(`${tally.name}: ${tally} (${rounds} changes)`);
    if (tally.of('right') !== rounds) process.exitCode = 1;
  }
  console.log(`${server}: ${seconds} s`);
}

/** What is asked in turn about places. */
function questionsAbout(world) {
  const { language, chance, library, libraryPath } = world;
  const [user, { name, line }] = chance.pick([...world.users]);
  const at = { file_path: libraryPath, line: library.line, character: language.column };
  const call = { file_path: user, line, character: language.callColumn(name) };
  const placesIn = (list) => list.map((one) => `${one.file_path}:${one.line}`).sort();
  const ask = (tool, input, expected, seen) => async (lspan) => {
    const { error, message, complete, ...data } = await lspan.outcome(tool, { max_tokens: 20_000, ...input });
    return {
      actual: error ? undefined : seen(data),
      expected,
      complete,
      error: error && `${error}: ${message}`,
    };
  };
  return [
    ['references', ask('find_references', at, world.references, ({ references }) => placesIn(references))],
    [
      'definition',
      ask('find_definition', call, [`${libraryPath}:${library.line}`], ({ definitions }) =>
        placesIn(definitions),
      ),
    ],
    [
      'search by name',
      ask('search_workspace_symbols', { query: name }, [`${user}:${line}`], ({ symbols }) =>
        placesIn(symbols.filter((one) => one.name === name)),
      ),
    ],
  ];
}

async function problemsOf(lspan, world, file) {
  const { error, message, complete, diagnostics, doubts } = await lspan.outcome('get_diagnostics', {
    file_path: file,
    min_severity: 'error',
  });
  return {
    actual: diagnostics?.map(({ line }) => line),
    expected: world.problemsOf(file),
    complete,
    error: error && `${error}: ${message}`,
    why: JSON.stringify(doubts),
  };
}
