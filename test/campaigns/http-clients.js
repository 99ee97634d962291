// The Inspector and real agents against `lspan serve` on a copy of demo/, each with a home of its own and a model that
// is none: all of them must list the tools, and show the model a true answer.
//   npm run http-clients [-- --only codex]
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { agents, runAgent } from './clients/agents.js';
import { inspector } from './clients/inspector.js';
import { isTool, startMockModel } from './clients/mock-models.js';
import { startServe } from './serve.js';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const root = path.resolve(import.meta.dirname, '../..');
const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-clients-')));
const project = path.join(folder, 'demo');
cpSync(path.join(root, 'demo'), project, { recursive: true });
// Neither the user's settings nor keys reach a client.
const env = { PATH: process.env.PATH, TERM: 'dumb', HOME: path.join(folder, 'home') };

/** What is asked on each surface, and what a true answer shows. */
const questions = {
  lspan: {
    tool: 'find_definition',
    args: { symbol_name: 'addPrices', file_path: 'src/receipt.ts' },
    truth: /src\/price\.ts[\s\S]*(7:17|line\W+7\b)/,
  },
  gateway: {
    tool: 'vscode.lsp.definition',
    args: {
      uri: pathToFileURL(path.join(project, 'src/receipt.ts')).href,
      position: { line: 4, character: 16 },
    },
    truth: /src\/price\.ts/,
    // By the contract the text is a summary: a client that shows its model no structured content shows no more.
    summary: /1 location\./,
  },
};

try {
  for (const surface of Object.keys(questions)) await onSurface(surface);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function onSurface(surface) {
  const question = questions[surface];
  const gateway = await startServe(project, { args: ['--surface', surface], env });
  const about = (name) => ({ ...gateway, env: { ...env, HOME: makeHome(surface, name) }, cwd: project });
  let tools = [];
  try {
    for (const era of ['legacy', 'modern']) {
      const seen = await inspector.look({ ...about(`inspector ${era}`), ...question, era });
      tools = seen.offered;
      judge(`${surface}: ${inspector.name}@${inspector.version}, ${era} era`, { ...question, tools }, seen);
      if (seen.remarks) console.log(seen.remarks.replaceAll(/^/gm, '    '));
    }
    for (const agent of agents.filter(({ name }) => name.includes(values.only))) {
      const model = await startMockModel(question);
      const place = about(agent.name);
      const asked = runAgent(agent, { ...place, home: place.env.HOME, model });
      const seen = await asked.catch((error) => ({ failed: error.message }));
      await model.close();
      const { truth, summary = truth } = question;
      const wanted = agent.shows === 'text' ? summary : truth;
      const title = `${surface}: ${agent.name}@${agent.version}`;
      judge(wanted === truth ? title : `${title} (text only: the summary)`, { truth: wanted, tools }, seen);
    }
  } finally {
    await gateway.end();
  }
}

/** The client must be connected, offer every tool to its model, and show it the truth. */
function judge(title, { tools, truth }, { failed, connected = true, offered = [], shown = [] }) {
  const missing = tools.filter((tool) => ![...offered].some((name) => isTool(name, tool)));
  const isTrue = truth.test(shown.at(-1) ?? '');
  const isRight = failed === undefined && connected && tools.length > 0 && missing.length === 0 && isTrue;
  const seen = `${tools.length - missing.length} of ${tools.length} tools offered`;
  const answer = isTrue ? 'the answer is shown' : 'the answer is not shown';
  console.log(`${isRight ? 'ok   ' : 'WRONG'} ${title}: ${seen}, ${answer}`);
  if (isRight) return;
  process.exitCode = 1;
  console.log(`    ${failed ?? JSON.stringify({ connected, missing, shown })}`);
}

function makeHome(surface, name) {
  const home = path.join(folder, `${surface} ${name.replace('/', '+')}`);
  mkdirSync(home, { recursive: true });
  return home;
}
