// lspan beside other programs that give an agent what language servers know: the same questions about the same projects.
//   node bench/peers.js [lspan] [cclsp] [Claude\ Code] [opencode] [--write]
// It installs the others at exact versions, into the folder of the campaigns. An answer is right if it has exactly the places
// that the compiler's own API finds with every file loaded.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { agentPeers } from './peers/agent-peers.js';
import { mcpPeers } from './peers/mcp-peers.js';
import { leftAfterKill, memoryOfAll } from './peers/processes.js';
import { changeFiles, countErrors, knownPlaces, placeOf, projects } from './peers/projects.js';
import { tableText, writeTable } from './report.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean' } },
});
const peers = [...mcpPeers, ...agentPeers].filter(
  ({ name }) => positionals.length === 0 || positionals.includes(name),
);
/** Long enough for each of these servers to load each of these projects. */
const settling = 30_000;
const afterKill = 5_000;
const none = '–';
/** An edit that causes an error where it is made, and one that causes errors in two files that it does not touch. */
const within = { file: 'src/price.ts', from: 'currency: a.currency', to: 'currency: 5' };
const breaking = { file: 'src/price.ts', from: 'readonly amount: number', to: 'readonly amount: string' };
const wait = { act: () => new Promise((resolve) => setTimeout(resolve, settling)) };

const later = `the same, ${settling / 1000} s later`;

/** What is measured of each, in the order of the rows; each gives a cell. */
const questions = [
  ...['small', 'real'].flatMap((name) => [
    [`${projects[name].title}: uses of a function, cold`, (peer) => references(peer, name, 'cold')],
    [later, (peer) => references(peer, name, 'later')],
    ['the same, after another program changed files', (peer) => references(peer, name, 'changed')],
  ]),
  [`${projects.monorepo.title}: uses in all packages, cold`, (peer) => references(peer, 'monorepo', 'cold')],
  [later, (peer) => references(peer, 'monorepo', 'later')],
  ['a rename over all files of the real project, warm', renamed],
  ['problems of a file, after another program changed a type that it uses', problems],
  ["told unasked, after the agent's own edit, of an error in the file", (peer) => told(peer, 'edit', within)],
  ['the same, of an error in another file', (peer) => told(peer, 'edit', breaking)],
  ["the same, after an edit by the agent's shell", (peer) => told(peer, 'shell', breaking)],
  [`processes left ${afterKill / 1000} s after kill -9 of the client`, survivors],
  ['tokens of the answer with 18 places', (peer) => references(peer, 'real', 'tokens')],
  ['tokens of the list of tools', offered],
  ['memory with the real project, servers included', (peer) => references(peer, 'real', 'memory')],
];

const conversations = new Map();
const cells = [];
for (const peer of peers) {
  const column = [];
  for (const [what, measure] of questions) {
    column.push(await measure(peer));
    console.error(`${peer.name}: ${what}: ${column.at(-1)}`);
  }
  cells.push(column);
}
const head = [
  'what',
  ...peers.map(({ name, version }) => (version === 'this' ? name : `${name} ${version}`)),
];
const rows = questions.map(([what], index) => [what, ...cells.map((column) => column[index])]);
console.log(tableText(head, rows));
if (values.write) writeTable({ title: 'Beside other programs', head, rows }, 'node bench/peers.js --write');

/** One conversation about a project answers several rows. */
async function references(peer, name, row) {
  const key = `${peer.name} ${name}`;
  if (!conversations.has(key)) conversations.set(key, await asked(peer, projects[name]));
  return conversations.get(key)[row];
}

async function asked(peer, project) {
  return inCopy(project, async (place) => {
    const ask = question(place.folder, project);
    const known = knownPlaces(place.folder, project);
    let memory;
    const measureMemory = {
      act: (pid) => {
        memory = memoryOfAll(pid);
      },
    };
    const change = { act: () => changeFiles(place.folder, project) };
    const more = project.added ? [measureMemory, change, ask] : [];
    const [cold, later, changed] = await peer.converse(place, [ask, wait, ask, ...more]);
    return {
      cold: `${judged(cold, known)}, ${(cold.time / 1000).toFixed(1)} s`,
      later: judged(later, known),
      changed: changed && judged(changed, knownPlaces(place.folder, project)),
      tokens: String(countTokens(JSON.stringify(later.text))),
      memory: memory && `${Math.round(memory / 1024 ** 2)} MB`,
    };
  });
}

