// Real agents two at a time, over stdio and through one daemon, on one workspace and on two worktrees: each calls a tool
// that a model which is none asks for. Each must show its model a true answer, and what one changes the other sees.
// Then each alone, with its plugin and by `lspan setup` alone, breaks a type, by its edit tool and by its shell: its model must
// hear of it before its next turn, and nothing after an edit that breaks nothing. What the models saw goes to the file of
// --record.
//   node test/campaigns/agents.js [--only codex] [--no-daemon] [--edits] [--by setup] [--record FILE]   (after `npm run build`)
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { agents, runAgent } from './clients/agents.js';
import { editors, runEditor } from './clients/edits.js';
import { startMockModel } from './clients/mock-models.js';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    'no-daemon': { type: 'boolean', default: false },
    /** Only the edits. */
    edits: { type: 'boolean', default: false },
    /** How lspan gets into the agents for the edits: plugin, setup-user or setup-project. */
    by: { type: 'string', default: '' },
    record: { type: 'string' },
  },
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

/** What an agent asks of a symbol, and what is true of it. */
const uses = (name) => ({
  tool: 'find_references',
  args: { symbol_name: name, file_path: 'src/price.ts' },
  truth: new RegExp(`^(?=.*5 references in 3 files)(?=.*function ${name}\\b)(?=.*src/cart.ts)`, 's'),
});

/** How lspan gets into an agent. */
const ways = ['plugin', 'setup-user', 'setup-project'];
const titles = {
  tool: 'breaks a type by its edit tool: the model hears of it',
  shell: 'breaks a type by its shell: the model hears of it',
  nothing: 'breaks nothing: nothing is added',
};

mkdirSync(home);
const chosen = agents.filter(({ name }) => name.includes(values.only));
try {
  for (let index = 0; !values.edits && index < chosen.length; index += 2)
    await playPair(chosen.slice(index, index + 2), index);
  for (const editor of editors.filter(({ name }) => name.includes(values.only)))
    for (const way of ways.filter((one) => one.includes(values.by)))
      for (const kind of ['tool', 'shell', 'nothing']) await playEdit(editor, way, kind);
} finally {
  spawnSync(process.execPath, [bin, 'stop'], { env: own });
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
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
  const [one, other = one] = pair;
  await playSeen(one, [other, rename], project);
  await playSeen(other, [one, back], project);
  if (!values['no-daemon']) judge(`${names}: one daemon`, daemons() === 1, `${daemons()} daemons`);
}

async function playTogether(title, pair, folders, questions) {
  const seen = await Promise.all(pair.map((agent, index) => play(agent, folders[index], questions[index])));
  for (const [index, { failed, shown = [] }] of seen.entries()) {
    const last = shown.at(-1) ?? '';
    const isTrue = failed === undefined && questions[index].truth.test(last);
    const tokens = countTokens(last);
    judge(`${title}: ${pair[index].name} (${tokens} tokens)`, isTrue, failed ?? last.slice(0, 600));
  }
}

/** One agent asks, the other renames, and the first asks again in the same conversation. */
async function playSeen(agent, [renamer, change], project) {
  const { symbol_name: old, new_name: fresh } = change.args;
  const [first, second] = [uses(old), { ...uses(fresh), before: () => play(renamer, project, change) }];
  const { failed, shown = [] } = await play(agent, project, first, second);
  const [before = '', after = ''] = shown.slice(-2);
  const tokens = `${countTokens(before)} and ${countTokens(after)} tokens`;
  judge(
    `${agent.name} sees ${old}, and then what ${renamer.name} made of it (${tokens})`,
    failed === undefined && first.truth.test(before) && second.truth.test(after),
    failed ?? `${before.slice(0, 600)}\n${after.slice(0, 600)}`,
  );
}

async function play(agent, cwd, ...questions) {
  const model = await startMockModel(...questions);
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

/** What is set up starts `lspan`, which is this build. */
async function playEdit(editor, way, kind) {
  const ownHome = realpathSync(mkdtempSync(path.join(folder, 'e')));
  const programs = path.join(ownHome, 'bin');
  const cwd = path.join(ownHome, 'p');
  cpSync(path.join(root, 'demo'), cwd, { recursive: true });
  mkdirSync(programs);
  writeFileSync(path.join(programs, 'lspan'), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`, {
    mode: 0o755,
  });
  const env = {
    ...{ PATH: `${programs}:${process.env.PATH}`, TERM: 'dumb', HOME: ownHome },
    XDG_STATE_HOME: path.join(ownHome, 's'),
  };
  const model = await startMockModel(...editor.steps(cwd)[kind]);
  const began = performance.now();
  const seen = await runEditor(editor, { model, env, cwd, home: ownHome, way }).catch((error) => ({
    failed: error.message,
    ...model.heard,
  }));
  const ms = Math.round(performance.now() - began);
  await model.close();
  spawnSync(process.execPath, [bin, 'stop'], { env });
  const last = seen.requests.at(-1) ?? '';
  const heard = /lspan: [^"]*not there before[^"]*/.exec(last)?.[0];
  const [file, text] = kind === 'nothing' ? ['extra.ts', 'extra: number'] : ['price.ts', 'amount: string'];
  const edited = path.join(cwd, 'src', file);
  const isEdited = existsSync(edited) && readFileSync(edited, 'utf8').includes(text);
  const isRight =
    isEdited &&
    (kind === 'nothing' ? last !== '' && !/lspan: (the check|\d)/.test(last) : heard?.includes('main.ts'));
  const title = `${editor.name}@${editor.version}, by ${way}, ${titles[kind]}`;
  // Codex names the server, with what it says of itself, and gives the tools to a model that searches for them.
  const isOffered = /find_references|lspan asks language servers/.test(seen.requests.join());
  // The plugin of opencode has hooks only.
  if (kind === 'tool' && way !== 'plugin')
    judge(`${editor.name}, by ${way}, offers its model the tools of lspan`, isOffered, seen.printed);
  judge(
    title,
    isRight === true,
    seen.failed ?? (seen.shown.join('\n') || seen.printed || 'nothing was shown').slice(0, 1_500),
  );
  const said = heard ?? 'nothing of lspan';
  if (values.record)
    appendFileSync(values.record, `## ${title} (${ms} ms, ${countTokens(said)} tokens)\n\n${said}\n\n`);
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
