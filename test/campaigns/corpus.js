// Asks lspan about real code of others, in states in which a fresh clone is, and compares each answer with oracles that
// are not lspan. No complete answer may lack a place; few whole answers may be doubted.
//   npm run campaign:corpus -- [NAME…] [--symbols 30] [--states fetched,bare,split] [--orders 3] [--seed N] [--daemon]
//   npm run campaign:corpus -- --repository FOLDER --language typescript|javascript|python|go|rust|c [--symbols 30] [--orders 3] [--seed N]
// What it fetches goes to the folder `lspan-campaigns` under $XDG_CACHE_HOME or ~/.cache.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { entries } from './corpus/entries.js';
import { judgeError, questionsAbout } from './corpus/judge.js';
import { RawOracle } from './corpus/raw-oracle.js';
import { startOn } from './corpus/start-on.js';
import { copyRepository, makeState, statesOf } from './corpus/states.js';
import { TypeScriptOracle } from './corpus/typescript-oracle.js';
import { chance as chanceOf, daemonOption } from './lspan.js';
import { cache } from './pinned.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    symbols: { type: 'string', default: '30' },
    states: { type: 'string' },
    orders: { type: 'string', default: '3' },
    seed: { type: 'string' },
    repository: { type: 'string' },
    language: { type: 'string' },
    keep: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    ...daemonOption,
  },
});
const seed = Number(values.seed ?? Date.now() % 1e6);

const total = new Map();

function of(verdict) {
  return total.get(verdict) ?? 0;
}

async function play(entry, state) {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-corpus-')));
  const made = values.repository
    ? await copyRepository(values.repository, folder, entry.language)
    : await makeState(entry, state, folder, cache);
  const chance = chanceOf(seed);
  const questions = await questionsOf(entry, made, chance);
  const round = new Round(`${entry.name} ${state}`);
  const begun = performance.now();
  for (let order = 1; order <= Number(values.orders); order += 1) {
    const lspan = await startOn(made, path.join(folder, `own-${order}`), values);
    for (const question of shuffled(questions, chance)) round.take(question, await question.ask(lspan));
    await lspan.stop();
  }
  if (values.keep) console.log(`kept ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
  report(round.name, round.counts, ` (${((performance.now() - begun) / 1000).toFixed(0)} s)`);
}

async function questionsOf({ language }, made, chance) {
  const isCompiled = language === 'typescript' || language === 'javascript';
  const oracle = isCompiled ? new TypeScriptOracle(made) : await RawOracle.start(language, made);
  const questions = [];
  for (const symbol of shuffled(oracle.symbols(), chance).slice(0, Number(values.symbols)))
    questions.push(...(await questionsAbout(symbol, oracle, chance)));
  await oracle.stop();
  return questions;
}

/** The answers about one project: the first to a question is judged, the others must be the same bytes. */
class Round {
  counts = new Map();
  #seen = new Map();

  constructor(name) {
    this.name = name;
  }

  take(question, answer) {
    const bytes = JSON.stringify(answer);
    const before = this.#seen.get(question);
    if (before === bytes) return;
    if (before !== undefined) {
      this.#count('differs');
      this.#tell(question, `differs\n  ${difference(JSON.parse(before), answer)}`);
      return;
    }
    this.#seen.set(question, bytes);
    const { verdict, why = '' } = answer.error ? judgeError(answer) : question.judge(answer);
    this.#count(verdict);
    if (verdict === 'right' || (verdict === 'honest' && !values.verbose)) return;
    this.#tell(question, `${verdict}: ${why.slice(0, 600)}`);
  }

  #tell({ title }, what) {
    console.log(`${this.name}: ${title}: ${what}`);
  }

  #count(verdict) {
    for (const table of [this.counts, total]) table.set(verdict, (table.get(verdict) ?? 0) + 1);
  }
}

/** Says what only one of two answers has, since most of both is the same. */
function difference(before, now) {
  const only = (one, other) =>
    Object.entries(one).flatMap(([field, value]) => {
      if (JSON.stringify(value) === JSON.stringify(other[field])) return [];
      const has = new Set(
        Array.isArray(other[field]) ? other[field].map((each) => JSON.stringify(each)) : [],
      );
      const own = Array.isArray(value) ? value.filter((each) => !has.has(JSON.stringify(each))) : value;
      return [`${field} ${JSON.stringify(own).slice(0, 600)}`];
    });
  return `before ${only(before, now).join(', ')}\n  now    ${only(now, before).join(', ')}`;
}

function shuffled(list, chance) {
  const rest = [...list];
  for (let index = rest.length - 1; index > 0; index -= 1) {
    const other = chance.below(index + 1);
    [rest[index], rest[other]] = [rest[other], rest[index]];
  }
  return rest;
}

function report(name, counts, more = '') {
  const list = [...counts].map(([verdict, number]) => `${number} ${verdict}`);
  console.log(`${name}: ${list.join(', ')}${more}`);
}

console.log(`seed ${seed}, ${values.symbols} symbols of each package in each state, ${values.orders} orders`);
if (values.repository)
  await play({ name: path.basename(values.repository), language: values.language }, 'clone');
for (const entry of values.repository ? [] : entries) {
  if (positionals.length > 0 && !positionals.includes(entry.name) && !positionals.includes(entry.language))
    continue;
  for (const state of statesOf[entry.language]) {
    if (values.states === undefined || values.states.split(',').includes(state)) await play(entry, state);
  }
}
report('all', total);
const whole = of('right') + of('doubted');
console.log(`doubted of whole answers: ${((100 * of('doubted')) / whole).toFixed(1)} %`);
if (of('silently wrong') + of('extra') + of('differs') + of('error') > 0 || of('doubted') > 0.03 * whole)
  process.exitCode = 1;
