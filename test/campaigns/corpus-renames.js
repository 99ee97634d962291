// Renames random exported symbols of real code of others, applied, and undoes each: the code has the same problems as
// before, by a compiler that is not lspan, and after the undo the same bytes; or the rename is refused with a reason.
//   node test/campaigns/corpus-renames.js [NAME…] [--renames 100] [--seed N] [--daemon]   (after `npm run build`)
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { entries } from './corpus/entries.js';
import { RawOracle } from './corpus/raw-oracle.js';
import { makeState } from './corpus/states.js';
import { TypeScriptOracle } from './corpus/typescript-oracle.js';
import { chance as chanceOf, connectLspan, daemonOption, ownHome, Tally } from './lspan.js';
import { cache, run } from './pinned.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { renames: { type: 'string', default: '100' }, seed: { type: 'string' }, ...daemonOption },
});
const seed = Number(values.seed ?? Date.now() % 1e6);
const pyright = path.resolve(import.meta.dirname, '../../node_modules/pyright/index.js');

const chosen = entries.filter(
  ({ name, language }) =>
    (language === 'typescript' || language === 'python') &&
    (positionals.length === 0 || positionals.includes(name)),
);
const each = Math.ceil(Number(values.renames) / chosen.length);
const tally = new Tally('renames');
console.log(`seed ${seed}, ${each} renames in each of ${chosen.length} packages`);
for (const entry of chosen) await play(entry);
console.log(`${tally}`);
if (tally.of('breaks') + tally.of('undo differs') + tally.of('error') > 0) process.exitCode = 1;

async function play(entry) {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-corpus-')));
  const made = await makeState(entry, 'fetched', folder, cache);
  const chance = chanceOf(seed);
  const symbols = await exportedSymbols(entry, made);
  const env = { ...ownHome(path.join(folder, 'own')).env, ...made.env };
  const lspan = await connectLspan({ project: made.project, env, daemon: values.daemon });
  const before = await problemsOf(entry, made);
  for (let count = 0; count < each && symbols.length > 0; count += 1) {
    const [symbol] = symbols.splice(chance.below(symbols.length), 1);
    const verdict = await rename(lspan, entry, made, symbol, before);
    tally.count(verdict);
    if (verdict !== 'same problems')
      console.log(`${entry.name}: ${symbol.name} (${symbol.file}:${symbol.line}): ${verdict}`);
  }
  await lspan.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function exportedSymbols({ language }, made) {
  const oracle =
    language === 'typescript' ? new TypeScriptOracle(made) : await RawOracle.start(language, made);
  const symbols = oracle.symbols().filter(({ exported }) => exported);
  await oracle.stop();
  return symbols;
}

async function rename(lspan, entry, made, { name, file, line, character }, before) {
  const bytes = bytesOf(made.project);
  const at = { file_path: file, line, character, new_name: `${name}Zq`, dry_run: false };
  const answer = await lspan.outcome('rename_symbol', at);
  if (answer.error) return bytesOf(made.project) === bytes ? `refused: ${answer.error}` : 'error';
  const isSame = (await problemsOf(entry, made)) === before;
  const undone = await lspan.outcome('undo_edit', {});
  if (undone.error || bytesOf(made.project) !== bytes) return 'undo differs';
  return isSame ? 'same problems' : 'breaks';
}

/** How many problems of each kind there are; their texts may name what was renamed. */
async function problemsOf({ language }, { project, env }) {
  if (language === 'typescript') {
    const oracle = new TypeScriptOracle({ resolved: project });
    const codes = oracle.problems();
    await oracle.stop();
    return codes.sort().join();
  }
  const { printed } = await run(process.execPath, [pyright, '--outputjson', project], {
    mayFail: true,
    env: { ...process.env, ...env },
  });
  const problems = JSON.parse(printed).generalDiagnostics;
  return problems
    .map(({ file, rule, severity }) => `${path.relative(project, file)} ${severity} ${rule}`)
    .sort()
    .join();
}

function bytesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && !one.parentPath.includes('node_modules'))
    .map((one) => path.join(one.parentPath, one.name))
    .sort()
    .map((file) => `${file}\0${readFileSync(file, 'latin1')}`)
    .join('\0');
}
