// A newcomer: another user with an empty home and a fresh clone runs every command of the README's quick start as it is
// written there, and the time of each is taken. As root it is the user `nobody`; else the present one with an empty home.
//   node test/campaigns/newcomer.js [--tests] [--write]
// It clones what is committed. The contributors' command, which installs 920 MB and runs all tests, needs --tests.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { tableText, writeTable } from '../../bench/report.js';

const { values } = parseArgs({ options: { tests: { type: 'boolean' }, write: { type: 'boolean' } } });
const root = path.resolve(import.meta.dirname, '../..');
const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-newcomer-')));
const home = path.join(folder, 'home');
const clone = path.join(home, 'lspan');
const isRoot = process.getuid?.() === 0;
const longest = 3_600_000;

/** What a login gives, and the machine's own certificates, without which npm may not reach its registry. */
const env = {
  PATH: [path.join(home, '.local/bin'), '/usr/local/bin', '/usr/bin', '/bin'].join(path.delimiter),
  ...{ HOME: home, LANG: 'C.UTF-8', TERM: 'dumb' },
  ...(process.env.NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS }),
};

/** What a command must print to have worked; of the others, the exit code tells. */
const printed = [
  ['call find_references', '5 references in 3 files'],
  // Nothing but lspan is installed: it has to say so, and how to go on, which is done next.
  ['lspan setup', 'No agent was found on this machine. Name one', 'it says that there is no agent'],
  ['lspan doctor', 'Everything works'],
];
/** What the output of the set-up, and the README after it, say to do next. */
const afterwards = [
  'lspan setup --list',
  'lspan setup claude-code codex --yes',
  'lspan doctor --workspace demo',
];

try {
  makeHome();
  const rows = [];
  for (const command of quickStart()) rows.push(...(await followed(command)));
  const head = ['command', 'time', 'worked'];
  console.log(tableText(head, rows));
  if (values.write)
    writeTable({ title: 'A newcomer', head, rows }, 'node test/campaigns/newcomer.js --write');
  if (rows.some(([, , worked]) => worked === 'no')) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function makeHome() {
  chmodSync(folder, 0o755);
  mkdirSync(home);
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, clone]);
  if (isRoot) execFileSync('chown', ['-R', 'nobody', home]);
}

/** The commands of the first screen and of the set-up, in the order of the README, then those that follow from what they print. */
function quickStart() {
  const text = readFileSync(path.join(clone, 'README.md'), 'utf8');
  const [first, ...sections] = text.split(/^## /m);
  const setUp = sections.find((section) => section.startsWith('Set-up for an agent'));
  const blocks = [first, setUp].flatMap((part) => [...part.matchAll(/^```sh\n(.*?)^```$/gms)]);
  const commands = blocks.flatMap(([, block]) => block.trim().split('\n'));
  const wanted = commands.filter((command) => values.tests || !command.includes('npm test'));
  return [...wanted, ...afterwards];
}

/** Runs a command; where npm may not write to its global folder, the README's other way follows. */
async function followed(command) {
  const first = await run(command);
  if (!command.includes('--global') || first.worked === 'yes') return [rowOf(command, first)];
  const other = command.replace('--global', '--global --prefix ~/.local');
  const refused = /EACCES|permission denied/i.test(first.told) ? 'refused: npm may not write there' : 'no';
  return [rowOf(command, { ...first, worked: refused }), rowOf(other, await run(other))];
}

function rowOf(command, { time, worked, told }) {
  if (worked === 'no') console.error(told);
  return [`\`${command}\``, `${(time / 1000).toFixed(1)} s`, worked];
}

/** A command of the set-up with words after it is another one. */
function isOf(command, part) {
  return part === 'lspan setup' ? command === part : command.includes(part);
}

function run(command) {
  const begun = performance.now();
  const asNewcomer = ['--reuid=nobody', '--regid=nogroup', '--clear-groups', '/bin/sh', '-c', command];
  const [program, ...args] = isRoot ? ['setpriv', ...asNewcomer] : ['/bin/sh', '-c', command];
  const child = spawn(program, args, {
    cwd: clone,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: longest,
  });
  let told = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      told += text;
    });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      const [, wanted, verdict = 'yes'] = printed.find(([part]) => isOf(command, part)) ?? [];
      const worked = (wanted === undefined ? code === 0 : told.includes(wanted)) ? verdict : 'no';
      resolve({ time: performance.now() - begun, worked, told });
    });
  });
}
