// Kills the daemon and its clients at random moments, while several clients read and one renames over and over, and
// checks after each round that every answer was right or said what became of it, that the files are whole, and that no
// process is left.
//   node test/campaigns/daemon-kill.js [--rounds 1000] [--seed N]   (after `npm run build`)
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { daemonProcesses, daemonStatus, stillThere, stopDaemon } from '../../bench/daemon-life.js';
import { startMcpClient } from '../../bench/mcp-client.js';
import { chance as chanceOf, writeFiles } from './lspan.js';

const { values } = parseArgs({ options: { rounds: { type: 'string' }, seed: { type: 'string' } } });
const rounds = Number(values.rounds ?? 1_000);
const seed = Number(values.seed ?? Date.now() % 1e6);
const bin = path.resolve(import.meta.dirname, '../../dist/bin.js');
const chance = chanceOf(seed);

// The path of a socket is short.
const folder = realpathSync(mkdtempSync('/tmp/ldk-'));
const project = path.join(folder, 'p');
const env = {
  ...process.env,
  ...{ XDG_STATE_HOME: path.join(folder, 's'), XDG_CONFIG_HOME: path.join(folder, 'c') },
  XDG_CACHE_HOME: path.join(folder, 'k'),
};
const place = { bin, env };
const files = 12;
const tally = new Map();
const faults = [];

console.log(`seed ${seed}, ${rounds} rounds`);
mkdirSync(project);
writeFiles(project, {
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "module": "nodenext" }, "include": ["src"] }\n',
  'package.json': '{ "type": "module" }\n',
  'src/shared.ts': 'export function name0(value: number): number {\n  return value;\n}\n',
  ...Object.fromEntries(
    Array.from({ length: files }, (_, index) => [
      `src/use-${index}.ts`,
      `import { name0 } from './shared.js';\n\nexport const used${index} = name0(${index});\n`,
    ]),
  ),
});

let name = 'name0';
for (let round = 1; round <= rounds; round += 1) await play(round);
expectNone('the end', await stopDaemon(place));
rmSync(folder, { recursive: true, force: true });
console.log([...tally].map(([what, count]) => `${what}: ${count}`).join(', '));
for (const fault of faults) console.log(`FAULT ${fault}`);
console.log(`${rounds} rounds, ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;

async function play(round) {
  const writer = await start();
  const readers = await Promise.all([start(), start()]);
  const before = daemonProcesses(place);
  const victim = chance.below(10) < 7 ? 'daemon' : 'client';
  const next = `name${round}`;
  const renaming = writer
    .outcome('rename_symbol', {
      file_path: 'src/shared.ts',
      symbol_name: name,
      new_name: next,
      dry_run: false,
    })
    .catch(() => ({ error: 'client_gone' }));
  const reading = readers.map((reader) =>
    reader.outcome('get_document_symbols', { file_path: 'src/use-3.ts' }),
  );
  await pause(chance.below(chance.pick([30, 300])));
  const killed = victim === 'daemon' ? before[0] : writer.pid;
  if (killed !== undefined) kill(killed);
  const [told, ...read] = await Promise.all([renaming, ...reading]);
  for (const answer of read)
    note(answer.error ? `read ${answer.error}` : 'read', answer.error && `round ${round}: ${answer.message}`);
  if (told.error === 'client_gone') await calm();
  judge(round, told, next);
  if (victim === 'daemon' && killed !== undefined)
    expectNone(`round ${round}`, await stillThere(() => before, 10_000));
  const left = [writer, ...readers].filter(({ pid }) => pid !== killed);
  await Promise.all(left.map((client) => client.stop()));
}

/** Either all files have the new name or all have the old one, as was told. */
function judge(round, { error, message }, next) {
  const texts = [...Array.from({ length: files }, (_, index) => `src/use-${index}.ts`), 'src/shared.ts'].map(
    (file) => readFileSync(path.join(project, file), 'utf8'),
  );
  const has = (one) => texts.filter((text) => new RegExp(`\\b${one}\\b`).test(text)).length;
  const [old, fresh] = [has(name), has(next)];
  const state =
    fresh === texts.length && old === 0 ? 'new' : old === texts.length && fresh === 0 ? 'old' : 'mixed';
  const expected = { undefined: 'new', already_applied: 'new', server_crashed: 'old' }[String(error)];
  const isTold = error === 'client_gone' || expected === state;
  note(
    `rename ${error ?? 'answered'}, files ${state}`,
    (state === 'mixed' || !isTold) && `round ${round}: ${error} (${message}), files ${state}`,
  );
  if (state === 'new') name = next;
}

/** Any call ends what was left half done; what a client had begun ends in its own time. */
async function calm() {
  spawnSync(
    process.execPath,
    [bin, 'call', 'get_document_symbols', '{"file_path": "src/shared.ts"}', '--daemon'],
    {
      ...{ cwd: project, env },
    },
  );
  while (daemonStatus(place).some(({ workspaces }) => workspaces.some(({ calls }) => calls > 0)))
    await pause(20);
}

function note(what, fault) {
  tally.set(what, (tally.get(what) ?? 0) + 1);
  if (fault) faults.push(fault);
}

async function start() {
  const client = startMcpClient({
    bin,
    args: ['mcp', '--workspace', project, '--daemon'],
    cwd: project,
    env,
  });
  await client.initialize();
  await client.outcome('get_document_symbols', { file_path: 'src/shared.ts' });
  return client;
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

function expectNone(where, pids) {
  if (pids.length > 0) faults.push(`${where}: ${pids.join(', ')} left`);
}
