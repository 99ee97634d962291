// Asks the same questions in several random orders, each in a process that starts cold, and once more after the servers
// were restarted: on an unchanged disk, every question has one answer, byte for byte.
//   npm run campaign:history -- [FOLDER…] [--only typescript,c] [--questions 40] [--orders 3] [--seed 1] [--daemon]
// FOLDER is a clone to ask about, which stays as it is; without one, the generated workspaces are used.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { historyProjects } from './history-projects.js';
import { chance, daemonOption, makeFolder, startLspan, writeFiles } from './lspan.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    questions: { type: 'string' },
    orders: { type: 'string' },
    seed: { type: 'string' },
    ...daemonOption,
  },
});
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
const orders = Number(values.orders ?? 3);
const most = Number(values.questions ?? 40);
/** How often a question is asked while its answer says that a server is still loading, or that time ran out. */
const patience = 8;
/** Answers that say that another one may follow. */
const passing =
  /\((?:timed_out|indexing|server_restarted)\)|^(?:timeout|server_unverified):.*(?:still loading|within \d)/m;
const sources = /\.(?:[cm]?tsx?|[cm]?jsx?|py|c|h|go)$/;
/** Declarations, for names and places to ask about. */
const declaration =
  /\b(?:function|class|interface|const|def|func|type)\s+(?:\([^)]*\)\s*)?(\w{3,})|^(?:static |extern )?\w+ \*?(\w{3,})\(/gm;

console.log(`seed ${seed}`);

let different = 0;
for (const folder of positionals) different += await compare(path.basename(folder), { project: folder });
if (positionals.length === 0)
  for (const [name, { servers, files }] of Object.entries(historyProjects)) {
    if (values.only && !values.only.split(',').includes(name)) continue;
    for (const server of servers) {
      const project = files(chance(seed));
      different += await compare(`${name} with ${server}`, { files: project, server });
    }
  }
process.exitCode = different > 0 ? 1 : 0;

/** Asks about one workspace, and returns the number of questions with more than one answer. */
async function compare(name, { project, files, server }) {
  const folder = makeFolder();
  if (files) writeFiles(folder.project, files);
  const place = { project: project ?? folder.project, own: folder.own };
  const questions = pickQuestions(place.project, chance(seed));
  const answers = new Map(questions.map((question) => [question, new Map()]));
  const begun = performance.now();
  let asked = 0;
  for (let order = 0; order < orders; order += 1) {
    const client = await startLspan(place, server, values);
    const rounds = order === orders - 1 ? ['', ', after a restart'] : [''];
    for (const round of rounds) {
      if (round !== '') await client.request('tools/call', { name: 'restart_server', arguments: {} });
      for (const question of shuffled(questions, chance(seed + order))) {
        const answer = await settled(client, question);
        const own = answers.get(question);
        own.set(answer, [...(own.get(answer) ?? []), `order ${order + 1}${round}`]);
        asked += 1;
      }
    }
    await client.stop();
  }
  folder.remove();
  const wrong = [...answers].filter(([, own]) => own.size > 1);
  for (const [question, own] of wrong) report(name, question, own);
  const seconds = Math.round((performance.now() - begun) / 1000);
  console.log(
    `${name}: ${asked} answers to ${questions.length} questions, ${wrong.length} differ, ${seconds} s`,
  );
  return wrong.length;
}

function report(name, question, own) {
  console.log(`${name}: ${question.tool} ${JSON.stringify(question.input)} has ${own.size} answers:`);
  for (const [answer, when] of own)
    console.log(`  [${when.join('; ')}]\n    ${answer.replaceAll('\n', '\n    ')}`);
}

/** Asks until the answer does not depend on time any more. */
async function settled(client, { tool, input }) {
  for (let attempt = 1; ; attempt += 1) {
    const text = (await client.request('tools/call', { name: tool, arguments: input })).content
      .map((part) => part.text)
      .join('\n');
    if (attempt === patience || !passing.test(text)) return steady(text);
  }
}

/** Leaves out what no answer can repeat: ids of plans, marks and cursors, and the words of a doubt after its kind. */
function steady(text) {
  return text
    .replace(/\bp-[a-z0-9]{10}\b/g, 'p-…')
    .replace(/^(since|cursor|Next page|More).*$/gm, '$1 …')
    .replace(/^May be incomplete \((\w+)\).*$/gm, 'May be incomplete ($1)')
    .replace(/^Not settled:.*$/gm, 'Not settled');
}

/** Picks questions about names that the files declare. */
function pickQuestions(project, { below, pick }) {
  const files = sourcesIn(project).sort();
  const declared = files.flatMap((file) => declarationsIn(project, file));
  const questions = [];
  for (let at = 0; at < most; at += 1) {
    const { file, name, line, character } = pick(declared);
    const position = { file_path: file, line, character };
    questions.push(
      [
        { tool: 'find_references', input: position },
        { tool: 'find_references', input: { symbol_name: name } },
        { tool: 'find_definition', input: { symbol_name: name } },
        { tool: 'find_definition', input: position },
        { tool: 'get_call_hierarchy', input: position },
        { tool: 'get_diagnostics', input: { file_path: pick(files) } },
        { tool: 'rename_symbol', input: { ...position, new_name: `${name}Renamed` } },
        { tool: 'get_document_symbols', input: { file_path: pick(files) } },
        { tool: 'search_workspace_symbols', input: { query: name } },
      ][below(9)],
    );
  }
  return [...new Map(questions.map((one) => [JSON.stringify(one), one])).values()];
}

function sourcesIn(project, below = '') {
  return readdirSync(path.join(project, below), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(below, entry.name);
    if (entry.isDirectory()) return /^\.|^node_modules$/.test(entry.name) ? [] : sourcesIn(project, name);
    return sources.test(entry.name) ? [name] : [];
  });
}

function declarationsIn(project, file) {
  const text = readFileSync(path.join(project, file), 'utf8');
  return [...text.matchAll(declaration)].map((match) => {
    const name = match[1] ?? match[2];
    const offset = match.index + match[0].lastIndexOf(name);
    const before = text.slice(0, offset).split('\n');
    return { file, name, line: before.length, character: (before.at(-1) ?? '').length + 1 };
  });
}

function shuffled(list, { below }) {
  const order = [...list];
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = below(at + 1);
    [order[at], order[other]] = [order[other], order[at]];
  }
  return order;
}
