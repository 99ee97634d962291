// SUP-01 INF-06: asks every installed server everything about repositories with one trap each, under strace. None may
// run a program that is not its own, name an address of the network, or write outside its own folders.
//   npm run campaign:servers -- [SERVER…] [--trap NAME] [--confine never|always|untrusted] [--parallel 2] [--keep]
// With --record FILE it goes on where an earlier run with the same file was interrupted. A whole run that found nothing
// writes the versions that it saw; a test asks for another run when one of them has changed.
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    trap: { type: 'string', multiple: true },
    confine: { type: 'string', default: 'never' },
    parallel: { type: 'string', default: '2' },
    record: { type: 'string' },
    keep: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});
const root = path.resolve(import.meta.dirname, '../..');
const bin = process.env.LSPAN ?? path.join(root, 'dist/bin.js');
const parts = await loadParts();

const untraced = parts.whyNotTraced();
if (untraced !== '') throw new Error(`Nothing can be traced: ${untraced}.`);
const servers = [...new Set(parts.combinations.map(({ project }) => project.server))];
const missing = new Map(servers.map((server) => [server, parts.missingPrograms(server)]));
for (const [server, why] of missing) if (why !== '') console.log(`${server} is left out: ${why}`);
const wanted = parts.combinations.filter(
  ({ project, trap }) =>
    missing.get(project.server) === '' &&
    (positionals.length === 0 || positionals.includes(project.server)) &&
    (values.trap === undefined || values.trap.includes(trap.name)),
);

const empty = {
  ...{ traps: 0, calls: 0, answered: 0, 'not running': 0 },
  ...{ bad: 0, executions: 0, connections: 0, writes: 0 },
};
const rows = new Map();
const recorded = readRecord();
for (const one of recorded.values()) count(one);
const rest = wanted.filter((combination) => !recorded.has(nameOf(combination)));
const begun = performance.now();
await Promise.all(Array.from({ length: Number(values.parallel) }, work));
report();

async function work() {
  for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
    const started = performance.now();
    const outcome = await parts.runCombination(next, { bin, confine: values.confine, keep: values.keep });
    const one = { name: nameOf(next), server: next.project.server, ...outcome };
    if (values.record) appendFileSync(values.record, `${JSON.stringify(one)}\n`);
    tell(one, performance.now() - started);
    count(one);
  }
}

/** The outcomes of an earlier run; what was bad then is run again. */
function readRecord() {
  const lines =
    values.record && existsSync(values.record) ? readFileSync(values.record, 'utf8').split('\n') : [];
  const outcomes = lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  const known = new Set(wanted.map(nameOf));
  const good = outcomes.filter(({ name, crimes }) => known.has(name) && crimes.length === 0);
  return new Map(good.map((one) => [one.name, one]));
}

function nameOf({ project, trap }) {
  return `${project.server} ${trap.name}`;
}

function tell({ name, calls, answered, states, crimes, kept }, took) {
  const facts = `${calls} calls, ${answered} answered, ${states.join('+') || 'no server'}, ${(took / 1000).toFixed(1)} s`;
  if (values.verbose) console.log(`${name}: ${facts}`);
  if (crimes.length > 0)
    console.log(`${name}: ${crimes.map(({ kind, text }) => `${kind} ${text}`).join('\n    ')}`);
  if (kept !== '') console.log(`  kept ${kept}`);
}

function count({ server, calls, answered, states, crimes }) {
  const row = rows.get(server) ?? { ...empty };
  const number = (...kinds) => crimes.filter(({ kind }) => kinds.includes(kind)).length;
  row.traps += 1;
  row.calls += calls;
  row.answered += answered;
  row['not running'] += states.some((state) => state === 'ready' || state === 'indexing') ? 0 : 1;
  row.bad += crimes.length > 0 ? 1 : 0;
  row.executions += number('run', 'mark');
  row.connections += number('connection');
  row.writes += number('write', 'bytes');
  rows.set(server, row);
}

function report() {
  const all = [...rows.values()];
  const sum = (key) => all.reduce((total, row) => total + row[key], 0);
  const total = Object.fromEntries(Object.keys(empty).map((key) => [key, sum(key)]));
  console.table(Object.fromEntries([...[...rows].sort(), ['all', total]]));
  const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
  const ran = `${total.traps} of ${parts.combinations.length} combinations`;
  console.log(`${ran}, confined ${values.confine}, ${minutes} min`);
  process.exitCode = total.bad > 0 ? 1 : 0;
  if (total.bad > 0 || total.traps < parts.combinations.length || values.confine !== 'never') return;
  const seen = { combinations: total.traps, npm: parts.pinnedVersions(root), debian: parts.debianVersions() };
  const golden = path.join(root, 'test/campaigns/servers/versions.golden.json');
  writeFileSync(golden, `${JSON.stringify(seen, null, 2)}\n`);
}

/** Bundles the parts, since Node does not read TypeScript. */
async function loadParts() {
  // From there, the packages beside lspan are found as lspan finds them.
  const folder = mkdtempSync(path.join(root, 'dist/campaign-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const input = {
    combinations: path.join(root, 'test/campaigns/servers/combinations.ts'),
    run: path.join(root, 'test/campaigns/servers/run-combination.ts'),
    versions: path.join(root, 'test/campaigns/servers/versions.ts'),
    missing: path.join(root, 'test/missing-programs.ts'),
    traced: path.join(root, 'test/evil-repo/traced-runs.ts'),
  };
  const resolve = { mainFields: ['module', 'main'] };
  const bundle = await rolldown({ input, platform: 'node', external: /^node:/, resolve, tsconfig: false });
  const names = { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' };
  await bundle.write({ dir: folder, format: 'esm', ...names });
  await bundle.close();
  const loaded = await Promise.all(
    Object.keys(input).map((name) => import(path.join(folder, `${name}.mjs`))),
  );
  return Object.assign({}, ...loaded);
}
