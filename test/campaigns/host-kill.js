// Ends `lspan host` at random moments, in every way in which a host can, and looks for what is left: no process after 3 s,
// nothing that the next start does not clear, and files that are all as before an edit or all as after it.
//   node test/campaigns/host-kill.js [rounds, 50 unless given] [seed]   (after `npm run build`)
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { setTimeout as after } from 'node:timers/promises';
import { makeHostProject } from './host-project.js';
import { chance } from './lspan.js';

const [, , given = '50', seed = String(Date.now() % 1_000_000)] = process.argv;
const most = 3_000;
console.log(`seed ${seed}`);
const { below } = chance(Number(seed));

const names = Array.from({ length: 60 }, (_, index) => `f${index}.txt`);
const before = (name) => (name === 'f0.txt' ? 'function alpha\n' : 'alpha beta\n');
const pidFile = path.join(process.env.TMPDIR ?? '/tmp', `lspan-grandchild-${process.pid}`);
const grandchild = { on: { start: true }, do: [{ forkGrandchild: { pidFile } }] };
const project = await makeHostProject(Object.fromEntries(names.map((name) => [name, before(name)])), {
  rules: [grandchild],
});

/** How a round ends: what is done to the program around lspan, or to lspan itself. */
const endings = {
  'SIGKILL of the host program': ({ program }) => program.kill('SIGKILL'),
  'SIGKILL of lspan': ({ lspan }) => process.kill(lspan, 'SIGKILL'),
  'SIGTERM of lspan': ({ lspan }) => process.kill(lspan, 'SIGTERM'),
  'SIGINT of lspan': ({ lspan }) => process.kill(lspan, 'SIGINT'),
  'lsp/shutdown': ({ order }) => order('shutdown'),
  'stdin is closed': ({ order }) => order('stdin'),
  'stdout is closed': ({ order }) => order('stdout'),
  'descriptor 3 is closed': ({ order }) => order('input'),
  'descriptor 4 is closed': ({ order }) => order('output'),
};
const moments = ['started', 'ready', 'call', 'overlay', 'edit', 'back'];

const faults = [];
const table = {};
for (let round = 0; round < Number(given); round += 1) {
  const [ending, end] = Object.entries(endings)[round % Object.keys(endings).length];
  const moment = moments[below(moments.length)];
  const delay = below(moment === 'started' ? 600 : 120);
  const what = `${ending}, ${delay} ms after ${moment}`;
  const fault = (told) => faults.push(`round ${round}, ${what}: ${told}`);
  for (const name of names) writeFileSync(path.join(project.root, name), before(name));
  const program = startProgram();
  const lspan = await program.lspan;
  // The first edit may be in the second round of what it does.
  await program.said(moment);
  await after(delay);
  const alive = family(lspan);
  const began = performance.now();
  end({ program: program.child, lspan, order: program.order });
  const left = await goneWithin(alive);
  const took = performance.now() - began;
  program.child.kill('SIGKILL');
  if (left.length > 0)
    fault(`${left.length} processes are left after ${Math.round(took)} ms: ${left.join('; ')}`);
  const { rounds = 0, slowest = 0 } = table[ending] ?? {};
  table[ending] = { rounds: rounds + 1, slowest: Math.max(slowest, Math.round(took)) };
  await inspect(fault);
}
project.remove();
console.table(table);
for (const one of faults) console.log(one);
console.log(faults.length === 0 ? 'Nothing was left, and nothing half done.' : `${faults.length} faults.`);
process.exitCode = faults.length === 0 ? 0 : 1;

