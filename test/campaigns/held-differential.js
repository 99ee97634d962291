// Asks the same about a project where texts are held and about a copy where they are saved: an answer about held text
// that differs must say why it may. Each step is asked of a new lspan on the copy, which knows nothing of before.
//   node test/campaigns/held-differential.js [SERVER…] [--places 8]   (after `npm run build`)
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { companions, heldProjects } from './held-projects.js';
import { writeFiles } from './lspan.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { places: { type: 'string', default: '8' }, verbose: { type: 'boolean', default: false } },
});
const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-held-')));
for (const name of ['CONFIG', 'CACHE', 'STATE'])
  process.env[`XDG_${name}_HOME`] = path.join(folder, name.toLowerCase());
const bin = path.resolve(import.meta.dirname, '../../dist/bin.js');
const { createBridge } = await import('../../dist/index.mjs');
const allServers = readFileSync(new URL('../../docs/servers.md', import.meta.url), 'utf8').matchAll(
  /^\| \[([\w-]+)\]/gm,
);
const ids = [...allServers].map(([, id]) => id);

const atPlaces = [
  'find_definition',
  'find_references',
  'get_hover',
  'find_implementations',
  'get_call_hierarchy',
];
const alsoAtPlaces = ['get_type_hierarchy', 'get_completions', 'get_signature_help', 'inspect_symbol'];
const ofFiles = ['get_document_symbols', 'get_inlay_hints', 'get_diagnostics', 'check'];

const ofOneRun = new Set(['since', 'action_id', 'plan_id', 'id', 'cursor', 'next_cursor']);
/** Errors that do not say that there is nothing. */
const unsure = ['server_unverified', 'not_supported', 'timed_out'];
const plenty = { max_tokens: 20_000 };

for (const server of positionals.length > 0 ? positionals : Object.keys(heldProjects)) await play(server);
rmSync(folder, { recursive: true, force: true });

async function play(server) {
  const { files, steps } = heldProjects[server];
  const tally = new Map();
  const held = await open(server, 'held', files);
  /** What the files are to be, and of which names the texts are held. */
  const texts = new Map(Object.entries(files));
  // It is at work before the first text comes.
  await askAll(held, texts);
  for (const [index, step] of steps.entries()) {
    for (const [file, text] of Object.entries(step)) {
      held.bridge.hold(file, text);
      const now = text ?? files[file];
      if (now === undefined) texts.delete(file);
      else texts.set(file, now);
    }
    const saved = await open(server, `saved-${index}`, Object.fromEntries(texts));
    const expected = await askAll(saved, texts);
    const actual = await askAll(held, texts);
    for (const [question, told] of expected)
      judge(tally, `${server}, step ${index + 1}, ${question}`, actual.get(question), told);
    await saved.close();
  }
  await held.close();
  const counts = [...tally].map(([verdict, count]) => `${count} ${verdict}`).join(', ');
  console.log(`${server}: ${counts}`);
  if (tally.has('wrong')) process.exitCode = 1;
}

async function open(server, name, files) {
  const root = path.join(folder, `${server}-${name}`);
  mkdirSync(root, { recursive: true });
  writeFiles(root, files);
  spawnSync(process.execPath, [bin, 'trust', root, '--yes'], { stdio: 'ignore' });
  const wanted = new Set([server, ...(companions[server] ?? [])]);
  const disabled_servers = ids.filter((id) => !wanted.has(id));
  const bridge = await createBridge({ workspace: root, config: { disabled_servers } });
  return {
    bridge,
    root,
    close: () => bridge.close().then(() => rmSync(root, { recursive: true, force: true })),
  };
}

/** The answers to every question about a project, by the question. */
async function askAll(project, texts) {
  const answers = new Map();
  for (const [tool, input] of questionsAbout(texts)) {
    const answer =
      tool === 'check'
        ? project.bridge.diagnostics(input.file_path)
        : project.bridge.call(tool, input).then(({ data }) => data);
    const told = await answer.catch(({ code, message }) => ({ error: { code, message } }));
    answers.set(`${tool} ${JSON.stringify(input)}`, comparable(told, project.root));
  }
  return answers;
}

function* questionsAbout(texts) {
  for (const [file_path, text] of [...texts].sort()) {
    for (const tool of ofFiles) yield [tool, { file_path }];
    for (const { word, ...place } of placesIn(text)) {
      for (const tool of [...atPlaces, ...alsoAtPlaces]) yield [tool, { file_path, ...place, ...plenty }];
      yield ['get_call_hierarchy', { file_path, ...place, direction: 'outgoing' }];
      yield ['search_workspace_symbols', { query: word, ...plenty }];
      yield ['find_references', { symbol_name: word, ...plenty }];
    }
    const lines = text.split('\n').length;
    yield ['get_code_actions', { file_path, line: 1, character: 1, end_line: lines, end_character: 1 }];
  }
  yield ['get_diagnostics', { file_paths: [...texts.keys()].sort() }];
}

/** Words of a text, evenly spread. */
function placesIn(text) {
  const words = text.split('\n').flatMap((line, index) =>
    [...line.matchAll(/[A-Za-z_]\w+/g)].map(({ 0: word, index: at }) => ({
      word,
      line: index + 1,
      character: at + 1,
    })),
  );
  const step = Math.max(1, Math.ceil(words.length / Number(values.places)));
  return words.filter((_, index) => index % step === 0);
}

/** What is told, without what is of one run, and of one folder. */
function comparable(told, root) {
  return JSON.parse(JSON.stringify(told).replaceAll(root, '/project'), (key, value) =>
    ofOneRun.has(key) || isByChance(value) ? undefined : value,
  );
}

/** gopls knows its own library by two paths, and takes either. */
function isByChance(value) {
  return typeof value === 'string' && value.startsWith('command-line-arguments:');
}

function judge(tally, where, held, saved) {
  const verdict = verdictOn(held, saved);
  tally.set(verdict, (tally.get(verdict) ?? 0) + 1);
  const isTold = verdict === 'wrong' || (values.verbose && verdict !== 'same');
  if (isTold)
    console.log(`${verdict}: ${where}\n  held  ${JSON.stringify(held)}\n  saved ${JSON.stringify(saved)}`);
}

/** An answer that differs is right where it says that it may. */
function verdictOn(held, saved) {
  const [own, theirs] = [held, saved].map(({ doubts: _, complete: __, ...rest }) => rest);
  const doubts = [held, saved].map((told) => JSON.stringify(told.doubts ?? []));
  if (isDeepStrictEqual(own, theirs)) return doubts[0] === doubts[1] ? 'same' : 'same, other doubts';
  if ([held, saved].some((told) => told.complete === false || unsure.includes(told.error?.code)))
    return 'doubted';
  return 'wrong';
}
