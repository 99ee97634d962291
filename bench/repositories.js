// What indexes of repositories cost: adding a real one, and asking 10 million occurrences in 500 repositories made of it.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { cache, pinned } from '../test/campaigns/pinned.js';
import { workFolder } from './work.js';

const root = path.resolve(import.meta.dirname, '..');
/** Fewer only to try it out. */
const repositories = Number(process.env.LSPAN_BENCH_REPOSITORIES ?? 500);
const targets = {
  embedded: { rate: 100_000, query: 5 },
  postgres: { rate: 40_000, query: 10 },
  memory: 300,
  growth: 30,
};

/** Measures both stores; that in PostgreSQL if it is given: LSPAN_BENCH_POSTGRES=postgres://… */
export async function measureRepositories() {
  const bundle = path.join(workFolder, 'repositories.mjs');
  const build = await rolldown({
    input: path.join(import.meta.dirname, 'repositories-entry.js'),
    external: ['node-sqlite3-wasm'],
    platform: 'node',
  });
  await build.write({ file: bundle, format: 'esm', codeSplitting: false });
  await build.close();
  const file = await realIndex();
  const embedded = path.join(workFolder, 'repositories');
  rmSync(embedded, { recursive: true, force: true });
  const rows = await measureStore('embedded', bundle, file, embedded, targets.embedded);
  rmSync(embedded, { recursive: true, force: true });
  const { LSPAN_BENCH_POSTGRES: address } = process.env;
  if (address === undefined) return rows;
  return [...rows, ...(await measureStore('PostgreSQL', bundle, file, address, targets.postgres))];
}

/** The index of lspan itself. */
async function realIndex() {
  const file = path.join(cache, 'lspan.scip');
  if (existsSync(file)) return file;
  const folder = await pinned('@sourcegraph/scip-typescript', '0.4.0');
  const program = path.join(folder, 'dist/src/main.js');
  const { status } = spawnSync(process.execPath, [program, 'index', '--output', file], {
    cwd: root,
    stdio: 'ignore',
  });
  if (status !== 0) throw new Error('scip-typescript failed.');
  return file;
}

async function measureStore(name, bundle, file, place, { rate, query }) {
  const run = (work, count) => probe([bundle, work, place, file, String(count)]);
  const added = await run('import', 0);
  const filled = await run('fill', repositories);
  const keys = path.join(workFolder, 'keys.json');
  writeFileSync(keys, JSON.stringify(await run('keys', repositories)));
  const asked = await probe([bundle, 'query', place, keys]);
  // What a process holds after the same work differs by some MB: the middle of three counts.
  const memories = [asked.memory];
  for (let more = 0; more < 2; more += 1) memories.push((await probe([bundle, 'query', place, keys])).memory);
  const [, memory] = memories.sort((a, b) => a - b);
  const row = (what, value, unit, target, pass) => ({
    what: `${name}: ${what}`,
    measured: `${value} ${unit}`,
    target,
    pass,
  });
  const perSecond = Math.round(added.occurrences / added.seconds);
  const shown = ({ median, late }) => `${median.toFixed(2)} / ${late.toFixed(2)}`;
  const many = `${(filled.occurrences / 1e6).toFixed(1)} million occurrences, ${repositories} repositories`;
  return [
    row(
      `adding ${added.occurrences} occurrences of a real index`,
      perSecond,
      'a second',
      `≥ ${rate}`,
      perSecond >= rate,
    ),
    row(
      'memory of that',
      Math.round(added.memory),
      'MB',
      `≤ ${targets.memory} MB`,
      added.memory <= targets.memory,
    ),
    row(`uses of a symbol, ${many}`, shown(asked.alone), 'ms', `≤ ${query} ms`, asked.alone.median <= query),
    row(
      'the same, 32 clients at once',
      shown(asked.together),
      'ms',
      `≤ ${query} ms`,
      asked.together.median <= query,
    ),
    row('more memory of lspan', Math.round(memory), 'MB', `≤ ${targets.growth} MB`, memory <= targets.growth),
  ];
}

function probe(args) {
  const script = path.join(import.meta.dirname, 'repositories-probe.js');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--expose-gc', script, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text;
    });
    child.once('close', (code) =>
      code === 0 ? resolve(JSON.parse(printed)) : reject(new Error('The probe failed.')),
    );
  });
}