/** The program around lspan, in a process of its own. */
function startProgram() {
  const args = [
    path.join(import.meta.dirname, 'host-program.js'),
    project.bin,
    JSON.stringify(project.bootstrap),
  ];
  const child = spawn(process.execPath, args, { env: project.env, stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map();
  const heard = new Map();
  readline.createInterface({ input: child.stdout }).on('line', (line) => {
    const [word, value] = line.split(' ');
    heard.set(word, value);
    waiting.get(word)?.(value);
  });
  const said = (word) =>
    heard.has(word) ? Promise.resolve(heard.get(word)) : new Promise((resolve) => waiting.set(word, resolve));
  child.stdin.on('error', () => {});
  return {
    child,
    said,
    lspan: said('started').then(Number),
    order: (word) => child.stdin.write(`${word}\n`),
  };
}

/** A process and all that it and its children started, as `PID START NAME`. */
function family(pid) {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? statOf(Number(name)) : []));
  const found = all.filter((one) => one.pid === pid);
  for (const { pid: parent } of found) found.push(...all.filter((one) => one.parent === parent));
  // A process whose parent has gone is nobody's child.
  const own = existsSync(pidFile) ? statOf(Number(readFileSync(pidFile, 'utf8'))) : [];
  return new Set([...found, ...own].map(keyOf));
}

function keyOf({ pid, started, name }) {
  return `${pid} ${started} ${name}`;
}

function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'));
    return state === 'Z' ? [] : [{ pid, parent: Number(parent), started: rest[17], name }];
  } catch {
    return [];
  }
}

/** What of a family is still there when the time is up; who was started meanwhile is known by what it was started with. */
async function goneWithin(family) {
  const end = performance.now() + most;
  for (;;) {
    const own = existsSync(pidFile) ? statOf(Number(readFileSync(pidFile, 'utf8'))) : [];
    const known = [...family].flatMap((key) =>
      statOf(Number(key.split(' ')[0])).filter((one) => family.has(keyOf(one))),
    );
    const started = readdirSync('/proc').flatMap((name) => (servesProject(name) ? statOf(Number(name)) : []));
    const left = new Set([...own, ...known, ...started].map(keyOf));
    if (left.size === 0 || performance.now() > end) return [...left];
    await after(10);
  }
}

/** Whether a process is lspan or a server on this project, by its arguments or its environment. */
function servesProject(name) {
  if (!/^\d+$/.test(name) || Number(name) === process.pid) return false;
  try {
    const words = readFileSync(`/proc/${name}/cmdline`, 'utf8');
    if (words.includes('host-program.js')) return false;
    return words.includes(project.root.slice(0, -'project'.length));
  } catch {
    return false;
  }
}

/** The next start puts everything right: files are whole, an edit can be made and taken back, and nothing is left over. */
async function inspect(fault) {
  const host = project.start();
  await host.ready().catch((error) => fault(`the next start failed: ${error.message}: ${host.said()}`));
  const call = (tool, input) => host.rpc.request('lsp/call', { tool, arguments: input });
  const position = { file_path: 'f0.txt', line: 1, character: 10 };
  const told = await call('find_definition', position);
  if (told.error) fault(`find_definition: ${JSON.stringify(told.error)}`);
  const changed = names.filter((name) =>
    readFileSync(path.join(project.root, name), 'utf8').includes('omega'),
  );
  if (changed.length > 0 && changed.length < names.length)
    fault(`${changed.length} of ${names.length} files are changed`);
  const strangers = readdirSync(project.root).filter((name) => !names.includes(name));
  if (strangers.length > 0) fault(`in the project: ${strangers.join(', ')}`);
  const renamed = await call('rename_symbol', { ...position, new_name: 'sigma', dry_run: false });
  if (renamed.error) fault(`the next edit: ${JSON.stringify(renamed.error)}`);
  const { code } = await host.stop();
  if (code !== 0) fault(`the next end: ${code} ${host.said()}`);
  const temporary = readdirSync(project.temporary);
  if (temporary.length > 0) fault(`temporary files after process ${host.pid}: ${temporary.join(', ')}`);
  const edits = path.join(project.state, 'lspan/edits');
  const locks = readdirSync(path.join(edits, 'locks')).filter((name) => !name.endsWith('.free'));
  if (locks.length > 0) fault(`locks: ${locks.join(', ')}`);
  // A record that was being written is cleared when nobody can be writing it any more.
  const unfinished = readdirSync(edits).filter((name) => !/^locks$|\.(done|waste|new)$/.test(name));
  if (unfinished.length > 0) fault(`records of edits: ${unfinished.join(', ')}`);
}
