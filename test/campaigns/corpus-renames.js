// Renames random exported symbols of real code of others, applied, and undoes each: the code has the same problems as
// before and its tests end as before, by compilers that are not lspan, and after the undo it has the same bytes; or the rename
// is refused with a reason.
//   node test/campaigns/corpus-renames.js [NAME…] [--renames 100] [--states fetched,split] [--seed N] [--daemon]
// (after `npm run build`)
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { compiled } from './corpus/compiled.js';
import { entries } from './corpus/entries.js';
import { RawOracle } from './corpus/raw-oracle.js';
import { startOn } from './corpus/start-on.js';
import { makeState, statesOf } from './corpus/states.js';
import { TypeScriptOracle } from './corpus/typescript-oracle.js';
import { chance as chanceOf, daemonOption, Tally } from './lspan.js';
import { cache } from './pinned.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    renames: { type: 'string', default: '100' },
    states: { type: 'string', default: 'fetched,split' },
    seed: { type: 'string' },
    ...daemonOption,
  },
});
const seed = Number(values.seed ?? Date.now() % 1e6);

const chosen = entries
  .filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  .flatMap((entry) =>
    values.states
      .split(',')
      .filter((state) => statesOf[entry.language].includes(state))
      .map((state) => ({ entry, state })),
  );
const each = Math.ceil(Number(values.renames) / chosen.length);
const tally = new Tally('renames');
console.log(`seed ${seed}, ${each} renames in each of ${chosen.length} states of packages`);
for (const { entry, state } of chosen) await play(entry, state);
console.log(`${tally}`);
if (tally.of('breaks') + tally.of('undo differs') + tally.of('error') > 0) process.exitCode = 1;

async function play(entry, state) {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-corpus-')));
  const made = await makeState(entry, state, folder, cache);
  const chance = chanceOf(seed);
  const symbols = await exportedSymbols(entry, made);
  const lspan = await startOn(made, path.join(folder, 'own'), values);
  const before = await compiled(entry.language, made);
  for (let count = 0; count < each && symbols.length > 0; count += 1) {
    const [symbol] = symbols.splice(chance.below(symbols.length), 1);
    const verdict = await rename(lspan, entry, made, symbol, before);
    tally.count(verdict);
    if (verdict !== 'the same')
      console.log(`${entry.name} ${state}: ${symbol.name} (${symbol.file}:${symbol.line}): ${verdict}`);
  }
  console.log(`${entry.name} ${state}: done (${tally})`);
  await lspan.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function exportedSymbols({ language }, made) {
  const isCompiled = language === 'typescript' || language === 'javascript';
  const oracle = isCompiled ? new TypeScriptOracle(made) : await RawOracle.start(language, made);
  const symbols = oracle.symbols().filter(({ exported }) => exported);
  await oracle.stop();
  return symbols;
}

async function rename(lspan, { language }, made, { name, file, line, character }, before) {
  const bytes = bytesOf(made.project);
  const at = { file_path: file, line, character, new_name: `${name}${endingFor(name)}`, dry_run: false };
  const answer = await lspan.outcome('rename_symbol', at);
  if (answer.error) {
    console.log(`  ${answer.message.slice(0, 300)}`);
    return bytesOf(made.project) === bytes ? `refused: ${answer.error}` : 'error';
  }
  const after = withOldName(await compiled(language, made), at.new_name, name);
  const undone = await lspan.outcome('undo_edit', {});
  if (undone.error || bytesOf(made.project) !== bytes) return 'undo differs';
  if (after === before) return 'the same';
  const told = (text, other) =>
    text
      .split('\n')
      .filter((one) => !other.split('\n').includes(one))
      .slice(0, 5);
  console.log(`  now: ${told(after, before).join('; ')}\n  before: ${told(before, after).join('; ')}`);
  return 'breaks';
}

/** A test that was renamed itself is told by its new name. */
function withOldName(told, newName, name) {
  return told.replaceAll(newName, name).split('\n').sort().join('\n');
}

/** A name of the same form: compilers of some languages warn of others. */
function endingFor(name) {
  if (name === name.toUpperCase()) return '_ZQ';
  return name === name.toLowerCase() ? '_zq' : 'Zq';
}

function bytesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && !one.parentPath.includes('node_modules'))
    .map((one) => path.join(one.parentPath, one.name))
    .sort()
    .map((file) => `${file}\0${readFileSync(file, 'latin1')}`)
    .join('\0');
}
