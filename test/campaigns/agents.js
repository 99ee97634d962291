// Real agents two at a time, over stdio and through one daemon, on one workspace and on two worktrees: each calls a tool
// that a model which is none asks for. Each must show its model a true answer, and what one changes the other sees.
//   node test/campaigns/agents.js [--only codex] [--no-daemon]   (after `npm run build`)
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { agents, runAgent } from './clients/agents.js';
import { startMockModel } from './clients/mock-models.js';

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, 'no-daemon': { type: 'boolean', default: false } },
});
const root = path.resolve(import.meta.dirname, '../..');
const bin = path.join(root, 'dist/bin.js');
// The path of a socket is short.
const folder = realpathSync(mkdtempSync('/tmp/lag-'));
const home = path.join(folder, 'h');
const own = { HOME: home, XDG_STATE_HOME: path.join(folder, 's'), PATH: process.env.PATH };
const flag = values['no-daemon'] ? '--no-daemon' : '--daemon';
const definition = {
  tool: 'find_definition',
  args: { symbol_name: 'Price', file_path: 'src/receipt.ts' },
  truth: /src\/price\.ts[\s\S]*(1:18|line\W+1\b)/,
};
const rename = {
  tool: 'rename_symbol',
  args: { symbol_name: 'addPrices', file_path: 'src/price.ts', new_name: 'sumPrices', dry_run: false },
  truth: /Done: rename|"applied": ?true|\\"applied\\": ?true/,
};

const back = {
  ...rename,
  args: { ...rename.args, symbol_name: 'sumPrices', new_name: 'addPrices' },
};

const gitEnvironment = {
  ...own,
  ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.org' },
  ...{ GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.org' },
};

mkdirSync(home);
const chosen = agents.filter(({ name }) => name.includes(values.only));
try {
  for (let index = 0; index < chosen.length; index += 2)
    await playPair(chosen.slice(index, index + 2), index);
} finally {
  spawnSync(process.execPath, [bin, 'stop'], { env: own });
  rmSync(folder, { recursive: true, force: true });
}

async function playPair(pair, number) {
  const project = path.join(folder, `p${number}`);
  cpSync(path.join(root, 'demo'), project, { recursive: true });
  const git = (...args) => spawnSync('git', args, { cwd: project, env: gitEnvironment });
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-qm', 'all'],
  ])
    git(...args);
  const tree = path.join(folder, `t${number}`);
  git('worktree', 'add', '-q', '--detach', tree);
  const names = pair.map(({ name, version }) => `${name}@${version}`).join(' and ');
  await playTogether(
    `${names} on one workspace, both read`,
    pair,
    [project, project],
    [definition, definition],
  );
  await playTogether(
    `${names} on one workspace, one renames`,
    pair,
    [project, project],
    [rename, definition],
  );
  judgeFiles(`${names}: the rename is whole`, project);
  await playTogether(`${names} on two worktrees, both rename`, pair, [project, tree], [back, rename]);
  judgeFiles(`${names}: the worktree has its own rename`, tree);
  judgeFiles(`${names}: and the workspace its own`, project, 'addPrices');
  if (!values['no-daemon']) judge(`${names}: one daemon`, daemons() === 1, `${daemons()} daemons`);
}

async function playTogether(title, pair, folders, questions) {
  const seen = await Promise.all(pair.map((agent, index) => play(agent, folders[index], questions[index])));
  for (const [index, { failed, shown = [] }] of seen.entries()) {
    const last = shown.at(-1) ?? '';
    const isTrue = failed === undefined && questions[index].truth.test(last);
    judge(`${title}: ${pair[index].name}`, isTrue, failed ?? last.slice(0, 600));
  }
}

async function play(agent, cwd, question) {
  const model = await startMockModel(question);
  const ownHome = realpathSync(mkdtempSync(path.join(folder, 'a')));
  const stdio = {
    program: process.execPath,
    args: [bin, 'mcp', flag, '--workspace', cwd, '--toolset', 'all'],
    env: own,
  };
  const env = { PATH: process.env.PATH, TERM: 'dumb', HOME: ownHome };
  const asked = runAgent(agent, { stdio, env, cwd, home: ownHome, model });
  const seen = await asked.catch((error) => ({ failed: error.message }));
  await model.close();
  return seen;
}

function judgeFiles(title, project, name = 'sumPrices') {
  const texts = ['src/price.ts', 'src/receipt.ts', 'src/cart.ts'].map((file) =>
    readFileSync(path.join(project, file), 'utf8'),
  );
  const other = name === 'sumPrices' ? 'addPrices' : 'sumPrices';
  judge(
    title,
    texts.every((text) => text.includes(name)) && !texts.some((text) => text.includes(other)),
    texts.join('\n'),
  );
}

function daemons() {
  const { stdout } = spawnSync(process.execPath, [bin, 'status', '--json'], { env: own, encoding: 'utf8' });
  return JSON.parse(stdout).daemons.length;
}

function judge(title, isRight, why) {
  console.log(`${isRight ? 'ok   ' : 'WRONG'} ${title}`);
  if (isRight) return;
  process.exitCode = 1;
  console.log(`    ${why}`);
}