/** How many of the places were found, whether others were named, and whether the answer said that something may be missing. */
function judged({ places, text }, known) {
  const right = places.filter((place) => known.includes(place));
  const wrong = places.length - right.length;
  const found = `${right.length} of ${known.length}${wrong > 0 ? `, ${wrong} wrong` : ''}`;
  if (right.length === known.length && wrong === 0) return `right (${found})`;
  return `${/may be incomplete|doubt/i.test(text) ? 'in doubt' : 'wrong, not said'} (${found})`;
}

async function renamed(peer) {
  const project = projects.real;
  if (!peer.rename) return 'no such tool';
  return inCopy(project, async (place) => {
    const before = countErrors(place.folder);
    const files = new Set(knownPlaces(place.folder, project).map((one) => one.split(':')[0]));
    const ask = question(place.folder, project);
    const [, answer] = await peer.converse(place, [
      ask,
      wait,
      { ...ask, ask: 'rename', newName: project.newName },
    ]);
    const changed = [...files].filter((file) => {
      const text = readFileSync(path.join(place.folder, file), 'utf8');
      return text.includes(project.newName) && !new RegExp(`\\b${project.symbol}\\(`).test(text);
    });
    const errors = countErrors(place.folder) - before;
    return `${answer.isError ? 'refused' : errors === 0 && changed.length === files.size ? 'right' : 'wrong'} (${changed.length} of ${files.size} files, ${errors} new errors)`;
  });
}

async function problems(peer) {
  if (!peer.problems) return 'no such tool';
  return inCopy(projects.small, async (place) => {
    const ask = { ask: 'problems', file: 'src/cart.ts' };
    const change = {
      act() {
        const file = path.join(place.folder, breaking.file);
        writeFileSync(file, readFileSync(file, 'utf8').replace(breaking.from, breaking.to));
      },
    };
    const [, answer] = await peer.converse(place, [ask, wait, change, ask]);
    return answer.text.includes('is not assignable') ? 'told' : 'not told';
  });
}

/** Whether what the model sees in the turns after an edit has the error that the edit caused. */
async function told(peer, by, edit) {
  if (peer.name === 'lspan') return 'told, by its hooks (`npm run agents`)';
  if (!peer[by]) return 'only if asked';
  return inCopy(projects.small, async (place) => {
    const { file, from, to } = edit;
    const command = `sed -i 's/${from}/${to}/' ${file}`;
    const ask = question(place.folder, projects.small);
    const steps = [{ ask: 'read', file }, ask, wait, { ask: by, file, from, to, command }, wait, ask];
    const answers = await peer.converse(place, steps);
    const request = answers.at(-1)?.request ?? '';
    return request.includes('is not assignable') ? 'told' : 'not told';
  });
}

async function survivors(peer) {
  return inCopy(projects.small, async (place) => {
    const ask = question(place.folder, projects.small);
    let left;
    if (agentPeers.includes(peer)) {
      const kill = {
        act: async (pid) => {
          left = await leftAfterKill(pid, afterKill);
        },
      };
      await peer.converse(place, [ask, kill]);
    } else {
      const args = [
        path.join(import.meta.dirname, 'peers/client.js'),
        peer.name,
        place.folder,
        JSON.stringify(ask),
      ];
      const client = spawn(process.execPath, args, { env: place.env, stdio: ['ignore', 'pipe', 'inherit'] });
      await once(client.stdout, 'data');
      left = await leftAfterKill(client.pid, afterKill);
    }
    return left.length === 0 ? 'none' : `${left.length} (${[...new Set(left)].join(', ')})`;
  });
}

async function offered(peer) {
  if (!peer.offer) return none;
  return inCopy(projects.small, async (place) => String(countTokens(await peer.offer(place))));
}

function question(folder, project) {
  return { ask: 'references', symbol: project.symbol, file: project.file, ...placeOf(folder, project) };
}

/** A copy of a project in the home of a user of whom nothing is known. */
async function inCopy(project, work) {
  const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-peers-')));
  try {
    const folder = path.join(home, 'project');
    mkdirSync(folder);
    await project.make(folder);
    return await work({ folder, env: { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8' } });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
